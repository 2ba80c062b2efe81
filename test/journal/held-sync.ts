import type { LogSync } from '../../src/journal/stores/log-sync.ts';

/** Sync of a log that ends when a test says so. It syncs nothing, so it shows the file as a power failure finds it. */
export class HeldSync implements LogSync {
  readonly #log: LogSync;
  #pending: PromiseWithResolvers<void> | null = null;
  isQuick = false;
  /** Number of started syncs on a thread, and of those in the calling thread. */
  begun = 0;
  begunNow = 0;

  /** Replaces the sync of an open log. */
  constructor(log: LogSync) {
    this.#log = log;
  }

  sync(): Promise<void> {
    this.begun += 1;
    this.#pending = Promise.withResolvers();
    return this.#pending.promise;
  }

  syncNow(): void {
    this.begunNow += 1;
  }

  /** Ends the current sync, with success or with an error. Returns `false` if there is none. */
  end(error?: Error): boolean {
    const pending = this.#pending;
    this.#pending = null;
    if (error === undefined) pending?.resolve();
    else pending?.reject(error);
    return pending !== null;
  }

  close(): void {
    this.#log.close();
  }
}
