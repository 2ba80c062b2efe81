import type { ScenarioGiven, Step, WrittenStep } from '../../contract/scenario.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { ModelDriver, type ModelSession } from '../../scenario/drivers/model.driver.ts';
import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { type Journey, toScenario } from '../journey.ts';
import { modelUser, stepsAt, type TestModel } from '../mutate/test-model.ts';

/** Maximum number of tries per step; at least one step, such as signing in, is always possible. */
const triesMax = 64;

/**
 * Creates a journey from a list of choices, where each choice selects one of the steps that are possible at that point
 * of the model. Any list of choices gives a valid journey, and removing a choice gives another one.
 */
export async function createModelWalk(
  testModel: TestModel,
  beginning: number,
  choices: readonly number[],
): Promise<Journey> {
  const given = testModel.given[beginning % testModel.given.length] as ScenarioGiven;
  let session = await opened(given);
  const steps: WrittenStep[] = [];
  for (const choice of choices) {
    const open = stepsAt(testModel, [session.situation(modelUser)]);
    for (let tried = 0; tried < Math.min(open.length, triesMax); tried += 1) {
      const step = open[(choice + tried) % open.length] as WrittenStep;
      const next = await attempted(session, parsed(given, steps, step));
      if (next === null) continue;
      steps.push(step);
      session = next;
      break;
    }
  }
  return { name: 'A walk', covers: [], tags: ['generated', 'walk'], given, steps };
}

/** Returns the journey without the steps that are impossible on the model at their position. */
export async function possibleJourney(journey: Journey, fixtures: FixtureLibrary): Promise<Journey> {
  const steps: WrittenStep[] = [];
  let session: ModelSession | null = null;
  for (const step of journey.steps) {
    const wanted = { ...journey, steps: [...steps, step] };
    let last: Step | undefined;
    try {
      const scenario = toScenario(wanted, fixtures);
      last = scenario.steps.at(-1);
      session ??= (await new ModelDriver().open(scenario)).fork();
    } catch (error) {
      // The removed step opened the tab that this action needs.
      if (error instanceof NudgeLabError) continue;
      throw error;
    }
    const next: ModelSession | null = last === undefined ? null : await attempted(session, last);
    if (next === null) continue;
    session = next;
    steps.push(step);
  }
  return { ...journey, steps };
}

async function opened(given: ScenarioGiven): Promise<ModelSession> {
  const step = { signIn: { user: modelUser } } as WrittenStep;
  return (await new ModelDriver().open(toScenario({ name: 'A walk', covers: [], given, steps: [step] }))).fork();
}

function parsed(given: ScenarioGiven, before: readonly WrittenStep[], step: WrittenStep): Step {
  const opening = before.filter((one) => 'signIn' in one);
  const { steps } = toScenario({ name: 'A walk', covers: [], given, steps: [...opening, step] });
  return steps.at(-1) as Step;
}

/** Returns the session after a step, or `null` if the step is impossible. The given session is not changed. */
async function attempted(session: ModelSession, step: Step): Promise<ModelSession | null> {
  const next = session.fork();
  try {
    await next.perform(step);
    return next;
  } catch (error) {
    if (error instanceof NudgeLabError || error instanceof RangeError) return null;
    throw error;
  }
}
