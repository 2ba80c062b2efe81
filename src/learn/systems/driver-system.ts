import type { ObservedKey } from '../../contract/alphabet.schema.ts';
import type { Driver } from '../../scenario/driver.ts';
import type { Word } from '../mealy/mealy-machine.ts';
import { createAvailability, formatOutput, getStepKind, type LearningAlphabet } from './learning-alphabet.ts';
import { type AlphabetSteps, LearningSession, listPossibleInputs, parseSteps } from './learning-session.ts';
import { type Availability, notAvailable, type SystemUnderLearning } from './system-under-learning.ts';

/** System behind a driver. Every word runs in a session of its own. */
export class DriverSystem implements SystemUnderLearning {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly availability: Availability;
  readonly #driver: Driver;
  readonly #alphabet: LearningAlphabet;
  readonly #steps: AlphabetSteps;

  /**
   * Creates the system. `adaptAlphabet` gives an alphabet that the driver supports.
   * @throws NudgeLabError `scenario-invalid` for a step that scenarios do not allow
   */
  constructor(driver: Driver, alphabet: LearningAlphabet) {
    this.#driver = driver;
    this.#alphabet = alphabet;
    this.#steps = parseSteps(alphabet);
    this.name = driver.name;
    this.inputs = alphabet.inputs.map(({ name }) => name);
    this.availability = createAvailability(alphabet);
  }

  /** Opens a session, performs the available steps of a word, and closes the session. */
  async run(word: Word): Promise<readonly string[]> {
    const session = await LearningSession.open(this.#driver, this.#alphabet, this.#steps);
    try {
      const outputs: string[] = [];
      let situation = this.availability.start;
      for (const input of word) {
        const isAvailable = this.availability.allows(situation, input);
        const output = isAvailable ? formatOutput(await session.perform(input)) : notAvailable;
        if (isAvailable) situation = this.availability.after(situation, input, output);
        outputs.push(output);
      }
      return outputs;
    } finally {
      await session.close();
    }
  }
}

/** Alphabet without what a driver cannot do, and what was left out. */
export interface AdaptedAlphabet {
  readonly alphabet: LearningAlphabet;
  /** Names of the inputs that the driver cannot perform. */
  readonly omittedInputs: readonly string[];
  /** Values that the driver does not show. */
  readonly omittedValues: readonly ObservedKey[];
}

/**
 * Removes the inputs that a driver cannot perform and the values that it does not show. The values are those of one
 * sign-in.
 *
 * @throws NudgeLabError `scenario-invalid`, and the errors of the driver
 */
export async function adaptAlphabet(driver: Driver, alphabet: LearningAlphabet): Promise<AdaptedAlphabet> {
  const inputs = listPossibleInputs(driver, alphabet);
  const signIn = inputs.findIndex(({ step }) => getStepKind(step) === 'signIn');
  const possible = { ...alphabet, inputs };
  const omittedInputs = alphabet.inputs.filter((input) => !inputs.includes(input)).map(({ name }) => name);
  if (signIn < 0) return { alphabet: possible, omittedInputs, omittedValues: [] };
  const session = await LearningSession.open(driver, possible, parseSteps(possible));
  try {
    const shown = await session.perform(signIn);
    const omittedValues = shown.failed === undefined ? alphabet.observed.filter((key) => shown[key] === undefined) : [];
    const observed = alphabet.observed.filter((key) => !omittedValues.includes(key));
    return { alphabet: { ...possible, observed }, omittedInputs, omittedValues };
  } finally {
    await session.close();
  }
}
