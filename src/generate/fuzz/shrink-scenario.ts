import type { Expectation, WrittenStep } from '../../contract/scenario.schema.ts';
import type { Driver } from '../../scenario/driver.ts';
import { ModelDriver } from '../../scenario/drivers/model.driver.ts';
import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { runScenario } from '../../scenario/run-scenario.ts';
import { type Journey, type ScenarioData, toScenario } from '../journey.ts';
import { ModelCallRecorder } from '../mutate/model-call-recorder.ts';
import { SandboxStateGraph } from '../mutate/sandbox-state-graph.ts';
import { compareJourney, type JourneyDifference } from './compare-journey.ts';
import { createModelFromJourney } from './model-from-journey.ts';
import {
  type Check,
  type ShrinkOptions,
  type Shrunk,
  shrinkJourney,
  waysFrom,
  withoutExpectations,
} from './shrink-journey.ts';

/** Failing scenario after shrinking. */
export interface ShrunkScenario extends Shrunk {
  /** Basis of the failure: the scenario's expectations on the model, or the model's results on the driver. */
  readonly against: 'expectation' | 'model';
  /** `true` if no shorter sequence of its own steps fails in the same way; otherwise only single steps were removed. */
  readonly isShortest: boolean;
}

/** Maximum number of states in which the failing step is tried. */
const statesMax = 5_000;

/**
 * Shrinks a failing scenario. If it fails on the model, every state that its own steps can reach is tried, nearest
 * first, so the result is the shortest. If another driver differs from the model, ranges of steps are removed as long
 * as it still differs. Returns `null` if nothing fails. The scenario must not have examples.
 */
export async function shrinkScenario(
  scenario: ScenarioData,
  driver: Driver,
  fixtures: FixtureLibrary,
  options: ShrinkOptions,
): Promise<ShrunkScenario | null> {
  const failing = await findFailure(scenario, fixtures);
  if (failing !== null) return shrinkExpectation(failing, fixtures, options);
  const check: Check = (journey) => compareJourney(journey, driver, fixtures);
  const difference = await check(withoutExpectations(scenario));
  if (difference === null || difference.step === 0) return null;
  return { ...(await shrinkJourney(difference, check, fixtures, options)), against: 'model', isShortest: false };
}

/** Finds the failure of a scenario on the model, cut off after the failing step; `null` if it passes. */
async function findFailure(scenario: ScenarioData, fixtures: FixtureLibrary): Promise<JourneyDifference | null> {
  const { status, steps, message = null } = await runScenario(toScenario(scenario, fixtures), new ModelDriver(), null);
  const at = steps.findIndex((step) => step.status === 'failed');
  const failed = steps[at];
  if (status !== 'failed' || failed === undefined) return null;
  const kept = { ...scenario, steps: scenario.steps.slice(0, at + 1) };
  return { scenario: kept, step: at + 1, kind: failed.kind, mismatches: failed.mismatches, message };
}

async function shrinkExpectation(
  failing: JourneyDifference,
  fixtures: FixtureLibrary,
  options: ShrinkOptions,
): Promise<ShrunkScenario> {
  const expect = (failing.scenario.steps.at(-1) as { readonly expect?: Expectation } | undefined)?.expect;
  const last = withoutExpectations(failing.scenario).steps.at(-1) as WrittenStep;
  /**
   * Checks a journey with the expectation of only the failing step, because other expectations may not apply on a
   * shorter path.
   */
  const check: Check = async (journey) => {
    const steps = [
      ...journey.steps.slice(0, -1),
      { ...(journey.steps.at(-1) as WrittenStep), ...(expect ? { expect } : {}) },
    ];
    const found = await findFailure({ ...journey, steps }, fixtures);
    return found?.step === steps.length && isSameFailure(found, failing) ? found : null;
  };
  const shortest = await nearest(withoutExpectations(failing.scenario), last, check, { ...options, fixtures });
  if (shortest !== null) return { ...shortest, isMinimal: true, isShortest: true, against: 'expectation' };
  return {
    ...(await shrinkJourney(failing, check, fixtures, { ...options, keepsLast: true })),
    against: 'expectation',
    isShortest: false,
  };
}

/**
 * Returns the failing step in the nearest state in which it fails; `null` if no model can be created or it grows too
 * large.
 */
async function nearest(
  journey: Journey,
  last: WrittenStep,
  check: Check,
  { canContinue, onTry, fixtures }: ShrinkOptions & { readonly fixtures: FixtureLibrary },
): Promise<Pick<Shrunk, 'difference' | 'tries'> | null> {
  const testModel = createModelFromJourney(journey, statesMax);
  if (testModel === null) return null;
  const graph = await SandboxStateGraph.of(testModel, new ModelCallRecorder(), fixtures);
  let tries = 0;
  for await (const [, way] of waysFrom(graph, testModel)) {
    if (!canContinue()) return null;
    tries += 1;
    onTry?.(tries, way.length + 1);
    if (way.length + 1 > journey.steps.length) return null;
    const difference = await attempted(check, { ...journey, steps: [...way, last] });
    if (difference !== null) return { difference, tries };
  }
  return null;
}

/**
 * Runs the check; an action in a tab that was never opened makes the scenario invalid and does not count as a failure.
 */
async function attempted(check: Check, journey: Journey): Promise<JourneyDifference | null> {
  return check(journey).catch(() => null);
}

/** Checks whether two failures are the same: the same step name with the same mismatches. */
function isSameFailure(one: JourneyDifference, other: JourneyDifference): boolean {
  const shown = ({ kind, mismatches }: JourneyDifference) =>
    JSON.stringify([kind, mismatches.map(({ key, actual }) => [key, actual])]);
  return shown(one) === shown(other);
}
