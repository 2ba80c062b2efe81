import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { stopwatch } from '../../core/clock.ts';

/**
 * Maximum duration in milliseconds of a quick sync. Handing a sync to a thread costs 0.07 ms, which a single client would
 * wait for, and the event loop is not held up for longer than this.
 */
const quickMsMax = 1;

/** Sync of a write-ahead log to disk. One sync runs at a time. */
export interface LogSync {
  /** `true` if the latest sync was so quick that a thread would only delay a single client. */
  readonly isQuick: boolean;
  /** Syncs on a thread while the event loop continues. Rejects with the error of the system. */
  sync(): Promise<void>;
  /** Syncs before it returns. Throws the error of the system. */
  syncNow(): void;
  /** Releases the file. No sync may be in progress. */
  close(): void;
}

/**
 * Sync of a log file that SQLite writes. SQLite writes the frames of a commit and leaves their sync to this object,
 * except for the header of the log and for checkpoints. The length of a log that is reused stays the same, so only data
 * is synced.
 */
export class LogFileSync implements LogSync {
  readonly #file: number;
  #latestMs = Number.POSITIVE_INFINITY;

  /** Opens the log of a store. Throws the error of the system. */
  constructor(path: string) {
    // Windows syncs only files that are open for writing.
    this.#file = openSync(path, 'r+');
  }

  get isQuick(): boolean {
    return this.#latestMs < quickMsMax;
  }

  sync(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const tookMs = stopwatch();
    fdatasync(this.#file, (error) => {
      this.#latestMs = tookMs();
      if (error === null) resolve();
      else reject(error);
    });
    return promise;
  }

  syncNow(): void {
    const tookMs = stopwatch();
    fdatasyncSync(this.#file);
    this.#latestMs = tookMs();
  }

  close(): void {
    closeSync(this.#file);
  }
}
