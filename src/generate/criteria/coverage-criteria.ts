import type { AnyStateMachine, Edge, EventFrom, ExploreOptions, Invariant } from '../../compiled/model.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { ClassIndex } from '../exploration/class-index.ts';
import { explore } from '../exploration/explore.ts';
import { createStateGraph } from '../exploration/state-graph.ts';
import { assertCosts } from '../tours/tour-plan.ts';
import { type CriterionTests, findCriterionTests } from './criterion-tests.ts';
import { guardCriteria } from './guard-criteria.ts';

/** What a suite has to reach besides states and transitions. */
export interface CriterionOptions<M extends AnyStateMachine> extends ExploreOptions<M> {
  /** `guards`: each named guard is seen true and seen false. Or a function that names what a step reaches. */
  readonly goals: 'guards' | ((edge: Edge<M>) => readonly string[]);
  /** What beginning a test costs, in events; a whole number, default 1. */
  readonly resetCost?: number;
  /** The most events that a test may have; default: any number. */
  readonly maxLength?: number;
}

/** Tests that reach goals, each with the names of those that it reaches. */
export interface CriterionSuite<E> {
  readonly tests: readonly (readonly E[])[];
  readonly reached: readonly (readonly string[])[];
  /** Goals that no events reach, or none within the length that a test may have. */
  readonly unreachable: readonly string[];
  readonly covered: number;
  readonly steps: number;
  readonly cost: number;
  /** No tests whatever that reach the same goals cost less. */
  readonly lowerBound: number;
  readonly gap: number;
  /** No selection of the tests that were tried costs less; equal to the cost, it proves the selection to be the best of them. */
  readonly lowerBoundOfTried: number;
}

/**
 * Few and short tests that reach every goal: shortest paths and tests that go on from goal to goal, of which the cheapest
 * selection is found exactly. Takes the machine, how it is explored and the goals. Throws `config-invalid` for a machine without
 * named guards and for costs that cannot be, and what `explore` throws.
 */
export function generateCriterionSuite<M extends AnyStateMachine>(
  machine: M,
  options: CriterionOptions<M>,
): CriterionSuite<EventFrom<M>> {
  const { goals, resetCost = 1, maxLength = Number.POSITIVE_INFINITY } = options;
  assertCosts(resetCost, maxLength);
  const { names, bySteps } = goals === 'guards' ? guardCriteria(machine, options) : namedGoals(machine, options, goals);
  if (names.length === 0) {
    const message = goals === 'guards' ? 'the machine has no guards with names' : 'no step reaches any';
    throw new NudgeLabError('config-invalid', { problems: [{ location: 'goals', message }] });
  }
  const explored = explore(machine, options);
  const graph = createStateGraph(explored);
  const found = findCriterionTests({ graph, goals: bySteps, count: names.length, resetCost, maxLength });
  return createCriterionSuite(found, names, (label) => explored.events[label] as EventFrom<M>);
}

/** Puts names and events in place of numbers. Takes the tests, the names of the goals, and what a label is called. */
export function createCriterionSuite<E>(
  found: CriterionTests,
  names: readonly string[],
  eventOf: (label: number) => E,
): CriterionSuite<E> {
  const { tests, unreachable, cost, lowerBound, lowerBoundOfTried } = found;
  const nameOf = (goal: number) => names[goal] as string;
  return {
    tests: tests.map(({ labels }) => labels.map(eventOf)),
    reached: tests.map(({ reaches }) => reaches.map(nameOf)),
    unreachable: unreachable.map(nameOf),
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
    bySteps.push(goals(edge).map((name) => index.numberOf(name)));
    return true;
  };
  const watch: Invariant<M> = { id: 'goals', sentence: 'Goals are noted.', of: 'edge', holds: note };
  explore(machine, { ...options, invariants: [watch] });
  return { names: index.values as readonly string[], bySteps };
}
