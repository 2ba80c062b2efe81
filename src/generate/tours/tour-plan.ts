import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { findCheapestCriterionTests } from '../criteria/criterion-search.ts';
import { countPairs, getEndState, listMoves, type Moves, type StateGraph } from '../exploration/state-graph.ts';
import { nearestStates } from '../separation/nearest-states.ts';
import { coveringWalks, type Link } from './covering-walks.ts';
import { pairWalks } from './pair-walks.ts';

/** What tests have to cover. */
export const coverCriteria = ['states', 'transitions', 'pairs'] as const;
export type CoverCriterion = (typeof coverCriteria)[number];

/** How a tour of a graph is made. */
export interface TourTask {
  readonly graph: StateGraph;
  readonly cover: CoverCriterion;
  /** Whether transitions that stay in their state are covered too. */
  readonly stays: boolean;
  /** What beginning a test costs, in events. */
  readonly resetCost: number;
  /** The labels of each state, to tell it from others, the first being the best; `null` where none follow. */
  readonly suffixesOf: ((state: number) => readonly (readonly number[])[]) | null;
  /** Whether every transition, or pair, is taken with every suffix of the state that it leads to, or only tests end with one. */
  readonly suffixes: 'ends' | 'each';
}

/** Tests as labels, with the places of what has to be covered. */
export interface PlannedTest {
  readonly labels: readonly number[];
  /** How many labels of the end are its suffix. */
  readonly suffix: number;
  /** What is covered here for the first time: from which label on, and up to which one. */
  readonly spans: readonly Span[];
}

export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** Tests with the proof of how good they are. */
export interface TourPlan {
  readonly tests: readonly PlannedTest[];
  /** States, transitions or pairs that the tests cover: all that can be reached. */
  readonly covered: number;
  readonly cost: number;
  readonly lowerBound: number;
}

/** The cheapest tests that cover states, transitions or pairs. Takes the graph and what is to be covered. */
export function planTour(task: TourTask): TourPlan {
  const moves = listMoves(task.graph, task.stays);
  if (task.cover === 'states') return planStates(task, moves);
  if (task.suffixes === 'each' && task.suffixesOf !== null) return planFollowed(task, moves, task.suffixesOf);
  return task.cover === 'transitions' ? planTransitions(task, moves) : planPairs(task, moves);
}

/** Of links between the same two nodes the first: one is enough to get about. */
function distinct(links: readonly Link[]): readonly Link[] {
  return [...new Map(links.toReversed().map((link) => [`${link.from} ${link.to}`, link])).values()].reverse();
}

function linksOf({ count, from, to, label }: Moves): readonly Link[] {
  return Array.from({ length: count }, (_, move) => ({
    from: from[move] as number,
    to: to[move] as number,
    cost: 1,
    labels: [label[move] as number],
  }));
}

function endCostsOf(task: TourTask): readonly number[] {
  return Array.from({ length: task.graph.states }, (_, state) => getEnding(task, state).length);
}

/** What a test ends with that is not covered for its own sake. Takes the state that it has come to. */
export function getEnding({ suffixes, suffixesOf }: TourTask, state: number): readonly number[] {
  return suffixes === 'ends' ? (suffixesOf?.(state)[0] ?? []) : [];
}

function planTransitions(task: TourTask, moves: Moves): TourPlan {
  const { graph, resetCost } = task;
  const required = linksOf(moves);
  const optional = distinct(required.filter(({ from, to }) => from !== to));
  const endCosts = endCostsOf(task);
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
 * Few states are gone through with every set of those that were reached, which finds the cheapest tests. Of more, every state is
 * two nodes, with a link from where it is reached to where it is left: the flow over them is a lower bound, and as the circles
 * that it leaves apart have to be joined, going to the nearest state that is left is tried as well.
 */
function planStates(task: TourTask, moves: Moves): TourPlan {
  const exact = task.suffixesOf === null ? cheapestStateTests(task) : null;
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
  const steps = linksOf(moves).flatMap((link) =>
    link.from === link.to ? [] : [{ ...link, from: states + link.from }],
  );
  const ends = endCostsOf(task);
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

/** What tests reach: the first time for each state. */
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
    endCosts: endCostsOf(task),
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

/** Whether nothing follows a transition and nothing can lead to it. */
function isInNoPair(move: number, { from, to, offsets }: Moves): boolean {
  const end = to[move] as number;
  return offsets[end] === offsets[end + 1] && !to.includes(from[move] as number);
}

/** Every transition or pair with each suffix of where it leads, as one link that is taken as a whole. */
function planFollowed(
  task: TourTask,
  moves: Moves,
  suffixesOf: (state: number) => readonly (readonly number[])[],
): TourPlan {
  const { graph, resetCost } = task;
  const steps = linksOf(moves);
  const followed = (...links: readonly Link[]): readonly Link[] => {
    const [first, last] = [links[0] as Link, links.at(-1) as Link];
    return suffixesOf(last.to).map((suffix) => {
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

/** The most that a reset may cost, in events. */
const resetCostMax = 10_000;

/**
 * Throws `config-invalid` for a reset cost that is no whole number up to the most that one may cost, and for a length of tests
 * that is no whole number above 0; any length is an infinite one.
 */
export function assertCosts(resetCost: number, maxLength: number): void {
  const problems: ValidationProblem[] = [];
  if (!Number.isSafeInteger(resetCost) || resetCost < 0 || resetCost > resetCostMax) {
    problems.push({ location: 'resetCost', message: `${resetCost} is no whole number from 0 to ${resetCostMax}` });
  }
  const isWhole = Number.isSafeInteger(maxLength) && maxLength >= 1;
  if (!isWhole && maxLength !== Number.POSITIVE_INFINITY) {
    problems.push({ location: 'maxLength', message: `${maxLength} is no whole number above 0` });
  }
  if (problems.length > 0) throw new NudgeLabError('config-invalid', { problems });
}
