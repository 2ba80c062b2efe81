import { NudgeLabError } from '../../core/errors.ts';
import { listMoves, type Moves, type StateGraph, type Ways, waysFrom } from '../exploration/state-graph.ts';
import { type BoundedWalks, boundByPrices } from './length-bound.ts';
import { getEnding, type PlannedTest, planTour, type TourPlan, type TourTask } from './tour-plan.ts';

/**
 * Splits the tests of a plan into tests of at most `maxLength` labels with the same coverage. The tests are cut where
 * that is cheapest and restarted by a shortest path. The result need not be optimal, so its lower bound applies to any
 * tests of that length.
 * @throws `config-invalid` if something cannot be covered by a test of that length
 */
export function boundedPlan(plan: TourPlan, task: TourTask, maxLength: number): TourPlan {
  if (plan.tests.every(({ labels }) => labels.length <= maxLength)) return plan;
  const ways = waysFrom(task.graph, 0);
  const free = planTour({ ...task, resetCost: 0 });
  // Tours with free resets and with expensive resets are cut into different tests; the cheapest result is kept.
  const tours = [plan, free, planTour({ ...task, resetCost: maxLength })];
  const suites = tours.map((one) => one.tests.flatMap((test) => cut(test, task, { maxLength, ways })));
  const computeCost = (tests: readonly PlannedTest[]) =>
    tests.reduce((sum, { labels }) => sum + labels.length + task.resetCost, 0);
  const tests = suites.reduce((best, suite) => (computeCost(suite) < computeCost(best) ? suite : best));
  const cost = computeCost(tests);
  return {
    tests,
    covered: plan.covered,
    cost,
    lowerBound: Math.max(
      plan.lowerBound,
      computeBound(plan, free.lowerBound, task, { maxLength, ways }),
      Math.ceil(boundByPrices(createWalks(task, maxLength)) - 1e-6),
    ),
  };
}

interface Within {
  readonly maxLength: number;
  /** Shortest paths from the initial state. */
  readonly ways: Ways;
}

/** Piece of a longer test that would become a separate test. */
interface Piece {
  readonly start: number;
  readonly begin: number;
  readonly end: number;
  readonly suffix: readonly number[];
  readonly length: number;
}

/**
 * Cuts a test into pieces at the lowest cost, from span to span; each piece starts with a shortest path to its first
 * span.
 */
function cut(test: PlannedTest, task: TourTask, within: Within): readonly PlannedTest[] {
  const { spans } = test;
  const walk = test.labels.slice(0, test.labels.length - test.suffix);
  const states = listStates(task.graph, walk);
  const costs = [0];
  const cuts: Piece[] = [];
  const sources: number[] = [];
  for (let last = 0; last < spans.length; last += 1) {
    let best = Number.POSITIVE_INFINITY;
    for (let first = last; first >= 0; first -= 1) {
      const piece = createPiece(test, [first, last], states, task, within);
      if (piece.length > within.maxLength) break;
      const cost = (costs[first] as number) + piece.length + task.resetCost;
      if (cost >= best) continue;
      best = cost;
      cuts[last] = piece;
      sources[last] = first;
    }
    if (best === Number.POSITIVE_INFINITY) {
      const { length } = createPiece(test, [last, last], states, task, within);
      throw tooShort(length, within.maxLength);
    }
    costs.push(best);
  }
  const tests: PlannedTest[] = [];
  for (let last = spans.length - 1; last >= 0; last = (sources[last] as number) - 1) {
    tests.push(createTest(cuts[last] as Piece, spans.slice(sources[last], last + 1), walk, within.ways));
  }
  return tests.reverse();
}

function createPiece(
  { spans }: PlannedTest,
  [first, last]: readonly [number, number],
  states: readonly number[],
  task: TourTask,
  { ways }: Within,
): Piece {
  const begin = spans[first]?.begin ?? 0;
  const end = spans[last]?.end ?? 0;
  const start = states[begin] ?? 0;
  const suffix = getEnding(task, states[end] ?? 0);
  return { start, begin, end, suffix, length: (ways.distance[start] ?? 0) + end - begin + suffix.length };
}

function createTest(piece: Piece, spans: PlannedTest['spans'], walk: readonly number[], ways: Ways): PlannedTest {
  const { start, begin, end, suffix } = piece;
  const way = ways.to(start);
  const shift = way.length - begin;
  return {
    labels: [...way, ...walk.slice(begin, end), ...suffix],
    suffix: suffix.length,
    spans: spans.map((span) => ({ begin: span.begin + shift, end: span.end + shift })),
  };
}

function listStates({ labels, targets }: StateGraph, walk: readonly number[]): readonly number[] {
  const states = [0];
  for (const label of walk) states.push(targets[(states.at(-1) as number) * labels + label] as number);
  return states;
}

function tooShort(needed: number, maxLength: number): NudgeLabError {
  const message = `One coverage item requires a test of ${needed} events; the maximum is ${maxLength}. Increase maxLength.`;
  return new NudgeLabError('config-invalid', { problems: [{ location: 'maxLength', message }] });
}

/**
 * Computes a lower bound on the cost of tests of bounded length. The first bound is that of a tour without resets, with
 * each event more expensive by the reset cost divided by the maximum length. The second bound considers depth: a test
 * needs that many events before it reaches deep items, so only its remaining events can cover them.
 */
function computeBound(plan: TourPlan, lowerBound: number, task: TourTask, { maxLength, ways }: Within): number {
  const whole = maxLength + task.resetCost;
  const behind = new Float64Array(maxLength + 1);
  for (const test of plan.tests) {
    const states = listStates(task.graph, test.labels);
    for (const { begin, end } of test.spans) {
      // Only the last event of an overlapping item, such as a transition pair, surely belongs to it alone. Its
      // distinguishing sequence always does.
      const own =
        task.suffixes === 'each' && task.listSuffixes !== null && task.cover === 'transitions' ? end - begin : 1;
      const depth = (ways.distance[states[begin] ?? 0] ?? 0) + (end - begin) - own;
      if (depth >= 0) behind[depth] = (behind[depth] as number) + own;
    }
  }
  let best = (lowerBound * whole) / maxLength;
  let events = 0;
  for (let depth = maxLength - 1; depth >= 0; depth -= 1) {
    events += behind[depth] as number;
    best = Math.max(best, (events * whole) / (maxLength - depth));
  }
  return Math.ceil(best - 1e-6);
}

/**
 * Returns the arcs and the items that they cover. Items that distinguishing sequences cover are left out, which keeps
 * the bound valid.
 */
function createWalks({ graph, cover, stays, resetCost }: TourTask, maxLength: number): BoundedWalks {
  const moves = listMoves(graph, stays);
  const limits = { maxLength, resetCost };
  if (cover === 'transitions') {
    const item = Int32Array.from({ length: moves.count }, (_, move) => move);
    return { nodes: graph.states, start: 0, from: moves.from, to: moves.to, item, items: moves.count, ...limits };
  }
  if (cover === 'states') {
    const item = Int32Array.from(moves.to, (state) => state - 1);
    return { nodes: graph.states, start: 0, from: moves.from, to: moves.to, item, items: graph.states - 1, ...limits };
  }
  return createPairWalks(moves, limits);
}

/**
 * Returns the arcs for pair coverage: each pair is an arc between transitions, and a test starts before its first one.
 */
function createPairWalks(
  { count, to, offsets }: Moves,
  limits: Pick<BoundedWalks, 'maxLength' | 'resetCost'>,
): BoundedWalks {
  const arcs = { from: [] as number[], to: [] as number[], item: [] as number[] };
  const add = (one: number, other: number, item: number) => {
    arcs.from.push(one);
    arcs.to.push(other);
    arcs.item.push(item);
  };
  let items = 0;
  for (let move = offsets[0] as number; move < (offsets[1] as number); move += 1) add(count, move, -1);
  for (let move = 0; move < count; move += 1) {
    const end = to[move] as number;
    for (let next = offsets[end] as number; next < (offsets[end + 1] as number); next += 1) {
      add(move, next, items);
      items += 1;
    }
  }
  return { nodes: count + 1, start: count, ...arcs, items, ...limits };
}
