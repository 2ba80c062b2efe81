import { type StateGraph, type Ways, waysFrom } from '../exploration/state-graph.ts';
import { findCheapestCriterionTests } from './criterion-search.ts';
import { cheapestCover } from './set-cover.ts';

/** Graph with the coverage items that each step reaches. */
export interface CriterionTask {
  readonly graph: StateGraph;
  /** Numbers of the coverage items that each step reaches: `goals[state * labels + label]`. */
  readonly goals: ArrayLike<readonly number[]>;
  readonly count: number;
  readonly resetCost: number;
  readonly maxLength: number;
}

/** Tests for coverage items, with bounds on their cost. */
export interface CriterionTests {
  readonly tests: readonly { readonly labels: readonly number[]; readonly reaches: readonly number[] }[];
  readonly unreachable: readonly number[];
  readonly cost: number;
  /** Lower bound on the cost of any tests that cover these items. */
  readonly lowerBound: number;
  /** Lower bound on the cost of any selection of the candidate tests. */
  readonly lowerBoundOfTried: number;
}

/** Number of nearest steps tried for each coverage item. */
const nearestMax = 4;

interface Candidate {
  readonly labels: readonly number[];
  readonly reaches: ReadonlySet<number>;
}

/**
 * Finds a small set of short tests that covers every reachable item. With few states and items, an exhaustive search
 * finds and proves the optimum. Otherwise the candidates are a shortest path to each of the nearest steps of every
 * item, and longer tests that continue to the nearest remaining item; the cheapest selection of candidates is exact.
 */
export function findCriterionTests(task: CriterionTask): CriterionTests {
  const ways = waysFrom(task.graph, 0);
  const steps = stepsByGoal(task, ways);
  const isNear = (step: number | undefined) => step !== undefined && lengthOver(step, task, ways) <= task.maxLength;
  const reachable = [...steps.keys()].filter((goal) => isNear(steps[goal]?.[0]));
  const unreachable = [...steps.keys()].filter((goal) => !isNear(steps[goal]?.[0]));
  if (reachable.length === 0) return { tests: [], unreachable, cost: 0, lowerBound: 0, lowerBoundOfTried: 0 };
  const candidates = [
    ...reachable.flatMap((goal) =>
      (steps[goal] ?? [])
        .slice(0, nearestMax)
        .filter((step) => isNear(step))
        .map((step) => [...ways.to(getState(step, task)), step % task.graph.labels]),
    ),
    ...chains(task, new Set(reachable)),
  ].map((labels): Candidate => ({ labels, reaches: reachedBy(labels, task) }));
  const best = findCheapestCriterionTests({ ...task, wanted: reachable });
  if (best?.every(({ length }) => length <= task.maxLength) === true) return exactTests(best, task, unreachable);
  const place = new Map(reachable.map((goal, number) => [goal, number]));
  const choices = candidates.map(({ labels, reaches }) => ({
    cost: labels.length + task.resetCost,
    covers: [...reaches].map((goal) => place.get(goal) as number),
  }));
  const { chosen, cost, lowerBound } = cheapestCover(reachable.length, choices);
  const tests = chosen.map((number) => {
    const { labels, reaches } = candidates[number] as Candidate;
    return { labels, reaches: [...reaches].toSorted((a, b) => a - b) };
  });
  const any = best === null ? boundOfAny(task, { ways, steps, reachable }) : computeCost(best, task);
  return { tests, unreachable, cost, lowerBound: any, lowerBoundOfTried: Math.max(any, lowerBound) };
}

function exactTests(
  best: readonly (readonly number[])[],
  task: CriterionTask,
  unreachable: readonly number[],
): CriterionTests {
  const tests = best.map((labels) => ({ labels, reaches: [...reachedBy(labels, task)].toSorted((a, b) => a - b) }));
  const cost = computeCost(best, task);
  return { tests, unreachable, cost, lowerBound: cost, lowerBoundOfTried: cost };
}

function computeCost(tests: readonly (readonly number[])[], { resetCost }: CriterionTask): number {
  return tests.reduce((sum, { length }) => sum + length + resetCost, 0);
}

function getState(step: number, { graph }: CriterionTask): number {
  return Math.floor(step / graph.labels);
}

function lengthOver(step: number, task: CriterionTask, { distance }: Ways): number {
  return (distance[getState(step, task)] ?? 0) + 1;
}

/** Lists the steps that reach each coverage item, nearest first. */
function stepsByGoal(task: CriterionTask, ways: Ways): readonly (readonly number[])[] {
  const steps: number[][] = Array.from({ length: task.count }, () => []);
  for (let step = 0; step < task.graph.states * task.graph.labels; step += 1) {
    for (const goal of new Set(task.goals[step])) steps[goal]?.push(step);
  }
  return steps.map((of) => of.toSorted((a, b) => lengthOver(a, task, ways) - lengthOver(b, task, ways) || a - b));
}

function reachedBy(labels: readonly number[], { graph, goals }: CriterionTask): ReadonlySet<number> {
  const reached = new Set<number>();
  let state = 0;
  for (const label of labels) {
    const step = state * graph.labels + label;
    for (const goal of goals[step] ?? []) reached.add(goal);
    state = graph.targets[step] as number;
  }
  return reached;
}

/**
 * Builds tests from item to item. Each starts with the first remaining item and continues while that is cheaper than
 * starting another test.
 */
function chains(task: CriterionTask, goals: ReadonlySet<number>): readonly (readonly number[])[] {
  const { graph, maxLength, resetCost } = task;
  const left = new Set(goals);
  const tests: number[][] = [];
  const reach = (test: readonly number[]) => {
    for (const goal of reachedBy(test, task)) left.delete(goal);
  };
  while (left.size > 0) {
    const test: number[] = [];
    let state = 0;
    for (let way = nearestGoal(task, state, left); way !== null; way = nearestGoal(task, state, left)) {
      const afterReset = nearestGoal(task, 0, left);
      const isDear = afterReset !== null && afterReset.length + resetCost < way.length;
      if (test.length > 0 && (isDear || test.length + way.length > maxLength)) break;
      test.push(...way);
      reach(test);
      for (const label of way) state = graph.targets[state * graph.labels + label] as number;
    }
    if (test.length === 0) return tests;
    tests.push(test);
  }
  return tests;
}

/** Finds a shortest path through a step that reaches a remaining item; `null` if there is none. */
function nearestGoal(
  { graph, goals }: CriterionTask,
  start: number,
  left: ReadonlySet<number>,
): readonly number[] | null {
  const { states, labels, targets } = graph;
  const came = new Map<number, readonly [state: number, label: number]>();
  const known = new Uint8Array(states);
  known[start] = 1;
  const queue = [start];
  for (const state of queue) {
    for (let label = 0; label < labels; label += 1) {
      const step = state * labels + label;
      if (goals[step]?.some((goal) => left.has(goal)) === true) {
        const way = [label];
        for (let at = came.get(state); at !== undefined; at = came.get(at[0])) way.push(at[1]);
        return way.reverse();
      }
      const target = targets[step] as number;
      if (known[target] === 1) continue;
      known[target] = 1;
      came.set(target, [state, label]);
      queue.push(target);
    }
  }
  return null;
}

/**
 * Computes a lower bound on the cost of any tests: one start plus the minimum number of steps that reach all items, and
 * at least the cost of the farthest item.
 */
function boundOfAny(
  task: CriterionTask,
  {
    ways,
    steps,
    reachable,
  }: { readonly ways: Ways; readonly steps: readonly (readonly number[])[]; readonly reachable: readonly number[] },
): number {
  const place = new Map(reachable.map((goal, number) => [goal, number]));
  const kinds = new Map<string, readonly number[]>();
  for (let step = 0; step < task.graph.states * task.graph.labels; step += 1) {
    const covers = [...new Set(task.goals[step])].flatMap((goal) => place.get(goal) ?? []);
    if (covers.length > 0) kinds.set(covers.join(), covers);
  }
  const { lowerBound } = cheapestCover(
    reachable.length,
    [...kinds.values()].map((covers) => ({ cost: 1, covers })),
  );
  const farthest = Math.max(...reachable.map((goal) => lengthOver(steps[goal]?.[0] ?? 0, task, ways)));
  return task.resetCost + Math.max(lowerBound, farthest);
}
