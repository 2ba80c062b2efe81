import { NudgeLabError } from '../../core/errors.ts';
import type { JournalEntry } from '../journal-event.ts';

/** Creates the error for an unknown sandbox. */
export function sandboxNotFound(sandboxId: string): NudgeLabError {
  return new NudgeLabError('sandbox-not-found', {
    message: `Sandbox "${sandboxId}" does not exist in the journal store.`,
  });
}

/**
 * Creates the error for a journal at its limit.
 * @param entries - number of entries in the journal
 */
export function journalFull(sandboxId: string, entries: number): NudgeLabError {
  return new NudgeLabError('journal-full', {
    message: `The journal of sandbox ${sandboxId} has ${entries} entries, the maximum.`,
  });
}

/**
 * Rejects an out-of-order entry, a programming error that would make the journal unreadable.
 * @throws `RangeError` if the sequence number is not the next one
 */
export function checkSequence(sandboxId: string, lastSeq: number, { seq }: JournalEntry): void {
  if (seq === lastSeq + 1) return;
  throw new RangeError(`Entry ${seq} cannot follow entry ${lastSeq} of sandbox ${sandboxId}.`);
}
