import type { AnyStateMachine, EventFrom, Model } from '../../compiled/model.ts';
import { generateCriterionSuite } from '../criteria/coverage-criteria.ts';
import type { MachineSuite, SizeProof } from '../generation.ts';
import { type RandomWalk, randomWalk } from '../tours/random-walk.ts';
import { transitionTour } from '../tours/transition-tour.ts';

/** What tests of a single machine can cover. */
export const machineCriteria = ['states', 'transitions', 'pairs', 'guards'] as const;
export type MachineCriterion = (typeof machineCriteria)[number];

/** A list of events for each test. */
type Tests = readonly (readonly EventFrom<AnyStateMachine>[])[];

/**
 * Tests of a machine that cover its states, transitions, pairs of them or its guards both ways, with how near to the cheapest
 * they are. Takes the model, the goal, and the most events of a test. Throws what `transitionTour` and `coverCriteria` throw.
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
  return suiteOf(model, cover, tests, { ...certificate, complete: true });
}

/** How a walk goes: steps in all, the most of a test, and the seed. */
export interface WalkPlan {
  readonly steps: number;
  readonly maxLength: number | null;
  readonly seed: number;
}

/** Tests of a machine that walk at random, always by what was taken least. Throws what `randomWalk` throws. */
export function machineWalk(model: Model, { steps, maxLength, seed }: WalkPlan): MachineSuite {
  const length = maxLength === null ? {} : { maxLength };
  const walked = randomWalk(model.machine, { ...model, steps, seed, weights: 'least-taken', ...length });
  return suiteOf(model, 'walk', walked.tests as Tests, walkSizeProof(walked));
}

/** What a walk has covered; nothing is proven of its length. */
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

function suiteOf(model: Model, what: string, tests: Tests, certificate: SizeProof): MachineSuite {
  const name = model.name.replace(/\.[cm]?[jt]s$/, '').replace(/\.machine$/, '');
  return { kind: 'machine', title: `${name} ${what}`, what, model, tests, sizeProof: certificate };
}
