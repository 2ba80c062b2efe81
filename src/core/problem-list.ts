import { NudgeLabError, type ValidationProblem } from './errors.ts';

/**
 * Collects the problems of several independent parts, so an invalid part does not hide the problems of later parts.
 */
export class ProblemList {
  readonly #problems: ValidationProblem[] = [];

  /** Problems so far, in the order of the parts. */
  get problems(): readonly ValidationProblem[] {
    return this.#problems;
  }

  /**
   * Processes one part. Returns its value; `undefined` if it threw an error with problems, which are collected. Other
   * errors are rethrown.
   */
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
