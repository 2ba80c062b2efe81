import { NudgeLabError } from '../core/errors.ts';

/** Creates the error for a damaged line, by its number in the file. */
export function damaged(number: number, reason: string): NudgeLabError {
  return new NudgeLabError('journey-damaged', {
    problems: [{ location: `line ${number}`, message: reason }],
  });
}
