import { NudgeLabError, type ValidationProblem } from './errors.ts';

/** What is wrong in several parts that do not need each other: one faulty part does not hide the faults of the next. */
export class ProblemList {
  readonly #problems: ValidationProblem[] = [];

  /** The problems so far, in the order of the parts. */
  get problems(): readonly ValidationProblem[] {
    return this.#problems;
  }

  /** Does one part. Returns its value, or `undefined` where it threw an error with problems. Throws any other error. */
  attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof NudgeLabError) || error.problems.length === 0) throw error;
      this.#problems.push(...error.problems);
      return undefined;
    }
  }
}
