import { afterDelay } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { retryAfterDefaultSeconds } from '../../core/limits.ts';

/** What ends a wait that takes too long. */
export class WaitDeadline {
  /** Never resolves; rejects with `server-busy` once the time has passed. */
  readonly passed: Promise<never>;
  /** Ends the wait. */
  readonly cancel: () => void;

  /** Begins to wait. Takes for how long, in ms of real time. */
  constructor(waitMs: number) {
    const { promise, reject } = Promise.withResolvers<never>();
    this.passed = promise;
    // No one listens where nothing had to be made.
    promise.catch(() => undefined);
    this.cancel = afterDelay(waitMs, () => reject(stillMaking()));
  }
}

function stillMaking(): NudgeLabError {
  return new NudgeLabError('server-busy', {
    message: 'The index of the documents is still being made.',
    headers: { 'Retry-After': String(retryAfterDefaultSeconds) },
  });
}
