import type { JourneySuite } from '../generation.ts';
import { lifecycleProduct } from '../models/lifecycle-product.ts';
import { randomProductWalk } from '../tours/random-walk.ts';
import {
  exploredLifecycle,
  type LifecycleSuiteOptions,
  lifecycleDefaults,
  listJourneys,
} from './lifecycle-journeys.ts';
import { type WalkPlan, walkSizeProof } from './machine-suite.ts';
import { type CoverageCriterion, generatedSuite } from './suite.ts';

/** How suites over a user's lifecycle are made; what is left out is as the library has it. */
export type LifecycleOptions = Partial<Pick<LifecycleSuiteOptions, 'snoozeDays' | 'maxLength' | 'suffixes'>>;

/** A suite over the lifecycle of a user with its certificate. Takes the goal. Throws what `generatedSuite` throws. */
export function lifecycleCriteria(cover: CoverageCriterion, options: LifecycleOptions): JourneySuite {
  const { journeys, covered, unreachable, steps, cost, lowerBound, gap } = generatedSuite(cover, options);
  const certificate = { of: cover, covered, unreachable, tests: journeys.length, steps, cost, lowerBound, gap };
  return { kind: 'journeys', title: `Nudge ${cover}`, journeys, sizeProof: { ...certificate, complete: true } };
}

/** Journeys that walk the lifecycle at random, always by what was taken least. Throws `config-invalid`. */
export function lifecycleWalk({ steps, maxLength, seed }: WalkPlan, options: LifecycleOptions): JourneySuite {
  const given = { ...lifecycleDefaults, ...options };
  const explored = exploredLifecycle(given);
  const walked = randomProductWalk(lifecycleProduct({ daysToldApart: 0, ...given }), {
    steps,
    seed,
    weights: 'least-taken',
    maxLength: maxLength ?? given.maxLength,
  });
  const what = `Walk ${seed}`;
  const journeys = listJourneys(walked.tests, explored, { what, snoozeDays: given.snoozeDays });
  return { kind: 'journeys', title: `Nudge walk ${seed}`, journeys, sizeProof: walkSizeProof(walked) };
}
