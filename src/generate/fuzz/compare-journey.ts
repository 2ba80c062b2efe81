import type { Mismatch } from '../../contract/result.schema.ts';
import type { Driver } from '../../scenario/driver.ts';
import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { runScenario } from '../../scenario/run-scenario.ts';
import { expectedScenario, type Journey, type ScenarioData, toScenario } from '../journey.ts';

/** Difference between a system and the model on a journey. */
export interface JourneyDifference {
  /** Journey up to the step that differs, with the model's results as expectations. */
  readonly scenario: ScenarioData;
  /** Number of that step, from 1, and its name. */
  readonly step: number;
  readonly kind: string;
  readonly mismatches: readonly Mismatch[];
  /** Driver error if the journey could not start; otherwise `null`. */
  readonly message: string | null;
}

/**
 * Runs a journey on a driver and compares each page, verdict, count and status with the model. Returns the first
 * difference, or `null` if there is none. Throws `journey-impossible` for a step that the model cannot perform.
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
