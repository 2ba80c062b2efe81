import { NudgeLabError } from '../../src/core/errors.ts';

/** The expected failure that some work ends with. Throws when it ends well, or by something else. */
export function thrownBy(work: () => unknown): NudgeLabError {
  try {
    work();
  } catch (error) {
    if (error instanceof NudgeLabError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown.');
}
