import { NudgeLabError } from '../core/errors.ts';
import { retryAfterDefaultSeconds } from '../core/limits.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';

/** What a server is at: it begins to listen, answers, or has been told to end. */
export type ServerPhase = 'starting' | 'serving' | 'draining';

/** Whether requests should be sent to a server: anyone who distributes them asks. */
export class Readiness {
  phase: ServerPhase = 'starting';
  readonly #sandboxes: Pick<Sandboxes, 'refuseFailedStore'>;

  /** Takes the sandboxes, whose store may fail. */
  constructor(sandboxes: Pick<Sandboxes, 'refuseFailedStore'>) {
    this.#sandboxes = sandboxes;
  }

  /** Resolves when the server is ready. Throws `server-not-ready` while it starts or ends, and once its store has failed. */
  async refuseUnready(): Promise<void> {
    if (this.phase === 'starting') throw notReady('The server is starting.');
    if (this.phase === 'draining') throw notReady('The server is ending.');
    try {
      await this.#sandboxes.refuseFailedStore();
    } catch (cause) {
      throw notReady('The store could not write.', cause);
    }
  }
}

function notReady(message: string, cause?: unknown): NudgeLabError {
  const headers = { 'Retry-After': String(retryAfterDefaultSeconds) };
  return new NudgeLabError('server-not-ready', { message, headers, cause });
}
