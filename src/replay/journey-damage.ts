import { NudgeLabError } from '../core/errors.ts';

/** The error for a line that is not as it was written. Takes its number in the file. */
export function damaged(number: number, reason: string): NudgeLabError {
  return new NudgeLabError('journey-damaged', {
    problems: [{ location: `line ${number}`, message: reason }],
  });
}
