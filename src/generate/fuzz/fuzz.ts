import fc from 'fast-check';
import type { Driver } from '../../scenario/driver.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import type { Journey } from '../journey.ts';
import { worldUser } from '../mutate/test-model.ts';
import { fuzzModel } from '../mutate/test-models.ts';
import { compareJourney, type JourneyDifference } from './compare-journey.ts';
import { createModelWalk } from './model-walk.ts';
import { type Shrunk, shrinkJourney } from './shrink-journey.ts';

/** How a driver is walked. */
export interface FuzzOptions {
  readonly seed: number;
  /** The walk to begin with, as a failure names it; `null` begins with the first. */
  readonly path: string | null;
  readonly walks: number;
  readonly stepsMax: number;
  /** Journeys that shrinking may try. */
  readonly triesMax: number;
  readonly canContinue: () => boolean;
  readonly onProgress?: (line: string) => void;
}

/** What walks have found. */
export interface FuzzReport {
  /** Walks that agreed with the model. */
  readonly passed: number;
  readonly walks: number;
  /** Steps done in all of them. */
  readonly steps: number;
  /** Whether all walks were walked, or one differed. */
  readonly complete: boolean;
  /** `null` where nothing differed. */
  readonly failure: FuzzFailure | null;
  /** Why the driver cannot go on; `null` where it can. */
  readonly died: string | null;
}

export interface FuzzFailure {
  /** With the seed, the walk that differed. */
  readonly path: string;
  readonly steps: number;
  readonly shrunk: Shrunk;
}

/** What ends the walks early. */
type Ending =
  | { readonly kind: 'differs'; readonly difference: JourneyDifference; readonly steps: number }
  | { readonly kind: 'died'; readonly message: string };

/**
 * Walks a driver and the model side by side, seeded: each page, verdict, count and status is compared after each step. The walk
 * that differs first is shrunk. Takes the driver and how it is walked. A driver that dies ends the walks; those before it are
 * told all the same.
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
    const died = await deathOf(driver, fixtures);
    ending =
      died === null ? { kind: 'differs', difference, steps: journey.steps.length } : { kind: 'died', message: died };
    return false;
  });
  // Shrinking is done by the steps of the model, which any choice of fast-check would only be routed through.
  const replayed = path === null ? {} : { path };
  const { counterexamplePath } = await fc.check(property, { seed, numRuns: walks, endOnFailure: true, ...replayed });
  const found = ending as Ending | null;
  const told = { ...counted, walks };
  if (found === null) return { ...told, complete: canContinue(), failure: null, died: null };
  if (found.kind === 'died') return { ...told, complete: false, failure: null, died: found.message };
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
  return { ...told, complete: true, failure, died: null };
}

const choiceMax = 1_000_000;

/** The journey, with a sign-in where it has none: nothing else is seen by everyone. */
function seenJourney(journey: Journey): Journey {
  if (journey.steps.some((step) => 'signIn' in step)) return journey;
  return { ...journey, steps: [...journey.steps, { signIn: { user: worldUser } }] };
}

/** Why a driver does nothing any more: it cannot do the plainest of journeys. `null` where it can, so that what it did differs. */
async function deathOf(driver: Driver, fixtures: FixtureLibrary): Promise<string | null> {
  const plainest = await createModelWalk({ ...fuzzModel, signIns: [{}], others: [] }, 0, [0]);
  const difference = await compareJourney(plainest, driver, fixtures);
  if (difference === null) return null;
  const [mismatch] = difference.mismatches;
  // A page that differs even here is a fault of the system; a step that cannot be done, or nothing at all, is none.
  if (difference.step > 0 && mismatch?.key !== 'step') return null;
  return difference.message ?? mismatch?.message ?? 'It does nothing any more.';
}
