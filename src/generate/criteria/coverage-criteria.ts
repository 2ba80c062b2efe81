import type { AnyStateMachine, Edge, EventFrom, ExploreOptions, Invariant } from '../../compiled/model.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { ClassIndex } from '../exploration/class-index.ts';
import { explore } from '../exploration/explore.ts';
import { createStateGraph } from '../exploration/state-graph.ts';
import { assertCosts } from '../tours/tour-plan.ts';
import { type CriterionTests, findCriterionTests } from './criterion-tests.ts';
import { guardCriteria } from './guard-criteria.ts';

/** Options of a suite that covers more than states and transitions. */
export interface CriterionOptions<M extends AnyStateMachine> extends ExploreOptions<M> {
  /** `guards` covers the values true and false of each named guard. A function returns the coverage items of a step. */
  readonly goals: 'guards' | ((edge: Edge<M>) => readonly string[]);
  /** Cost of starting a test in events, as a whole number. Default: 1. */
  readonly resetCost?: number;
  /** Maximum number of events in a test. Default: unlimited. */
  readonly maxLength?: number;
}

/** Generated tests, each with the names of the coverage items that it covers. */
export interface CriterionSuite<E> {
  readonly tests: readonly (readonly E[])[];
  readonly reached: readonly (readonly string[])[];
  /** Coverage items that no event sequence reaches, or none within the maximum test length. */
  readonly unreachable: readonly string[];
  readonly covered: number;
  readonly steps: number;
  readonly cost: number;
  /** Lower bound on the cost of any tests that cover the same items. */
  readonly lowerBound: number;
  readonly gap: number;
  /**
   * Lower bound on the cost of any selection of the candidate tests; if it equals the cost, the selection is optimal.
   */
  readonly lowerBoundOfTried: number;
}

/**
 * Generates a small set of short tests that covers every coverage item. Candidates are shortest paths and tests that
 * continue from item to item; an exact search selects the cheapest of them. Throws `config-invalid` for a machine
 * without named guards and for invalid costs, and the errors of `explore`.
 */
export function generateCriterionSuite<M extends AnyStateMachine>(
  machine: M,
  options: CriterionOptions<M>,
): CriterionSuite<EventFrom<M>> {
  const { goals, resetCost = 1, maxLength = Number.POSITIVE_INFINITY } = options;
  assertCosts(resetCost, maxLength);
  const { names, bySteps } = goals === 'guards' ? guardCriteria(machine, options) : namedGoals(machine, options, goals);
  if (names.length === 0) {
    const message = goals === 'guards' ? 'the machine has no named guards' : 'cannot be reached by any step';
    throw new NudgeLabError('config-invalid', { problems: [{ location: 'goals', message }] });
  }
  const explored = explore(machine, options);
  const graph = createStateGraph(explored);
  const found = findCriterionTests({ graph, goals: bySteps, count: names.length, resetCost, maxLength });
  return createCriterionSuite(found, names, (label) => explored.events[label] as EventFrom<M>);
}

/** Creates a suite with names and events in place of numbers. */
export function createCriterionSuite<E>(
  found: CriterionTests,
  names: readonly string[],
  eventOf: (label: number) => E,
): CriterionSuite<E> {
  const { tests, unreachable, cost, lowerBound, lowerBoundOfTried } = found;
  const getName = (goal: number) => names[goal] as string;
  return {
    tests: tests.map(({ labels }) => labels.map(eventOf)),
    reached: tests.map(({ reaches }) => reaches.map(getName)),
    unreachable: unreachable.map(getName),
    covered: names.length - unreachable.length,
    steps: tests.reduce((sum, { labels }) => sum + labels.length, 0),
    cost,
    lowerBound,
    gap: cost - lowerBound,
    lowerBoundOfTried,
  };
}

function namedGoals<M extends AnyStateMachine>(
  machine: M,
  options: ExploreOptions<M>,
  goals: (edge: Edge<M>) => readonly string[],
) {
  const index = new ClassIndex();
  const bySteps: (readonly number[])[] = [];
  const note = (edge: Edge<M>): boolean => {
    bySteps.push(goals(edge).map((name) => index.getNumber(name)));
    return true;
  };
  const watch: Invariant<M> = { id: 'goals', sentence: 'Reached criteria are recorded.', of: 'edge', holds: note };
  explore(machine, { ...options, invariants: [watch] });
  return { names: index.values as readonly string[], bySteps };
}
