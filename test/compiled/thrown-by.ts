import { NudgeLabError } from '../../src/core/errors.ts';

/** Returns the `NudgeLabError` that a function throws. Throws if the function succeeds or throws another error. */
export function thrownBy(work: () => unknown): NudgeLabError {
  try {
    work();
  } catch (error) {
    if (error instanceof NudgeLabError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}
