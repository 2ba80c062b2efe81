import { snoozeDaysMax, snoozeLimit } from '../../../machines/campaign-limits.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { createStateKey } from '../../generate/mutate/test-model.ts';
import { ModelDriver, type ModelSession } from '../../scenario/drivers/model.driver.ts';
import { exploreMachine } from '../mealy/explore-machine.ts';
import { type MealyMachine, minimizeMachine } from '../mealy/mealy-machine.ts';
import { createAvailability, formatOutput, type LearningAlphabet } from './learning-alphabet.ts';
import { LearningSession, parseSteps } from './learning-session.ts';
import { notAvailable } from './system-under-learning.ts';

/** Default maximum number of states of a specification before minimization; each keeps a whole sandbox. */
const statesMaxDefault = 2_000;

interface Explored {
  readonly session: ModelSession;
  readonly situation: string;
}

/**
 * Returns the machine that the specification prescribes for an alphabet: every reachable state of the model, with one
 * execution of every available input, minimized.
 *
 * @throws NudgeLabError `state-space-too-large` if the alphabet has too many states, and `scenario-invalid`
 */
export async function exploreSpecification(
  alphabet: LearningAlphabet,
  statesMax = statesMaxDefault,
): Promise<MealyMachine> {
  const { scenario, steps } = parseSteps(alphabet);
  const availability = createAvailability(alphabet);
  const days = listSnoozeDays(alphabet);
  const counts = alphabet.observed.includes('snoozes');
  const toKey = ({ session, situation }: Explored): string => {
    const found = session.situation(alphabet.user);
    const { lifecycle } = found;
    // A count above the limit makes no difference unless it is observed.
    const count = counts ? lifecycle.count : Math.min(lifecycle.count, snoozeLimit);
    return `${situation} ${createStateKey({ days }, { ...found, lifecycle: { ...lifecycle, count } })}`;
  };
  const opened = await new ModelDriver().open(scenario);
  const machine = await exploreMachine<Explored>(
    alphabet.inputs.map(({ name }) => name),
    {
      first: { session: opened.fork(), situation: availability.start },
      toKey,
      step: async (state, input) => {
        if (!availability.allows(state.situation, input)) return [state, notAvailable];
        const session = state.session.fork();
        const output = formatOutput(await new LearningSession(session, alphabet, steps).perform(input));
        return [{ session, situation: availability.after(state.situation, input, output) }, output];
      },
    },
    statesMax,
  );
  if (machine !== null) return minimizeMachine(machine);
  throw new NudgeLabError('state-space-too-large', {
    message: `The learning alphabet leads to more than ${statesMax} states. Remove inputs, or do not observe snoozes.`,
  });
}

/** Lists the snooze durations in days that can be in effect. */
function listSnoozeDays({ given, inputs }: LearningAlphabet): readonly number[] {
  const texts = JSON.stringify([given, inputs.map(({ step }) => step)]).matchAll(/"snoozeDurationInDays":(\d+)/g);
  const days = [...texts].map(([, value]) => Number(value));
  return days.length === 0 ? [snoozeDaysMax] : days;
}
