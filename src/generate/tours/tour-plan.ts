import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { findCheapestCriterionTests } from '../criteria/criterion-search.ts';
import { countPairs, getEndState, listMoves, type Moves, type StateGraph } from '../exploration/state-graph.ts';
import { nearestStates } from '../separation/nearest-states.ts';
import { coveringWalks, type Link } from './covering-walks.ts';
import { pairWalks } from './pair-walks.ts';

/** Coverage criteria of tours. */
export const coverCriteria = ['states', 'transitions', 'pairs'] as const;
export type CoverCriterion = (typeof coverCriteria)[number];

/** Input for planning a tour of a graph. */
export interface TourTask {
  readonly graph: StateGraph;
  readonly cover: CoverCriterion;
  /** `true` to also cover self-transitions. */
  readonly stays: boolean;
  /** Cost of starting a test, in events. */
  readonly resetCost: number;
  /** Returns the distinguishing sequences of a state, best one first; `null` if none are used. */
  readonly listSuffixes: ((state: number) => readonly (readonly number[])[]) | null;
  /**
   * `each` follows every transition or pair with each distinguishing sequence of its target; `ends` adds one to the end
   * of each test.
   */
  readonly suffixes: 'ends' | 'each';
}

/** Test as labels, with the positions of its coverage items. */
export interface PlannedTest {
  readonly labels: readonly number[];
  /** Number of labels at the end that form the distinguishing sequence. */
  readonly suffix: number;
  /** Label ranges that cover an item for the first time. */
  readonly spans: readonly Span[];
}

export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** Tests with bounds on their cost. */
export interface TourPlan {
  readonly tests: readonly PlannedTest[];
  /** Number of states, transitions or pairs that the tests cover, equal to all reachable ones. */
  readonly covered: number;
  readonly cost: number;
  readonly lowerBound: number;
}

/** Plans the cheapest tests that cover states, transitions or pairs. */
export function planTour(task: TourTask): TourPlan {
  const moves = listMoves(task.graph, task.stays);
  if (task.cover === 'states') return planStates(task, moves);
  if (task.suffixes === 'each' && task.listSuffixes !== null) return planFollowed(task, moves, task.listSuffixes);
  return task.cover === 'transitions' ? planTransitions(task, moves) : planPairs(task, moves);
}

/** Keeps the first of several links between the same two nodes, because one is enough for moving. */
function distinct(links: readonly Link[]): readonly Link[] {
  return [...new Map(links.toReversed().map((link) => [`${link.from} ${link.to}`, link])).values()].reverse();
}

function createLinks({ count, from, to, label }: Moves): readonly Link[] {
  return Array.from({ length: count }, (_, move) => ({
    from: from[move] as number,
    to: to[move] as number,
    cost: 1,
    labels: [label[move] as number],
  }));
}

function computeEndCosts(task: TourTask): readonly number[] {
  return Array.from({ length: task.graph.states }, (_, state) => getEnding(task, state).length);
}

/**
 * Returns the labels that end a test without being coverage items.
 * @param state - state that the test has reached
 */
export function getEnding({ suffixes, listSuffixes }: TourTask, state: number): readonly number[] {
  return suffixes === 'ends' ? (listSuffixes?.(state)[0] ?? []) : [];
}

function planTransitions(task: TourTask, moves: Moves): TourPlan {
  const { graph, resetCost } = task;
  const required = createLinks(moves);
  const optional = distinct(required.filter(({ from, to }) => from !== to));
  const endCosts = computeEndCosts(task);
  const { tests, cost, lowerBound } = coveringWalks({
    nodes: graph.states,
    start: 0,
    required,
    optional,
    endCosts,
    resetCost,
  });
  const taken = new Set<string>();
  const planned = tests.map(({ links, end }): PlannedTest => {
    const suffix = getEnding(task, end);
    const spans = links.flatMap(({ from, labels: [label] }, place): readonly Span[] => {
      const key = `${from} ${label}`;
      if (taken.has(key)) return [];
      taken.add(key);
      return [{ begin: place, end: place + 1 }];
    });
    return { labels: [...links.flatMap(({ labels }) => labels), ...suffix], suffix: suffix.length, spans };
  });
  return { tests: planned, covered: moves.count, cost, lowerBound };
}

/**
 * Plans tests that cover all states. For few states, a search over pairs of state and visited set finds the optimum.
 * For more states, each state becomes two nodes, with a link from its entry to its exit, and a flow over them gives the
 * lower bound. The flow can leave separate cycles that must be joined, so tests that always continue to the nearest
 * remaining state are also tried.
 */
function planStates(task: TourTask, moves: Moves): TourPlan {
  const exact = task.listSuffixes === null ? cheapestStateTests(task) : null;
  if (exact !== null) {
    const plan = reaching(exact, task, 0);
    return { ...plan, lowerBound: plan.cost };
  }
  const { graph, resetCost } = task;
  const { states } = graph;
  const through = Array.from({ length: states }, (_, state) => ({
    from: state,
    to: states + state,
    cost: 0,
    labels: [],
  }));
  const steps = createLinks(moves).flatMap((link) =>
    link.from === link.to ? [] : [{ ...link, from: states + link.from }],
  );
  const ends = computeEndCosts(task);
  const { tests, lowerBound } = coveringWalks({
    nodes: 2 * states,
    start: 0,
    required: through,
    optional: [...through, ...distinct(steps)],
    endCosts: [...ends.map(() => null), ...ends],
    resetCost,
  });
  const suites = [
    tests.map(({ links }) => links.flatMap(({ labels }) => labels)),
    nearestStates(graph, resetCost, Number.POSITIVE_INFINITY),
  ].map((suite) => suite.map((walk) => [...walk, ...getEnding(task, getEndState(graph, 0, walk))]));
  const plans = suites.map((suite) => reaching(suite, task, lowerBound));
  return plans.reduce((best, plan) => (plan.cost < best.cost ? plan : best));
}

function cheapestStateTests({ graph, resetCost }: TourTask): readonly (readonly number[])[] | null {
  const wanted = Array.from({ length: graph.states - 1 }, (_, state) => state + 1);
  const goals = Array.from(graph.targets, (target) => [target]);
  return findCheapestCriterionTests({ graph, goals, wanted, resetCost });
}

/** Returns the coverage of tests, with the first visit of each state. */
function reaching(suite: readonly (readonly number[])[], { graph, resetCost }: TourTask, lowerBound: number): TourPlan {
  const seen = new Set<number>();
  const tests = suite.map((labels): PlannedTest => {
    const spans: Span[] = [];
    let state = 0;
    for (let place = 0; place <= labels.length; place += 1) {
      if (place > 0) state = graph.targets[state * graph.labels + (labels[place - 1] as number)] as number;
      if (seen.has(state)) continue;
      seen.add(state);
      spans.push({ begin: place, end: place });
    }
    return { labels, suffix: 0, spans };
  });
  const cost = suite.reduce((sum, { length }) => sum + length + resetCost, 0);
  return { tests, covered: graph.states, cost, lowerBound };
}

function planPairs(task: TourTask, moves: Moves): TourPlan {
  const { graph, resetCost } = task;
  const { tests, pairs, cost, lowerBound } = pairWalks({
    states: graph.states,
    moves,
    resetCost,
    endCosts: computeEndCosts(task),
  });
  const seen = new Set<number>();
  const isNew = (key: number) => {
    const known = seen.size;
    return seen.add(key).size > known;
  };
  const planned = tests.map((test): PlannedTest => {
    const spans: Span[] = [];
    for (const [place, move] of test.entries()) {
      const before = test[place - 1];
      if (before !== undefined && isNew((before + 1) * moves.count + move))
        spans.push({ begin: place - 1, end: place + 1 });
      else if (isInNoPair(move, moves) && isNew(move)) spans.push({ begin: place, end: place + 1 });
    }
    const suffix = getEnding(task, moves.to[test.at(-1) ?? 0] ?? 0);
    const labels = test.map((move) => moves.label[move] as number);
    return { labels: [...labels, ...suffix], suffix: suffix.length, spans };
  });
  return { tests: planned, covered: pairs, cost, lowerBound };
}

/** Checks whether a transition is in no pair: no transition follows it, and none leads to it. */
function isInNoPair(move: number, { from, to, offsets }: Moves): boolean {
  const end = to[move] as number;
  return offsets[end] === offsets[end + 1] && !to.includes(from[move] as number);
}

/** Plans tests in which every transition or pair and each distinguishing sequence of its target form one link. */
function planFollowed(
  task: TourTask,
  moves: Moves,
  listSuffixes: (state: number) => readonly (readonly number[])[],
): TourPlan {
  const { graph, resetCost } = task;
  const steps = createLinks(moves);
  const followed = (...links: readonly Link[]): readonly Link[] => {
    const [first, last] = [links[0] as Link, links.at(-1) as Link];
    return listSuffixes(last.to).map((suffix) => {
      const labels = [...links.flatMap((link) => link.labels), ...suffix];
      return { from: first.from, to: getEndState(graph, last.to, suffix), cost: labels.length, labels };
    });
  };
  const pairs = () =>
    steps.flatMap((one) =>
      steps.slice(moves.offsets[one.to], moves.offsets[one.to + 1]).flatMap((other) => followed(one, other)),
    );
  const alone = steps.filter((_, move) => task.cover === 'transitions' || isInNoPair(move, moves));
  const required = [...alone.flatMap((link) => followed(link)), ...(task.cover === 'pairs' ? pairs() : [])];
  const { tests, cost, lowerBound } = coveringWalks({
    nodes: graph.states,
    start: 0,
    required,
    optional: distinct(steps.filter(({ from, to }) => from !== to)),
    endCosts: Array.from({ length: graph.states }, () => 0),
    resetCost,
  });
  const musts = new Set(required);
  const planned = tests.map(({ links }): PlannedTest => {
    const spans: Span[] = [];
    const labels: number[] = [];
    for (const link of links) {
      const begin = labels.length;
      labels.push(...link.labels);
      if (musts.has(link)) spans.push({ begin, end: labels.length });
    }
    return { labels, suffix: 0, spans };
  });
  const covered = task.cover === 'transitions' ? moves.count : countPairs(moves);
  return { tests: planned, covered, cost, lowerBound };
}

/** Maximum reset cost, in events. */
const resetCostMax = 10_000;

/**
 * Throws `config-invalid` unless the reset cost is a whole number up to the maximum and the test length is a positive
 * whole number or infinite.
 */
export function assertCosts(resetCost: number, maxLength: number): void {
  const problems: ValidationProblem[] = [];
  if (!Number.isSafeInteger(resetCost) || resetCost < 0 || resetCost > resetCostMax) {
    problems.push({ location: 'resetCost', message: `${resetCost} must be a whole number from 0 to ${resetCostMax}` });
  }
  const isWhole = Number.isSafeInteger(maxLength) && maxLength >= 1;
  if (!isWhole && maxLength !== Number.POSITIVE_INFINITY) {
    problems.push({ location: 'maxLength', message: `${maxLength} must be a whole number above 0` });
  }
  if (problems.length > 0) throw new NudgeLabError('config-invalid', { problems });
}
