import type { Mismatch } from '../../contract/result.ts';
import type { Driver } from '../../scenario/driver.ts';
import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { runScenario } from '../../scenario/run-scenario.ts';
import { expectedScenario, type Journey, type ScenarioData, toScenario } from '../journey.ts';

/** Where a system differs from the model on a journey. */
export interface JourneyDifference {
  /** The journey up to the step that differs, with what the model leads to. */
  readonly scenario: ScenarioData;
  /** Place of that step, from 1, and its verb. */
  readonly step: number;
  readonly kind: string;
  readonly mismatches: readonly Mismatch[];
  /** What the driver said, where it could not even begin. */
  readonly message: string | null;
}

/**
 * Does a journey on a driver and holds each page, verdict, count and status against the model. Returns where they differ first,
 * `null` where they do not. Takes the journey, the driver and the fixtures that it names. Throws `journey-impossible` for a
 * step that cannot be done on the model.
 */
export async function compareJourney(
  journey: Journey,
  driver: Driver,
  fixtures: FixtureLibrary,
): Promise<JourneyDifference | null> {
  const scenario = await expectedScenario(journey, fixtures);
  const { status, steps, message = null } = await runScenario(toScenario(scenario, fixtures), driver, null);
  if (status !== 'failed') return null;
  const at = steps.findIndex((step) => step.status === 'failed');
  const failed = steps[at];
  if (failed === undefined) return { scenario, step: 0, kind: 'open', mismatches: [], message };
  return {
    scenario: { ...scenario, steps: scenario.steps.slice(0, at + 1) },
    step: at + 1,
    kind: failed.kind,
    mismatches: failed.mismatches,
    message,
  };
}
