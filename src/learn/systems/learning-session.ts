import type { Step } from '../../contract/scenario.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { type Journey, toScenario } from '../../generate/journey.ts';
import type { Driver, DriverSession, ObservedNudgeStatus } from '../../scenario/driver.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { getStepKind, type LearningAlphabet, type LearningInput, type StepOutput } from './learning-alphabet.ts';

/** Errors of a driver that are not a behavior of the system. They end the learner. */
const endingErrors: ReadonlySet<string> = new Set(['server-unreachable', 'browser-missing', 'config-invalid']);

/** Scenario of an alphabet with the step of each input, in the order of the inputs. */
export interface AlphabetSteps {
  readonly scenario: Scenario;
  readonly steps: readonly Step[];
}

/** Returns the head of the scenarios of an alphabet. */
export function createHead({ ruleset, given }: LearningAlphabet, name: string): Omit<Journey, 'steps'> {
  return { name, covers: [], ...(ruleset === null ? {} : { ruleset }), given };
}

/**
 * Parses the steps of an alphabet.
 * @throws NudgeLabError `scenario-invalid` for a step that scenarios do not allow
 */
export function parseSteps(alphabet: LearningAlphabet): AlphabetSteps {
  const { inputs } = alphabet;
  const signIns = inputs.filter(({ step }) => getStepKind(step) === 'signIn');
  const steps = [...signIns, ...inputs].map(({ step }) => step);
  const scenario = toScenario({ ...createHead(alphabet, 'Learning'), steps });
  return { scenario, steps: scenario.steps.slice(signIns.length) };
}

/** Performs steps in a session and reads their outputs. */
export class LearningSession {
  readonly #session: DriverSession;
  readonly #alphabet: LearningAlphabet;
  readonly #steps: readonly Step[];

  /** Creates the reader of an open session. */
  constructor(session: DriverSession, alphabet: LearningAlphabet, steps: readonly Step[]) {
    this.#session = session;
    this.#alphabet = alphabet;
    this.#steps = steps;
  }

  /**
   * Opens a session of a driver.
   * @throws the errors of the driver
   */
  static async open(
    driver: Driver,
    alphabet: LearningAlphabet,
    { scenario, steps }: AlphabetSteps,
  ): Promise<LearningSession> {
    return new LearningSession(await driver.open(scenario), alphabet, steps);
  }

  /** Performs the step of an input. A step that fails has an output with the code of the error. */
  async perform(input: number): Promise<StepOutput> {
    const { observed, user } = this.#alphabet;
    try {
      const { page, outcome } = await this.#session.perform(this.#steps[input] as Step);
      const asksStatus = observed.some((key) => key !== 'outcome');
      const status = asksStatus ? await this.#observeStatus(user) : null;
      const values: StepOutput = {
        outcome,
        state: status?.state,
        snoozesLeft: status?.snoozesLeft,
        snoozes: status?.snoozes,
      };
      return { page, ...Object.fromEntries(observed.map((key) => [key, values[key]])) };
    } catch (error) {
      if (error instanceof NudgeLabError && endingErrors.has(error.code)) throw error;
      return { failed: error instanceof NudgeLabError ? error.code : 'error' };
    }
  }

  async close(): Promise<void> {
    await this.#session.close();
  }

  async #observeStatus(userId: string): Promise<ObservedNudgeStatus | null> {
    if (this.#session.observe === undefined) return this.#session.nudgeStatus(userId);
    const request = { signInId: null, userId, transitions: false, last: false };
    return (await this.#session.observe(request)).nudgeStatus;
  }
}

/** Returns the inputs of an alphabet that a driver can perform. */
export function listPossibleInputs(driver: Driver, { inputs }: LearningAlphabet): readonly LearningInput[] {
  return inputs.filter(({ step }) => (driver.can as ReadonlySet<string>).has(getStepKind(step)));
}
