import { listKnownDifferences, type ObservedDifference } from './difference/observed-differences.ts';
import { ApartnessLearner } from './learner/apartness-learner.ts';
import { BudgetEnded, type QueryBudget, type QueryCounts, QueryRunner } from './learner/query-runner.ts';
import { Reference } from './learner/reference.ts';
import { listDifferences } from './mealy/compare-machines.ts';
import {
  listAccessWords,
  type MealyMachine,
  minimizeMachine,
  runWord,
  type Word,
  withInputs,
} from './mealy/mealy-machine.ts';
import { SeparatingWords } from './mealy/separating-words.ts';
import { ConformanceTests, type TestingOptions } from './oracle/conformance-tests.ts';
import type { SystemUnderLearning } from './systems/system-under-learning.ts';

/** Output of transitions that were not observed before the budget ended. */
export const unknownOutput = 'unknown';

/** Default settings of `learn`. */
const learnDefaults = { depth: 1, randomTests: 200, seed: 1, resetCost: 1 } as const;

/** Settings of `learn`. */
export interface LearnOptions extends Partial<TestingOptions>, Omit<QueryBudget, 'onOutputs'> {
  /**
   * Machine that the system is expected to behave like. What agrees with it costs few queries. Inputs correspond by
   * name.
   */
  readonly reference?: MealyMachine | undefined;
  /** `true` to stop at the first output that differs from the reference. Default: `false`. */
  readonly stopsAtDifference?: boolean | undefined;
  /** Receives the number of queries and states after each query. */
  readonly onProgress?: ((progress: LearnProgress) => void) | undefined;
}

/** Progress of a learner. */
export interface LearnProgress {
  readonly queries: number;
  /** Number of states that are known to exist. */
  readonly states: number;
}

/** Why a learner stopped: all tests passed, the budget was used up, or an output differs from the reference. */
export type LearnEnd = 'tests-passed' | 'budget-ended' | 'difference-found';

/** Learned machine with its cost. */
export interface LearnResult {
  /** Smallest machine that agrees with all observations. If the budget ended, parts of it are guesses. */
  readonly machine: MealyMachine;
  readonly end: LearnEnd;
  /**
   * Shortest words that end with a difference from the reference, one for each differing transition, in order of length.
   * Each was sent to the system. Empty without a reference.
   */
  readonly differences: readonly ObservedDifference[];
  /** Number of machines that were tested. */
  readonly hypotheses: number;
  /** Queries to build hypotheses. */
  readonly learning: QueryCounts;
  /** Queries to test them. */
  readonly testing: QueryCounts;
  /** Number of queries that earlier ones answered. */
  readonly cached: number;
  /** Cost of all queries: inputs, and the cost of a reset for each query. */
  readonly cost: number;
}

/** Ends the learner at the first output that differs from the reference. */
class DifferenceFound extends Error {}

/**
 * Learns the behavior of a system as a Mealy machine, and tests the result against the system. The result is equal to
 * the system if the system has at most `depth` more states.
 *
 * @param system - the system; every query starts from its initial state
 * @param options - reference, tests and budget
 * @returns the machine, and what it cost
 * @throws NudgeLabError `system-not-deterministic`, and the errors of the system
 */
export async function learn(system: SystemUnderLearning, options: LearnOptions = {}): Promise<LearnResult> {
  const settings = { ...learnDefaults, ...withoutUndefined(options) };
  const { reference, stopsAtDifference, onProgress } = settings;
  const expected = reference === undefined ? null : withInputs(reference, system.inputs);
  const runner = new QueryRunner(system, {
    ...settings,
    onOutputs: (word, outputs) => {
      if (stopsAtDifference === true && expected !== null) refuseDifference(expected, word, outputs);
      onProgress?.({ queries: runner.queries, states: learner.states });
    },
  });
  const learner = new ApartnessLearner(
    runner,
    reference === undefined ? null : new Reference(reference, system.inputs),
  );
  const run = new LearnRun(runner, learner, settings);
  const end = await run.finish();
  const machine = minimizeMachine(run.hypothesis ?? learner.getKnownMachine(unknownOutput));
  const [learning, testing] = [runner.count('learning'), runner.count('testing')];
  return {
    machine,
    end,
    differences:
      expected === null ? [] : listKnownDifferences(runner.tree, expected, end === 'tests-passed' ? machine : null),
    hypotheses: run.hypotheses,
    learning,
    testing,
    cached: runner.cached,
    cost: learning.symbols + testing.symbols + settings.resetCost * runner.queries,
  };
}

function withoutUndefined(options: LearnOptions): LearnOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as LearnOptions;
}

class LearnRun {
  readonly #runner: QueryRunner;
  readonly #learner: ApartnessLearner;
  readonly #settings: LearnOptions & TestingOptions;
  readonly #tests: ConformanceTests;
  /** Latest machine that agrees with all observations; `null` while observations are missing. */
  hypothesis: MealyMachine | null = null;
  hypotheses = 0;

  constructor(runner: QueryRunner, learner: ApartnessLearner, settings: LearnOptions & TestingOptions) {
    this.#runner = runner;
    this.#learner = learner;
    this.#settings = settings;
    this.#tests = new ConformanceTests(settings);
  }

  async finish(): Promise<LearnEnd> {
    try {
      for (;;) {
        const hypothesis = await this.#learner.buildHypothesis();
        this.hypothesis = hypothesis;
        this.hypotheses += 1;
        const counterexample = await this.#findCounterexample(hypothesis);
        if (counterexample === null) return 'tests-passed';
        this.hypothesis = null;
        await this.#learner.processCounterexample(hypothesis, counterexample);
      }
    } catch (error) {
      if (error instanceof BudgetEnded) return 'budget-ended';
      if (error instanceof DifferenceFound) return 'difference-found';
      throw error;
    }
  }

  /** Runs the tests of a hypothesis. Returns the first word with other outputs; `null` if all tests pass. */
  async #findCounterexample(hypothesis: MealyMachine): Promise<Word | null> {
    const { reference } = this.#settings;
    const suspects = reference === undefined ? [] : listSuspects(hypothesis, reference);
    // A system that differs is most likely a small change of the reference, so the words of the reference test it well.
    for (const word of concatenate(suspects, this.#tests.list(hypothesis))) {
      const outputs = await this.#runner.ask(word, 'testing');
      const expected = runWord(hypothesis, word);
      const at = outputs.findIndex((output, place) => output !== expected[place]);
      if (at >= 0) return word.slice(0, at + 1);
    }
    return null;
  }
}

/**
 * Lists the words on which a hypothesis and the reference differ, which are the most likely faults of the hypothesis. If
 * there are any, words to each state of the reference follow, each with the words that separate its states.
 */
function listSuspects(hypothesis: MealyMachine, reference: MealyMachine): readonly Word[] {
  const expected = withInputs(reference, hypothesis.inputs);
  const differences = expected === null ? [] : listDifferences(hypothesis, expected).map(({ word }) => word);
  if (expected === null || differences.length === 0) return [];
  const words = new SeparatingWords(expected);
  const access = listAccessWords(expected);
  const ends = [...access.keys()].flatMap((state) => words.identify(state));
  const distinct = [...new Map(ends.map((word) => [word.join(), word])).values()];
  return [...differences, ...access.flatMap((way) => (way === null ? [] : distinct.map((end) => [...way, ...end])))];
}

function* concatenate<T>(one: Iterable<T>, other: Iterable<T>): Generator<T, void> {
  yield* one;
  yield* other;
}

/** Throws the first word whose last output differs from the expected machine. */
function refuseDifference(expected: MealyMachine, word: Word, outputs: readonly string[]): void {
  const wanted = runWord(expected, word);
  if (outputs.some((output, place) => output !== wanted[place])) throw new DifferenceFound();
}
