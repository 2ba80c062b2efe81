import type { AnyStateMachine, EventFrom, ExploreOptions } from '../../compiled/model.ts';
import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { type RandomSource, randomSource } from '../../core/random.ts';
import { explore } from '../exploration/explore.ts';
import type { Product } from '../exploration/product.ts';
import { exploredSteps } from '../exploration/product-steps.ts';
import { countPairs, createStateGraph, listMoves, type Moves, type StateGraph } from '../exploration/state-graph.ts';

/** Options of a random walk. */
export interface RandomWalkOptions {
  /** Random seed; equal seeds give equal walks. Default: 1. */
  readonly seed?: number;
  /** Number of events in all tests. */
  readonly steps: number;
  /** Maximum number of events in a test. Default: the total number of events. */
  readonly maxLength?: number;
  /**
   * Relative frequency of events, by event type or action name. Unlisted names have weight 1, and weight 0 excludes an
   * event. `least-taken` always selects one of the least used events of the state. Default: equal weights.
   */
  readonly weights?: Readonly<Record<string, number>> | 'least-taken';
  /** `true` to include events without any effect. Default: `false`. */
  readonly stays?: boolean;
}

/** Number of reached items of one type. */
export interface VisitedState {
  readonly reached: number;
  readonly of: number;
}

/** Tests of a random walk, with their coverage. */
export interface RandomWalk<E> {
  readonly tests: readonly (readonly E[])[];
  readonly seed: number;
  readonly states: VisitedState;
  readonly transitions: VisitedState;
  readonly pairs: VisitedState;
}

/**
 * Generates tests by a random walk through a machine from a random seed. A test ends at its maximum length or in a
 * state without possible events. Throws `config-invalid` for invalid steps, lengths and weights, and the errors of
 * `explore`.
 */
export function randomWalk<M extends AnyStateMachine>(
  machine: M,
  options: ExploreOptions<M> & RandomWalkOptions,
): RandomWalk<EventFrom<M>> {
  assertWalk(options);
  const explored = explore(machine, options);
  const getEvent = (label: number) => explored.events[label] as EventFrom<M>;
  return walkGraph(
    createStateGraph(explored),
    options,
    getEvent,
    (label) => (getEvent(label) as { readonly type: string }).type,
  );
}

/**
 * Generates tests by a random walk through a product, as action names. Takes the options of `randomWalk` and throws the
 * same errors.
 */
export function randomProductWalk(product: Product, options: RandomWalkOptions): RandomWalk<string> {
  assertWalk(options);
  const steps = exploredSteps(product);
  const getName = (label: number) => steps.getName(label);
  return walkGraph(steps.graph, options, getName, getName);
}

function assertWalk({ steps, maxLength, weights, seed = 1 }: RandomWalkOptions): void {
  const problems: ValidationProblem[] = [];
  const isCount = (value: number) => Number.isSafeInteger(value) && value >= 1;
  if (!isCount(steps)) problems.push({ location: 'steps', message: `${steps} must be a whole number above 0` });
  if (maxLength !== undefined && !isCount(maxLength)) {
    problems.push({ location: 'maxLength', message: `${maxLength} must be a whole number above 0` });
  }
  if (!Number.isSafeInteger(seed)) problems.push({ location: 'seed', message: `${seed} must be a whole number` });
  for (const [name, weight] of Object.entries(weights === 'least-taken' ? {} : (weights ?? {}))) {
    if (Number.isFinite(weight) && weight >= 0) continue;
    problems.push({ location: `weights.${name}`, message: `${weight} must be a number of at least 0` });
  }
  if (problems.length > 0) throw new NudgeLabError('config-invalid', { problems });
}

function walkGraph<E>(
  graph: StateGraph,
  options: RandomWalkOptions,
  eventOf: (label: number) => E,
  nameOf: (label: number) => string,
): RandomWalk<E> {
  const { seed = 1, steps, maxLength = steps, stays = false } = options;
  const moves = listMoves(graph, stays);
  const choice = new Choices(moves, options.weights, nameOf, randomSource(seed));
  const taken = { states: new Set([0]), transitions: new Set<number>(), pairs: new Set<number>() };
  const tests: number[][] = [];
  for (let left = steps; left > 0; ) {
    const test: number[] = [];
    let state = 0;
    for (let before = -1; left > 0 && test.length < maxLength; left -= 1) {
      const move = choice.at(state);
      if (move === null) break;
      if (before >= 0) taken.pairs.add(before * moves.count + move);
      taken.transitions.add(move);
      state = moves.to[move] as number;
      taken.states.add(state);
      test.push(moves.label[move] as number);
      before = move;
    }
    if (test.length === 0) break;
    tests.push(test);
  }
  return {
    tests: tests.map((test) => test.map(eventOf)),
    seed,
    states: { reached: taken.states.size, of: graph.states },
    transitions: { reached: taken.transitions.size, of: moves.count },
    pairs: { reached: taken.pairs.size, of: countPairs(moves) },
  };
}

/** Selects among the transitions of a state. */
class Choices {
  readonly #moves: Moves;
  readonly #weights: Float64Array | 'least-taken';
  readonly #random: RandomSource;
  readonly #times: Uint32Array;

  constructor(
    moves: Moves,
    weights: RandomWalkOptions['weights'],
    nameOf: (label: number) => string,
    random: RandomSource,
  ) {
    this.#moves = moves;
    this.#random = random;
    this.#times = new Uint32Array(moves.count);
    this.#weights =
      weights === 'least-taken'
        ? weights
        : Float64Array.from(moves.label, (label) =>
            Object.hasOwn(weights ?? {}, nameOf(label)) ? (weights?.[nameOf(label)] ?? 1) : 1,
          );
  }

  /** Returns the number of a transition; `null` if none is possible. */
  at(state: number): number | null {
    const begin = this.#moves.offsets[state] as number;
    const end = this.#moves.offsets[state + 1] as number;
    const move = this.#weights === 'least-taken' ? this.#least(begin, end) : this.#weighted(begin, end, this.#weights);
    if (move !== null) this.#times[move] = (this.#times[move] as number) + 1;
    return move;
  }

  #least(begin: number, end: number): number | null {
    if (begin === end) return null;
    const times = this.#times.subarray(begin, end);
    const least = times.reduce((one, other) => Math.min(one, other));
    const places = [...times.keys()].filter((place) => times[place] === least);
    return begin + (places[Math.floor(this.#random() * places.length)] as number);
  }

  #weighted(begin: number, end: number, weights: Float64Array): number | null {
    const total = weights.subarray(begin, end).reduce((sum, weight) => sum + weight, 0);
    if (total === 0) return null;
    let draw = this.#random() * total;
    let last: number | null = null;
    for (let move = begin; move < end; move += 1) {
      const weight = weights[move] as number;
      if (weight === 0) continue;
      last = move;
      if (draw < weight) return move;
      draw -= weight;
    }
    // A remainder from rounding selects the last possible transition.
    return last;
  }
}
