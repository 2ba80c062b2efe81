import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { NotCompiled } from '../../forecast/own/not-compiled.ts';
import type { StateGraph } from '../exploration/state-graph.ts';
import type { SizeProof } from '../generation.ts';
import type { CoverCriterion } from '../tours/tour-plan.ts';
import { createGraphTour } from '../tours/transition-tour.ts';
import { classReader, exactReader } from './class-walk.ts';
import { type OwnJourney, observesUser, writeSignIn } from './own-journey.ts';
import { listFactors } from './own-space.ts';
import { listTimes } from './random-journey.ts';
import { clockActions, listActions, listSignIns, listTimedActions, type WalkAction } from './walk-actions.ts';
import { exploreWalks, type WalkGraph, type WalkStart } from './walk-graph.ts';
import { findPrompting, listGivens } from './walk-starts.ts';

/** Options of tours of an own ruleset. */
export interface RulesetTourOptions {
  readonly cover: CoverCriterion;
  /** Maximum number of steps of a test. */
  readonly maxLength: number;
  /** `null` for tours of all states, or the maximum number of steps of a search without tables. */
  readonly depth: number | null;
}

/** Generated journeys of an own ruleset, with their coverage. */
export interface OwnSuite {
  readonly title: string;
  readonly journeys: readonly OwnJourney[];
  readonly sizeProof: SizeProof;
}

/** Explores the behavior of one user under a ruleset. Throws `NotCompiled` if it is not finite. */
export function exploreRuleset(ruleset: OwnRuleset, depth: number | null): WalkGraph {
  const factors = listFactors(ruleset);
  const base = findPrompting(ruleset, factors);
  const signIns = listSignIns(ruleset, factors, new Map([...base].filter(([path]) => path.startsWith('attempt.'))));
  const clock = depth === null ? clockActions : listTimedActions(listTimes(ruleset));
  const actions = [...listActions(ruleset, signIns, factors), ...clock];
  const givens = listGivens(factors, base);
  const scoped = (...scopes: readonly WalkAction['scope'][]): ReadonlySet<WalkAction> =>
    new Set(actions.filter(({ scope }) => scopes.includes(scope)));
  const single = scoped('plain', 'fine');
  const starts = givens.flatMap((given): readonly WalkStart[] => {
    if (depth !== null) return [{ given, reader: exactReader(), actions: new Set(actions) }];
    try {
      return [{ given, reader: classReader(ruleset, given, signIns), actions: single }];
    } catch (error) {
      // Only the first of the starts, which prompts, has to be finite.
      if (error instanceof NotCompiled && given !== givens[0]) return [];
      throw error;
    }
  });
  const [first] = starts;
  // What two keys of the ledger have to do with each other is covered from one start, without the rest.
  if (depth === null && first !== undefined) {
    for (const other of scoped('between')) starts.push({ ...first, actions: new Set([...scoped('plain'), other]) });
  }
  return exploreWalks(ruleset, starts, actions, depth ?? Number.POSITIVE_INFINITY);
}

/**
 * Generates journeys that cover the states, transitions or transition pairs of a ruleset. What they cover is counted by
 * performing them on the campaign; the shortest path to what a tour misses is added.
 *
 * @throws NotCompiled with the first cause for which the ruleset has no finite states
 */
export function rulesetTours(ruleset: OwnRuleset, { cover, maxLength, depth }: RulesetTourOptions): OwnSuite {
  const walk = exploreRuleset(ruleset, depth);
  const { graph, actions, paths } = walk;
  // The choice of the start is a label of the graph, but no step of a scenario.
  // A sign-in without a prompt leaves its state as it is, but has a result.
  const options = { cover, stays: true, maxLength: maxLength + 1 };
  const { tests, lowerBound } = createGraphTour(plannedGraph(graph, cover), null, options, (label) => label);
  const wanted = listItems(walk, cover);
  const missing = new Map(wanted);
  const performed = tests.map((test) => performTest(walk, test, missing));
  // States are classes of times, so that the same action can lead to another class from other times.
  const isExact =
    missing.size === 0 && performed.every(({ taken }, index) => taken.length + 1 === tests[index]?.length);
  for (const [item, labels] of missing) {
    if (missing.has(item)) performed.push(performTest(walk, labels, missing));
  }
  const title = `${ruleset.id} ${cover}${depth === null ? '' : ` to a depth of ${depth}`}`;
  const digits = String(performed.length).length;
  const journeys = performed.map(({ start, steps }, index): OwnJourney => {
    const number = String(index + 1).padStart(digits, '0');
    const name = `${title}, test ${number} of ${performed.length}`;
    // A test that only waits ends with a sign-in, because nothing else can be observed.
    const isSeen = steps.some((step) => observesUser(step));
    return { name, given: start.given, steps: isSeen ? steps : [...steps, writeSignIn(ruleset, new Map())] };
  });
  const steps = journeys.reduce((sum, one) => sum + one.steps.length, 0);
  const cost = steps + journeys.length;
  // A test begins with the choice of its start, which is one more label.
  const least = Math.min(cost, Math.max(0, lowerBound - tests.length));
  const proof = isExact ? { lowerBound: least, gap: cost - least } : { lowerBound: null, gap: null };
  const counted = { tests: journeys.length, steps, cost, ...proof };
  return {
    title,
    journeys,
    sizeProof: {
      of: `${cover}${walk.isCut ? ` within ${depth} steps` : ''}`,
      covered: wanted.size - missing.size,
      unreachable: [...missing.keys()].map((item) =>
        describeItem(
          item,
          actions.map(({ name }) => name),
          paths,
        ),
      ),
      ...counted,
      complete: missing.size === 0,
    },
  };
}

/** Tours of states search all labels of a state, so that an impossible step is one that stays. */
function plannedGraph(graph: StateGraph, cover: CoverCriterion): StateGraph {
  if (cover !== 'states') return graph;
  const { labels, targets } = graph;
  return { ...graph, targets: Array.from(targets, (to, step) => (to < 0 ? Math.floor(step / labels) : to)) };
}

/** Lists the coverage items with the labels of a shortest test for each. */
function listItems(
  { graph, paths, actions }: WalkGraph,
  cover: CoverCriterion,
): ReadonlyMap<string, readonly number[]> {
  const items = new Map<string, readonly number[]>();
  const { states, labels, targets } = graph;
  const listMovesAt = (state: number): readonly number[] =>
    actions.flatMap((_, label) => ((targets[state * labels + label] as number) < 0 ? [] : [label]));
  for (let state = 1; state < states; state += 1) {
    const path = paths[state] ?? [];
    if (cover === 'states') items.set(`${state}`, path);
    else {
      for (const label of listMovesAt(state)) {
        const target = targets[state * labels + label] as number;
        if (cover === 'transitions') items.set(`${state} ${label}`, [...path, label]);
        else for (const next of listMovesAt(target)) items.set(`${state} ${label} ${next}`, [...path, label, next]);
      }
    }
  }
  return items;
}

function performTest(walk: WalkGraph, labels: readonly number[], missing: Map<string, unknown>) {
  const performed = walk.perform(labels);
  const { states, taken } = performed;
  for (const [place, state] of states.entries()) {
    const [label, next] = taken.slice(place, place + 2);
    for (const item of [`${state}`, `${state} ${label}`, `${state} ${label} ${next}`]) missing.delete(item);
  }
  return performed;
}

function describeItem(item: string, names: readonly string[], paths: WalkGraph['paths']): string {
  const [state = 0, ...labels] = item.split(' ').map(Number);
  const path = [...(paths[state] ?? []).slice(1), ...labels].map((label) => names[label] ?? '');
  return path.join(', ');
}
