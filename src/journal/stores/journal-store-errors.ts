import { NudgeLabError } from '../../core/errors.ts';
import type { JournalEntry } from '../journal-event.ts';

/** The error for a sandbox that a store does not hold. */
export function sandboxNotFound(sandboxId: string): NudgeLabError {
  return new NudgeLabError('sandbox-not-found', { message: `The store holds no sandbox "${sandboxId}".` });
}

/** The error for a journal at its limit. Takes how many entries it holds. */
export function journalFull(sandboxId: string, entries: number): NudgeLabError {
  return new NudgeLabError('journal-full', {
    message: `The journal of sandbox ${sandboxId} holds ${entries} entries, as many as it may.`,
  });
}

/** Refuses an entry out of order: a fault of the caller that would make the journal unreadable. Throws `RangeError`. */
export function checkSequence(sandboxId: string, lastSeq: number, { seq }: JournalEntry): void {
  if (seq === lastSeq + 1) return;
  throw new RangeError(`Entry ${seq} cannot follow entry ${lastSeq} of sandbox ${sandboxId}.`);
}
