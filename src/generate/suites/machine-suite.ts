import type { AnyStateMachine, EventFrom, Model } from '../../compiled/model.ts';
import { generateCriterionSuite } from '../criteria/coverage-criteria.ts';
import type { MachineSuite, SizeProof } from '../generation.ts';
import { type RandomWalk, randomWalk } from '../tours/random-walk.ts';
import { transitionTour } from '../tours/transition-tour.ts';

/** Coverage criteria for the tests of a single machine. */
export const machineCriteria = ['states', 'transitions', 'pairs', 'guards'] as const;
export type MachineCriterion = (typeof machineCriteria)[number];

/** Tests as lists of events. */
type Tests = readonly (readonly EventFrom<AnyStateMachine>[])[];

/**
 * Generates tests of a machine that cover its states, transitions, transition pairs, or both results of its guards,
 * with their optimality gap.
 * @param maxLength - maximum number of events in a test; `null` if unlimited
 * @throws the errors of `transitionTour` and `coverCriteria`
 */
export function machineSuite(model: Model, cover: MachineCriterion, maxLength: number | null): MachineSuite {
  const length = maxLength === null ? {} : { maxLength };
  const found =
    cover === 'guards'
      ? generateCriterionSuite(model.machine, { ...model, goals: 'guards', ...length })
      : { unreachable: [], ...transitionTour(model.machine, { ...model, cover, ...length }) };
  const { covered, unreachable, steps, cost, lowerBound, gap } = found;
  const tests = found.tests as Tests;
  const certificate = { of: cover, covered, unreachable, tests: tests.length, steps, cost, lowerBound, gap };
  return createSuite(model, cover, tests, { ...certificate, complete: true });
}

/** Settings of a random walk: total steps, maximum test length, and random seed. */
export interface WalkPlan {
  readonly steps: number;
  readonly maxLength: number | null;
  readonly seed: number;
}

/**
 * Generates tests of a machine by a random walk that prefers the least used transitions.
 * @throws the errors of `randomWalk`
 */
export function machineWalk(model: Model, { steps, maxLength, seed }: WalkPlan): MachineSuite {
  const length = maxLength === null ? {} : { maxLength };
  const walked = randomWalk(model.machine, { ...model, steps, seed, weights: 'least-taken', ...length });
  return createSuite(model, 'walk', walked.tests as Tests, walkSizeProof(walked));
}

/** Returns the coverage of a random walk, without any bound on its length. */
export function walkSizeProof({ tests, transitions }: RandomWalk<unknown>): SizeProof {
  const steps = tests.reduce((sum, { length }) => sum + length, 0);
  return {
    of: `transitions of ${transitions.of}`,
    covered: transitions.reached,
    unreachable: [],
    tests: tests.length,
    steps,
    cost: steps + tests.length,
    lowerBound: null,
    gap: null,
    complete: true,
  };
}

function createSuite(model: Model, what: string, tests: Tests, certificate: SizeProof): MachineSuite {
  const name = model.name.replace(/\.[cm]?[jt]s$/, '').replace(/\.machine$/, '');
  return { kind: 'machine', title: `${name} ${what}`, what, model, tests, sizeProof: certificate };
}
