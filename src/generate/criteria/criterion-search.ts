import type { StateGraph } from '../exploration/state-graph.ts';

/** Maximum number of search nodes: states times sets of coverage items. */
const placesMax = 4_000_000;

const goalsMax = 200;
/** Maximum number of coverage items in the sets of a search. */
const bitsMax = 20;

/** Input of a search for the cheapest tests. */
export interface CriterionSearchTask {
  readonly graph: StateGraph;
  /** Numbers of the coverage items that each step reaches. */
  readonly goals: ArrayLike<readonly number[]>;
  /** Coverage items to reach; all of them must be reachable. */
  readonly wanted: readonly number[];
  readonly resetCost: number;
}

/**
 * Finds the cheapest tests that reach all coverage items, by searching pairs of state and item set in order of cost.
 * @returns the labels of each test, or `null` if the search would need too many nodes
 */
export function findCheapestCriterionTests(task: CriterionSearchTask): readonly (readonly number[])[] | null {
  const { graph, goals, wanted } = task;
  const steps = graph.states * graph.labels;
  // Above this number, so few coverage items follow from others that the check does not pay off.
  if (wanted.length > goalsMax) return null;
  const kinds = Array.from({ length: steps }, (_, step) => new Set(goals[step]));
  const kept = independentGoals(kinds, wanted);
  if (kept.length > bitsMax || graph.states * 2 ** kept.length > placesMax) return null;
  const masks = Uint32Array.from(kinds, (kind) =>
    kept.reduce((mask, goal, bit) => (kind.has(goal) ? mask | (1 << bit) : mask), 0),
  );
  return new GoalSearch(task, masks, 2 ** kept.length).run();
}

/** Removes the coverage items that are implied: every step that reaches some other item also reaches them. */
function independentGoals(kinds: readonly ReadonlySet<number>[], wanted: readonly number[]): readonly number[] {
  const stepsOf = new Map(wanted.map((goal) => [goal, new Set<number>()]));
  for (const [step, kind] of kinds.entries()) for (const goal of kind) stepsOf.get(goal)?.add(step);
  const isImplied = (goal: number, place: number) =>
    wanted.some((other, at) => {
      if (other === goal) return false;
      const [of, by] = [stepsOf.get(goal) as Set<number>, stepsOf.get(other) as Set<number>];
      return by.isSubsetOf(of) && (by.size < of.size || at < place);
    });
  return wanted.filter((goal, place) => !isImplied(goal, place));
}

class GoalSearch {
  readonly #graph: StateGraph;
  readonly #resetCost: number;
  readonly #masks: Uint32Array;
  readonly #sets: number;
  /** Predecessor of each search node, and the label that led to it; a reset has the number after the last label. */
  readonly #before: Int32Array;
  readonly #by: Uint16Array;
  readonly #known: Uint8Array;

  constructor({ graph, resetCost }: CriterionSearchTask, masks: Uint32Array, sets: number) {
    this.#graph = graph;
    this.#resetCost = resetCost;
    this.#masks = masks;
    this.#sets = sets;
    this.#before = new Int32Array(graph.states * sets).fill(-1);
    this.#by = new Uint16Array(graph.states * sets);
    this.#known = new Uint8Array(graph.states * sets);
  }

  run(): readonly (readonly number[])[] {
    const { states, labels } = this.#graph;
    const buckets: [place: number, before: number, by: number][][] = [[[0, -1, labels]]];
    for (let cost = 0; cost < buckets.length; cost += 1) {
      for (const [place, before, by] of buckets[cost] ?? []) {
        if (this.#known[place] === 1) continue;
        this.#known[place] = 1;
        this.#before[place] = before;
        this.#by[place] = by;
        if (Math.floor(place / states) === this.#sets - 1) return this.#testsTo(place);
        this.#goOn(place, cost, buckets);
      }
    }
    throw new RangeError('A coverage criterion cannot be reached.');
  }

  #goOn(place: number, cost: number, buckets: [number, number, number][][]): void {
    const { states, labels, targets } = this.#graph;
    const state = place % states;
    const set = Math.floor(place / states);
    const put = (at: number, next: number, by: number) => {
      if (this.#known[next] === 1) return;
      while (buckets.length <= at) buckets.push([]);
      buckets[at]?.push([next, place, by]);
    };
    for (let label = 0; label < labels; label += 1) {
      const step = state * labels + label;
      const reached = set | (this.#masks[step] as number);
      put(cost + 1, reached * states + (targets[step] as number), label);
    }
    if (state !== 0) put(cost + this.#resetCost, set * states, labels);
  }

  #testsTo(place: number): readonly (readonly number[])[] {
    const tests: number[][] = [];
    let test: number[] = [];
    for (let at = place; at >= 0; at = this.#before[at] as number) {
      const by = this.#by[at] as number;
      if (by < this.#graph.labels) test.push(by);
      else {
        tests.push(test.reverse());
        test = [];
      }
    }
    return tests.reverse();
  }
}
