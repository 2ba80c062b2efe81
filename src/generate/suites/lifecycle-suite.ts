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

/** Options of lifecycle suites; omitted options have the defaults of the library. */
export type LifecycleOptions = Partial<Pick<LifecycleSuiteOptions, 'snoozeDays' | 'maxLength' | 'suffixes'>>;

/**
 * Generates a lifecycle suite for a coverage criterion, with its size proof.
 * @throws the errors of `generatedSuite`
 */
export function lifecycleCriteria(cover: CoverageCriterion, options: LifecycleOptions): JourneySuite {
  const { journeys, covered, unreachable, steps, cost, lowerBound, gap } = generatedSuite(cover, options);
  const certificate = { of: cover, covered, unreachable, tests: journeys.length, steps, cost, lowerBound, gap };
  return { kind: 'journeys', title: `Nudge ${cover}`, journeys, sizeProof: { ...certificate, complete: true } };
}

/**
 * Generates journeys by a random walk through the lifecycle that prefers the least used transitions.
 * @throws `config-invalid` if an option is invalid
 */
export function lifecycleWalk({ steps, maxLength, seed }: WalkPlan, options: LifecycleOptions): JourneySuite {
  const given = { ...lifecycleDefaults, ...options };
  const explored = exploredLifecycle(given);
  const walked = randomProductWalk(lifecycleProduct({ distinguishedDays: 0, ...given }), {
    steps,
    seed,
    weights: 'least-taken',
    maxLength: maxLength ?? given.maxLength,
  });
  const what = `Walk ${seed}`;
  const journeys = listJourneys(walked.tests, explored, { what, snoozeDays: given.snoozeDays });
  return { kind: 'journeys', title: `Nudge random walk ${seed}`, journeys, sizeProof: walkSizeProof(walked) };
}
