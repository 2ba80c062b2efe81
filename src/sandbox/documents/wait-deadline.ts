import { afterDelay } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { retryAfterDefaultSeconds } from '../../core/limits.ts';

/** Time limit for a wait. */
export class WaitDeadline {
  /** Promise that never resolves, and rejects with `server-busy` after the time limit. */
  readonly passed: Promise<never>;
  /** Cancels the time limit. */
  readonly cancel: () => void;

  /** Starts a time limit in milliseconds of real time. */
  constructor(waitMs: number) {
    const { promise, reject } = Promise.withResolvers<never>();
    this.passed = promise;
    // The rejection is unobserved if no wait was necessary.
    promise.catch(() => undefined);
    this.cancel = afterDelay(waitMs, () => reject(stillMaking()));
  }
}

function stillMaking(): NudgeLabError {
  return new NudgeLabError('server-busy', {
    message: 'The document index is still being built.',
    headers: { 'Retry-After': String(retryAfterDefaultSeconds) },
  });
}
