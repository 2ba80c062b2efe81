import { NudgeLabError } from '../core/errors.ts';
import { retryAfterDefaultSeconds } from '../core/limits.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';

/** Phase of a server: starting, serving requests, or draining before it stops. */
export type ServerPhase = 'starting' | 'serving' | 'draining';

/** Tracks whether a server can receive requests. Load balancers query it. */
export class Readiness {
  phase: ServerPhase = 'starting';
  readonly #sandboxes: Pick<Sandboxes, 'refuseFailedStore'>;

  /** Creates the readiness state. `sandboxes` report failures of their store. */
  constructor(sandboxes: Pick<Sandboxes, 'refuseFailedStore'>) {
    this.#sandboxes = sandboxes;
  }

  /**
   * Resolves if the server is ready. Throws `server-not-ready` while it starts or stops, and after its store has
   * failed.
   */
  async refuseUnready(): Promise<void> {
    if (this.phase === 'starting') throw notReady('The server is starting.');
    if (this.phase === 'draining') throw notReady('The server is shutting down.');
    try {
      await this.#sandboxes.refuseFailedStore();
    } catch (cause) {
      throw notReady('The journal store cannot be written to.', cause);
    }
  }
}

function notReady(message: string, cause?: unknown): NudgeLabError {
  const headers = { 'Retry-After': String(retryAfterDefaultSeconds) };
  return new NudgeLabError('server-not-ready', { message, headers, cause });
}
