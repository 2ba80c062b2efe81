/** Reason for rejecting a file. */
export type RefusalReason = 'unreadable' | 'encrypted' | 'too-large' | 'not-kept' | 'package-missing';

/** Error for a rejected file inside the reading thread. Outside of it, it becomes a `NudgeLabError`. */
export class RejectedFile extends Error {
  readonly reason: RefusalReason;

  /** Creates an error from a reason and a message of one sentence. */
  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
