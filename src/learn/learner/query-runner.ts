import { NudgeLabError } from '../../core/errors.ts';
import type { Word } from '../mealy/mealy-machine.ts';
import type { SystemUnderLearning } from '../systems/system-under-learning.ts';
import { ObservationTree } from './observation-tree.ts';

/** Reason for a query: to build a hypothesis, or to test one. */
export type QueryPurpose = 'learning' | 'testing';

/** Number of words that were sent to a system, and of the inputs in them. Every word starts with a reset. */
export interface QueryCounts {
  readonly queries: number;
  readonly symbols: number;
}

/** Limits for the queries of a learner. */
export interface QueryBudget {
  /** Maximum number of words that are sent. Default: no limit. */
  readonly queriesMax?: number | undefined;
  /** Returns `false` when the time is over. */
  readonly canContinue?: (() => boolean) | undefined;
  /** Receives every word that was sent, with its outputs. */
  readonly onOutputs?: ((word: Word, outputs: readonly string[]) => void) | undefined;
}

/** Ends the learner when its budget is used up. It never leaves this module's callers. */
export class BudgetEnded extends Error {}

/**
 * Sends words to a system and stores all outputs. A word whose outputs follow from earlier ones is not sent again. Every
 * output is compared with the earlier output of the same word.
 */
export class QueryRunner {
  readonly system: SystemUnderLearning;
  readonly tree: ObservationTree;
  readonly #budget: QueryBudget;
  readonly #counts = { learning: { queries: 0, symbols: 0 }, testing: { queries: 0, symbols: 0 } };
  #cached = 0;

  /** Creates a runner without observations. */
  constructor(system: SystemUnderLearning, budget: QueryBudget = {}) {
    this.system = system;
    this.#budget = budget;
    this.tree = new ObservationTree(system.inputs.length, system.availability ?? null);
  }

  /** Number of words whose outputs were already known. */
  get cached(): number {
    return this.#cached;
  }

  /** Number of all words that were sent. */
  get queries(): number {
    return this.#counts.learning.queries + this.#counts.testing.queries;
  }

  /** Returns the number of words that were sent for a purpose. */
  count(purpose: QueryPurpose): QueryCounts {
    return { ...this.#counts[purpose] };
  }

  /**
   * Returns the outputs of a word.
   * @throws NudgeLabError `system-not-deterministic` with the shortest contradictory prefix and both outputs
   * @throws BudgetEnded if another word would exceed the budget
   */
  async ask(word: Word, purpose: QueryPurpose): Promise<readonly string[]> {
    const known = this.tree.read(word);
    if (known !== null) {
      this.#cached += 1;
      return known;
    }
    const { queriesMax = Number.POSITIVE_INFINITY, canContinue } = this.#budget;
    if (this.queries >= queriesMax || canContinue?.() === false) throw new BudgetEnded();
    const sent = this.tree.withoutUnavailable(word);
    const outputs = await this.system.run(sent);
    const counts = this.#counts[purpose];
    counts.queries += 1;
    counts.symbols += sent.length;
    const conflict = this.tree.record(sent, outputs);
    if (conflict !== null) throw this.#notDeterministic(conflict.word, conflict.before, conflict.now);
    this.#budget.onOutputs?.(sent, outputs);
    return this.tree.read(word) as readonly string[];
  }

  #notDeterministic(word: Word, before: string, now: string): NudgeLabError {
    const names = word.map((input) => this.system.inputs[input]).join(', ');
    return new NudgeLabError('system-not-deterministic', {
      problems: [
        {
          location: `${this.system.name}, from the initial state: ${names}`,
          message: `the last input showed ${before} before and ${now} now`,
        },
      ],
    });
  }
}
