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

/** A failing scenario made short. */
export interface ShrunkScenario extends Shrunk {
  /** What it fails against: what the scenario expects of the model, or what the model says of the driver. */
  readonly against: 'expectation' | 'model';
  /** Whether nothing shorter made of its own steps fails in the same way; else only no step of it can be left out. */
  readonly isShortest: boolean;
}

/** States in which the failing step is tried before a search for the shortest journey gives up. */
const statesMax = 5_000;

/**
 * Makes a failing scenario as short as possible. Where it fails on the model, every situation that its own steps can lead to is
 * tried, the nearest first, so that what is found is the shortest. Where another driver differs from the model, stretches of
 * steps are left out as long as it still differs. Returns `null` when nothing fails. Takes the scenario without examples, the
 * driver, the fixtures that it names and what it may cost.
 */
export async function shrinkScenario(
  scenario: ScenarioData,
  driver: Driver,
  fixtures: FixtureLibrary,
  options: ShrinkOptions,
): Promise<ShrunkScenario | null> {
  const failing = await failureOf(scenario, fixtures);
  if (failing !== null) return shrinkExpectation(failing, fixtures, options);
  const check: Check = (journey) => compareJourney(journey, driver, fixtures);
  const difference = await check(withoutExpectations(scenario));
  if (difference === null || difference.step === 0) return null;
  return { ...(await shrinkJourney(difference, check, fixtures, options)), against: 'model', isShortest: false };
}

/** Where a scenario fails on the model, cut off after that step; `null` where it does not. */
async function failureOf(scenario: ScenarioData, fixtures: FixtureLibrary): Promise<JourneyDifference | null> {
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
  /** Only the failing step keeps what it expects: what others expect may hold no more on the shorter way. */
  const check: Check = async (journey) => {
    const steps = [
      ...journey.steps.slice(0, -1),
      { ...(journey.steps.at(-1) as WrittenStep), ...(expect ? { expect } : {}) },
    ];
    const found = await failureOf({ ...journey, steps }, fixtures);
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

/** The failing step from the nearest situation in which it fails; `null` where no world can be made or it grows too large. */
async function nearest(
  journey: Journey,
  last: WrittenStep,
  check: Check,
  { canContinue, onTry, fixtures }: ShrinkOptions & { readonly fixtures: FixtureLibrary },
): Promise<Pick<Shrunk, 'difference' | 'tries'> | null> {
  const world = createModelFromJourney(journey, statesMax);
  if (world === null) return null;
  const graph = await SandboxStateGraph.of(world, new ModelCallRecorder(), fixtures);
  let tries = 0;
  for await (const [, way] of waysFrom(graph, world)) {
    if (!canContinue()) return null;
    tries += 1;
    onTry?.(tries, way.length + 1);
    if (way.length + 1 > journey.steps.length) return null;
    const difference = await attempted(check, { ...journey, steps: [...way, last] });
    if (difference !== null) return { difference, tries };
  }
  return null;
}

/** A step that answers a tab which was never opened makes no scenario, and so no failure. */
async function attempted(check: Check, journey: Journey): Promise<JourneyDifference | null> {
  return check(journey).catch(() => null);
}

/** Whether two failures are the same seen twice: the same verb shows the same things, which are not as expected. */
function isSameFailure(one: JourneyDifference, other: JourneyDifference): boolean {
  const shown = ({ kind, mismatches }: JourneyDifference) =>
    JSON.stringify([kind, mismatches.map(({ key, actual }) => [key, actual])]);
  return shown(one) === shown(other);
}
