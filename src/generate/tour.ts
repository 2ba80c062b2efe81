import type { AnyStateMachine, EventFrom, ExploreOptions } from '../compiled/model.ts';
import { NudgeLabError } from '../core/errors.ts';
import { explore } from './explore.ts';
import { type Arc, cheapestBalance } from './min-cost-flow.ts';

/** The most that a reset may cost, in events. */
const resetCostMax = 10_000;

/** How a tour is made. */
export interface TourOptions<M extends AnyStateMachine> extends ExploreOptions<M> {
  /** What beginning a test costs, in events; a whole number, default 1. */
  readonly resetCost?: number;
}

/** Tests that take every transition, with the proof that no others do it in fewer events. */
export interface Tour<M extends AnyStateMachine> {
  /** Events from the machine's first state on, a list for each test. */
  readonly tests: readonly (readonly EventFrom<M>[])[];
  /** Transitions that lead to another state, each of which is taken. */
  readonly transitions: number;
  /** Events of all tests. */
  readonly steps: number;
  /** Steps, and the reset cost of each test. */
  readonly cost: number;
  /** No tests that take every transition cost less: the value of a feasible dual. */
  readonly lowerBound: number;
  /** Cost above the lower bound: 0 is a proven optimum. */
  readonly gap: number;
}

/**
 * The cheapest tests that take every transition of a machine that leads to another state, changes of the context alone
 * included: a directed Chinese postman tour with resets, by an exact flow of least cost. Takes the machine, how it is explored
 * and what a reset costs. Throws `config-invalid` for another cost than a whole number, and what `explore` throws.
 */
export function tour<M extends AnyStateMachine>(machine: M, options: TourOptions<M>): Tour<M> {
  const { resetCost = 1 } = options;
  if (!Number.isSafeInteger(resetCost) || resetCost < 0 || resetCost > resetCostMax) {
    const problems = [{ place: 'resetCost', message: `${resetCost} is no whole number from 0 to ${resetCostMax}` }];
    throw new NudgeLabError('config-invalid', { problems });
  }
  const explored = explore(machine, options);
  const end = explored.states.length;
  const moves = explored.targets.flatMap((to, at) => {
    const from = Math.floor(at / explored.events.length);
    return from === to
      ? []
      : [{ from, to, cost: 1, event: explored.events[at % explored.events.length] as EventFrom<M> }];
  });
  // A test ends in any state for nothing, and to begin one costs what a reset costs; there is one test at least.
  const begin: Arc = { from: end, to: 0, cost: resetCost };
  const ends = explored.states.map((_, from): Arc => ({ from, to: end, cost: 0 }));
  const required = [...moves, begin];
  const arcs = [...required, ...ends];
  const excess = new Int32Array(end + 1);
  for (const { from, to } of required) {
    excess[to] = (excess[to] ?? 0) + 1;
    excess[from] = (excess[from] ?? 0) - 1;
  }
  const { flow, bound } = cheapestBalance(end + 1, arcs, excess);
  const times = flow.map((more, arc) => more + (arc < required.length ? 1 : 0));
  const walk = circuit(end, arcs, times);
  const tests = testsOf(walk, moves, required.length);
  const steps = tests.reduce((sum, { length }) => sum + length, 0);
  const cost = steps + resetCost * tests.length;
  const lowerBound = moves.length + resetCost + bound;
  return { tests, transitions: moves.length, steps, cost, lowerBound, gap: cost - lowerBound };
}

/** A closed walk from a node that takes each arc as often as it is to be taken, by Hierholzer: the numbers of the arcs. */
function circuit(start: number, arcs: readonly Arc[], times: Int32Array): readonly number[] {
  const leaving = Map.groupBy(arcs.keys(), (arc) => arcs[arc]?.from ?? 0);
  const left = Int32Array.from(times);
  const stack: { readonly node: number; readonly by: number }[] = [{ node: start, by: -1 }];
  const walk: number[] = [];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const open = leaving.get(top.node) ?? [];
    while (open.length > 0 && left[open.at(-1) ?? 0] === 0) open.pop();
    const arc = open.at(-1);
    if (arc === undefined) {
      stack.pop();
      if (top.by >= 0) walk.push(top.by);
      continue;
    }
    left[arc] = (left[arc] ?? 0) - 1;
    stack.push({ node: arcs[arc]?.to ?? 0, by: arc });
  }
  return walk.reverse();
}

/** Cuts a walk where tests end: the arc that begins one is the last of the required, those that end one come after it. */
function testsOf<E>(
  walk: readonly number[],
  moves: readonly { readonly event: E }[],
  required: number,
): readonly E[][] {
  const tests: E[][] = [];
  for (const arc of walk) {
    if (arc === required - 1) tests.push([]);
    else if (arc < required) tests.at(-1)?.push((moves[arc] as { readonly event: E }).event);
  }
  return tests;
}
