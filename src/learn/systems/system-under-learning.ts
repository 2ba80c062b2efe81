import type { Word } from '../mealy/mealy-machine.ts';

/** Output of an input that the system cannot take where it is. Such an input is not sent and changes nothing. */
export const notAvailable = 'not available';

/**
 * Decides from earlier outputs which inputs a system can take, such as a skip only on a prompt. A situation is a text
 * that summarizes the outputs so far.
 */
export interface Availability {
  readonly start: string;
  /** Returns the situation after an input and its output. */
  readonly after: (situation: string, input: number, output: string) => string;
  readonly allows: (situation: string, input: number) => boolean;
}

/** System whose behavior is learned by words of inputs, each from its initial state. */
export interface SystemUnderLearning {
  readonly name: string;
  /** Names of the inputs. Words contain their numbers. */
  readonly inputs: readonly string[];
  /** Inputs that are available depend on the outputs; without this, every input always is. */
  readonly availability?: Availability;
  /**
   * Resets the system, sends a word, and returns one output for each input. An input that is not available gives
   * `notAvailable` and is not sent.
   */
  run(word: Word): Promise<readonly string[]>;
}
