/** Why a file is not taken. */
export type RefusalReason = 'unreadable' | 'encrypted' | 'too-large' | 'not-kept' | 'package-missing';

/** A file that is not taken, inside the thread that reads it; outside it becomes an error of the table. */
export class RejectedFile extends Error {
  readonly reason: RefusalReason;

  /** Takes the reason, and what happened in a sentence. */
  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
