import { type RandomSource, randomSource } from '../../core/random.ts';
import { getOutput, getStateAfter, listAccessWords, type MealyMachine, type Word } from '../mealy/mealy-machine.ts';
import { SeparatingWords } from '../mealy/separating-words.ts';
import { notAvailable } from '../systems/system-under-learning.ts';

/** Settings of the tests that look for a difference between a hypothesis and the system. */
export interface TestingOptions {
  /**
   * Number of additional states up to which the tests are complete: every system with at most this many states more than
   * the hypothesis that passes them is equal to it.
   */
  readonly depth: number;
  /** Number of random tests for each hypothesis. */
  readonly randomTests: number;
  readonly seed: number;
  /** Cost of a reset, in inputs. Random tests are longer if a reset costs more. */
  readonly resetCost: number;
}

/** Shortest mean length of the random part of a test. */
const meanMin = 3;
const meanMax = 40;
/** Maximum length of the random part of a test. */
const lengthMax = 400;

/**
 * Generates the tests of hypotheses: words to a state, then over its transitions, then words that identify the state
 * that the hypothesis expects there (Wp method), and random ones of the same form. The random numbers continue from one
 * hypothesis to the next, so a later one gets other random tests.
 */
export class ConformanceTests {
  readonly #options: TestingOptions;
  readonly #random: RandomSource;

  /** Creates the generator from a random seed. */
  constructor(options: TestingOptions) {
    this.#options = options;
    this.#random = randomSource(options.seed);
  }

  /** Generates the tests of a hypothesis: its transitions, then random words, then longer words. */
  *list(hypothesis: MealyMachine): Generator<Word, void> {
    const words = new SeparatingWords(hypothesis);
    const access = listAccessWords(hypothesis).map((word) => word ?? []);
    yield* listSystematic(hypothesis, { words, access, length: 1 });
    for (let test = 0; test < this.#options.randomTests; test += 1) yield this.#draw(hypothesis, words, access);
    for (let length = 2; length <= this.#options.depth + 1; length += 1) {
      yield* listSystematic(hypothesis, { words, access, length });
    }
  }

  #draw(hypothesis: MealyMachine, words: SeparatingWords, access: readonly Word[]): Word {
    const mean = Math.min(meanMax, Math.max(meanMin, this.#options.resetCost));
    const start = Math.floor(this.#random() * hypothesis.states);
    const middle: number[] = [];
    let state = start;
    while (middle.length < lengthMax && (middle.length === 0 || this.#random() >= 1 / mean)) {
      const inputs = listAvailable(hypothesis, state);
      if (inputs.length === 0) break;
      const input = inputs[Math.floor(this.#random() * inputs.length)] as number;
      middle.push(input);
      state = getStateAfter(hypothesis, [input], state);
    }
    const ends = words.identify(state);
    return [...(access[start] ?? []), ...middle, ...(ends[Math.floor(this.#random() * ends.length)] ?? [])];
  }
}

interface Systematic {
  readonly words: SeparatingWords;
  readonly access: readonly Word[];
  /** Number of inputs between the word to a state and the word that identifies the state after them. */
  readonly length: number;
}

function* listSystematic(hypothesis: MealyMachine, { words, access, length }: Systematic): Generator<Word, void> {
  for (let state = 0; state < hypothesis.states; state += 1) {
    for (const [middle, reached] of listMiddles(hypothesis, state, length)) {
      const ends = words.identify(reached);
      for (const end of ends.length === 0 ? [[]] : ends) yield [...(access[state] ?? []), ...middle, ...end];
    }
  }
}

function* listMiddles(
  hypothesis: MealyMachine,
  state: number,
  length: number,
): Generator<readonly [Word, number], void> {
  if (length === 0) {
    yield [[], state];
    return;
  }
  for (const input of listAvailable(hypothesis, state)) {
    for (const [rest, reached] of listMiddles(hypothesis, getStateAfter(hypothesis, [input], state), length - 1)) {
      yield [[input, ...rest], reached];
    }
  }
}

function listAvailable(hypothesis: MealyMachine, state: number): readonly number[] {
  return [...hypothesis.inputs.keys()].filter((input) => getOutput(hypothesis, state, input) !== notAvailable);
}
