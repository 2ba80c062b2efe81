import type { ScenarioGiven, Step, WrittenStep } from '../../contract/scenario.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { ModelDriver, type ModelSession } from '../../scenario/drivers/model.driver.ts';
import type { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { type Journey, toScenario } from '../journey.ts';
import { stepsAt, type TestModel, worldUser } from '../mutate/test-model.ts';

/** Steps that may be tried before one can be done; there is always one, such as signing in. */
const triesMax = 64;

/**
 * The journey of some choices: each takes one of the steps that can be done where the model then stands. Any list of choices is
 * a journey that can be done, and a choice taken out leaves one. Takes the world, the number of the beginning, and the choices.
 */
export async function createModelWalk(
  world: TestModel,
  beginning: number,
  choices: readonly number[],
): Promise<Journey> {
  const given = world.given[beginning % world.given.length] as ScenarioGiven;
  let session = await opened(given);
  const steps: WrittenStep[] = [];
  for (const choice of choices) {
    const open = stepsAt(world, [session.situation(worldUser)]);
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

/** The journey without the steps that cannot be done on the model where it then stands. */
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
      // An answer to a tab that no step opens any more.
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
  const step = { signIn: { user: worldUser } } as WrittenStep;
  return (await new ModelDriver().open(toScenario({ name: 'A walk', covers: [], given, steps: [step] }))).fork();
}

function parsed(given: ScenarioGiven, before: readonly WrittenStep[], step: WrittenStep): Step {
  const opening = before.filter((one) => 'signIn' in one);
  const { steps } = toScenario({ name: 'A walk', covers: [], given, steps: [...opening, step] });
  return steps.at(-1) as Step;
}

/** The session after a step, `null` where it cannot be done. The session before stays as it is. */
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
