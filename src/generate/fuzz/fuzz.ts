import fc from 'fast-check';
import type { Driver } from '../../scenario/driver.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import type { Journey } from '../journey.ts';
import { modelUser } from '../mutate/test-model.ts';
import { fuzzModel } from '../mutate/test-models.ts';
import { compareJourney, type JourneyDifference } from './compare-journey.ts';
import { createModelWalk } from './model-walk.ts';
import { type Shrunk, shrinkJourney } from './shrink-journey.ts';

/** Options of the fuzz test of a driver. */
export interface FuzzOptions {
  readonly seed: number;
  /** Random walk to start with, as named in a failure; `null` if the test starts with the first one. */
  readonly path: string | null;
  readonly walks: number;
  readonly stepsMax: number;
  /** Maximum number of journeys tried while shrinking. */
  readonly triesMax: number;
  readonly canContinue: () => boolean;
  readonly onProgress?: (line: string) => void;
}

/** Result of a fuzz test. */
export interface FuzzReport {
  /** Number of random walks that matched the model. */
  readonly passed: number;
  readonly walks: number;
  /** Number of steps in all random walks. */
  readonly steps: number;
  /** `true` if all random walks ran or one of them differed. */
  readonly complete: boolean;
  /** First failure; `null` if nothing differed. */
  readonly failure: FuzzFailure | null;
  /** Error that keeps the driver from continuing; `null` if it still works. */
  readonly died: string | null;
}

export interface FuzzFailure {
  /** Path that, with the random seed, identifies the random walk that differed. */
  readonly path: string;
  readonly steps: number;
  readonly shrunk: Shrunk;
}

/** Reason that ends the random walks early. */
type Ending =
  | { readonly kind: 'differs'; readonly difference: JourneyDifference; readonly steps: number }
  | { readonly kind: 'died'; readonly message: string };

/**
 * Runs random walks on a driver and the model in parallel from a random seed. After each step it compares each page,
 * verdict, count and status, and it shrinks the first walk that differs. If the driver stops working, the test ends and
 * the report still includes the earlier walks.
 */
export async function fuzz(driver: Driver, options: FuzzOptions): Promise<FuzzReport> {
  const fixtures = new FixtureLibrary([]);
  const { seed, path, walks, stepsMax, canContinue, onProgress } = options;
  const counted = { passed: 0, steps: 0 };
  let ending: Ending | null = null;
  const walk = fc.record({
    beginning: fc.nat(fuzzModel.given.length - 1),
    choices: fc.array(fc.nat(choiceMax), { minLength: 1, maxLength: stepsMax, size: 'max' }),
  });
  const property = fc.asyncProperty(walk, async ({ beginning, choices }) => {
    if (!canContinue()) return true;
    const journey = seenJourney(await createModelWalk(fuzzModel, beginning, choices));
    const difference = await compareJourney(journey, driver, fixtures);
    counted.steps += difference?.step ?? journey.steps.length;
    if (difference === null) {
      counted.passed += 1;
      onProgress?.(`${counted.passed}/${walks} walks agree`);
      return true;
    }
    const died = await findDeath(driver, fixtures);
    ending =
      died === null ? { kind: 'differs', difference, steps: journey.steps.length } : { kind: 'died', message: died };
    return false;
  });
  // Shrinking uses the model's steps; the shrinker of fast-check would only add an indirection.
  const replayed = path === null ? {} : { path };
  const { counterexamplePath } = await fc.check(property, { seed, numRuns: walks, endOnFailure: true, ...replayed });
  const found = ending as Ending | null;
  const summary = { ...counted, walks };
  if (found === null) return { ...summary, complete: canContinue(), failure: null, died: null };
  if (found.kind === 'died') return { ...summary, complete: false, failure: null, died: found.message };
  const shrunk = await shrinkJourney(
    found.difference,
    (journey) => compareJourney(journey, driver, fixtures),
    fixtures,
    {
      triesMax: options.triesMax,
      canContinue,
      onTry: (tries, steps) => onProgress?.(`shrinking: ${steps} steps left after ${tries} tries`),
    },
  );
  const failure = { path: counterexamplePath ?? '0', steps: found.steps, shrunk };
  return { ...summary, complete: true, failure, died: null };
}

const choiceMax = 1_000_000;

/** Returns the journey, with a sign-in added if it has none, because only a sign-in has a result on every driver. */
function seenJourney(journey: Journey): Journey {
  if (journey.steps.some((step) => 'signIn' in step)) return journey;
  return { ...journey, steps: [...journey.steps, { signIn: { user: modelUser } }] };
}

/**
 * Returns why a driver no longer works: it fails even the simplest journey. `null` if it still works and the difference
 * is real.
 */
async function findDeath(driver: Driver, fixtures: FixtureLibrary): Promise<string | null> {
  const plainest = await createModelWalk({ ...fuzzModel, signIns: [{}], others: [] }, 0, [0]);
  const difference = await compareJourney(plainest, driver, fixtures);
  if (difference === null) return null;
  const [mismatch] = difference.mismatches;
  // A page that differs here is a fault of the system. An impossible step or a missing result is not.
  if (difference.step > 0 && mismatch?.key !== 'step') return null;
  return difference.message ?? mismatch?.message ?? 'The failure no longer occurs.';
}
