import { copyFileSync, existsSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalStore } from '../../src/journal/store.ts';
import type { LogSync } from '../../src/journal/stores/log-sync.ts';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { DiskStore } from './disk.store.ts';
import { type PowerCut, SimulatedDisk } from './simulated-disk.ts';

/** Storage medium of the journals of a process, and its failures. */
export interface Medium {
  /** Opens the stored journals, as a new process does. */
  open(): Promise<JournalStore>;
  sync(): void;
  breakDown(why: string): void;
  /** Cuts the power and returns the medium that the next process finds. */
  powerCut(cut: PowerCut): Promise<Medium>;
}

/** Simulated disk. It may lose a given number of lines at each sync although it reports success. */
export class DiskMedium implements Medium {
  readonly #disk: SimulatedDisk;
  readonly #loses: number;

  constructor(disk = new SimulatedDisk(), loses = 0) {
    this.#disk = disk;
    this.#loses = loses;
  }

  open(): Promise<JournalStore> {
    return DiskStore.open(this.#disk);
  }

  sync(): void {
    this.#disk.sync(this.#loses);
  }

  breakDown(why: string): void {
    this.#disk.breakDown(why);
  }

  async powerCut(cut: PowerCut): Promise<Medium> {
    return new DiskMedium(this.#disk.powerCut(cut), this.#loses);
  }
}

/** Sync of a log that waits for the simulated disk. It syncs nothing, because no real power failure follows. */
class SimulatedSync implements LogSync {
  readonly isQuick = false;
  readonly #log: LogSync;
  readonly #synced: () => void;
  #waiting: PromiseWithResolvers<void> | null = null;
  #trouble: string | null = null;

  /** Replaces the sync of an open log. The function is called when all that was written has reached the disk. */
  constructor(log: LogSync, synced: () => void) {
    this.#log = log;
    this.#synced = synced;
  }

  sync(): Promise<void> {
    if (this.#trouble !== null) return Promise.reject(new Error(this.#trouble));
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }

  syncNow(): void {
    this.#synced();
  }

  /** Ends the sync in progress. */
  end(): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting === null) return;
    this.#synced();
    waiting.resolve();
  }

  /** Makes the sync in progress and all later ones fail. */
  breakDown(why: string): void {
    this.#trouble = why;
    this.#waiting?.reject(new Error(why));
    this.#waiting = null;
  }

  close(): void {
    this.#log.close();
  }
}

/**
 * Store in an SQLite file whose syncs wait for the simulation. A power cut leaves the file as it was after the latest
 * sync, or with a part of the unsynced commit at the end of its write-ahead log.
 */
export class SqliteMedium implements Medium {
  readonly #folder: string;
  readonly #life: number;
  #store: SqliteStore | null = null;
  #sync: SimulatedSync | null = null;
  /** The files at the latest sync: the size of the log, and the time of the latest change of the main file. */
  #synced = { walBytes: 0, changedMs: 0 };

  /** Uses an empty folder, which the caller has to remove. */
  constructor(folder: string, life = 0) {
    this.#folder = folder;
    this.#life = life;
  }

  async open(): Promise<JournalStore> {
    this.#store = SqliteStore.open(this.#path(), {
      wrapLog: (log) => {
        this.#sync = new SimulatedSync(log, () => {
          this.#synced = this.#measure();
        });
        return this.#sync;
      },
    });
    this.#synced = this.#measure();
    return this.#store;
  }

  sync(): void {
    this.#sync?.end();
  }

  breakDown(why: string): void {
    this.#sync?.breakDown(why);
  }

  async powerCut({ kept, torn }: PowerCut): Promise<Medium> {
    const before = this.#synced;
    const after = this.#measure();
    const next = new SqliteMedium(this.#folder, this.#life + 1);
    copyFileSync(this.#path(), next.#path());
    if (existsSync(`${this.#path()}-wal`)) {
      copyFileSync(`${this.#path()}-wal`, `${next.#path()}-wal`);
      // A checkpoint syncs the whole log before it changes the main file, and a reused log does not grow.
      const unsynced = after.changedMs === before.changedMs ? Math.max(0, after.walBytes - before.walBytes) : 0;
      if (unsynced > 0) truncateSync(`${next.#path()}-wal`, before.walBytes + (torn ? kept % unsynced : 0));
    }
    // The process that would wait for its syncs no longer exists.
    this.#sync?.breakDown('The power was cut.');
    await this.#store?.close().catch(() => undefined);
    return next;
  }

  #measure(): { readonly walBytes: number; readonly changedMs: number } {
    const log = statSync(`${this.#path()}-wal`, { throwIfNoEntry: false });
    return { walBytes: log?.size ?? 0, changedMs: statSync(this.#path()).mtimeMs };
  }

  #path(): string {
    return join(this.#folder, `store-${this.#life}.sqlite`);
  }
}
