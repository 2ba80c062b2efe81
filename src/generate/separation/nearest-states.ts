import type { Ways } from '../exploration/state-graph.ts';
import { type StateGraph, waysFrom } from '../exploration/state-graph.ts';

/** Tie-breakers between equally near states: order of discovery, deeper states first, or shallower states first. */
const preferences = [() => 0, (depth: number) => depth, (depth: number) => -depth];

/**
 * Creates tests that reach every state by always continuing to the nearest remaining one, or by starting another test
 * if that is cheaper.
 * @param resetCost - cost of starting a test
 * @param maxLength - maximum number of labels in a test
 * @returns the labels of each test for the best of several tie-breakers
 */
export function nearestStates(graph: StateGraph, resetCost: number, maxLength: number): readonly (readonly number[])[] {
  const ways = waysFrom(graph, 0);
  const suites = preferences.map((prefer) => createSuite(graph, { resetCost, maxLength, ways, prefer }));
  const computeCost = (tests: readonly (readonly number[])[]) =>
    tests.reduce((sum, { length }) => sum + length + resetCost, 0);
  return suites.reduce((best, suite) => (computeCost(suite) < computeCost(best) ? suite : best));
}

interface Choice {
  readonly resetCost: number;
  readonly maxLength: number;
  readonly ways: Ways;
  readonly prefer: (depth: number) => number;
}

function createSuite(
  graph: StateGraph,
  { resetCost, maxLength, ways, prefer }: Choice,
): readonly (readonly number[])[] {
  const left = new Set(Array.from({ length: graph.states - 1 }, (_, state) => state + 1));
  const visit = (start: number, labels: readonly number[]) => {
    let at = start;
    for (const label of labels) {
      at = graph.targets[at * graph.labels + label] as number;
      left.delete(at);
    }
    return at;
  };
  const tests: number[][] = [[]];
  let at = 0;
  while (left.size > 0) {
    const test = tests.at(-1) as number[];
    const here = nearest(graph, at, left, (state) => prefer(ways.distance[state] ?? 0));
    const afterReset = nearest(graph, 0, left, (state) => prefer(ways.distance[state] ?? 0));
    if (here === null || test.length + here.length > maxLength || (afterReset?.length ?? 0) + resetCost < here.length) {
      if (test.length === 0 || afterReset === null) throw new RangeError('A state cannot be reached.');
      tests.push([]);
      at = 0;
      continue;
    }
    test.push(...here);
    at = visit(at, here);
  }
  return tests;
}

/** Finds a shortest path from a state to a remaining one; `null` if there is none. */
function nearest(
  { states, labels, targets }: StateGraph,
  start: number,
  left: ReadonlySet<number>,
  prefer: (state: number) => number,
): readonly number[] | null {
  const came = new Map<number, readonly [state: number, label: number]>();
  const queue = [start];
  const distance = new Map([[start, 0]]);
  let best = -1;
  for (const state of queue) {
    const far = distance.get(state) ?? 0;
    if (best >= 0 && far > (distance.get(best) ?? 0)) break;
    if (left.has(state) && (best < 0 || prefer(state) > prefer(best))) best = state;
    for (let label = 0; label < labels && distance.size < states; label += 1) {
      const target = targets[state * labels + label] as number;
      if (distance.has(target)) continue;
      distance.set(target, far + 1);
      came.set(target, [state, label]);
      queue.push(target);
    }
  }
  if (best < 0) return null;
  const way: number[] = [];
  for (let step = came.get(best); step !== undefined; step = came.get(step[0])) way.push(step[1]);
  return way.reverse();
}
