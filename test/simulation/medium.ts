import { copyFileSync, existsSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalStore } from '../../src/journal/store.ts';
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

/**
 * Store in an SQLite file, which syncs automatically. A power cut leaves the file unchanged, or with a part of the
 * interrupted commit at the end of its write-ahead log.
 */
export class SqliteMedium implements Medium {
  readonly #folder: string;
  readonly #life: number;
  #store: SqliteStore | null = null;

  /** Uses an empty folder, which the caller has to remove. */
  constructor(folder: string, life = 0) {
    this.#folder = folder;
    this.#life = life;
  }

  async open(): Promise<JournalStore> {
    this.#store = SqliteStore.open(this.#path());
    return this.#store;
  }

  sync(): void {
    // SQLite syncs each commit itself.
  }

  breakDown(): void {
    // The underlying file system is a real one and has free space.
  }

  async powerCut({ kept, torn }: PowerCut): Promise<Medium> {
    const before = walBytes(this.#path());
    // Reading commits the queued entries. The process that would wait for them no longer exists.
    await this.#store?.entries('default', { after: 0, limit: 1 }).catch(() => undefined);
    const after = walBytes(this.#path());
    const next = new SqliteMedium(this.#folder, this.#life + 1);
    copyFileSync(this.#path(), next.#path());
    if (existsSync(`${this.#path()}-wal`)) {
      copyFileSync(`${this.#path()}-wal`, `${next.#path()}-wal`);
      // A restarted log is shorter than before, and then nothing is cut off.
      if (after > before) truncateSync(`${next.#path()}-wal`, torn ? before + (kept % (after - before)) : before);
    }
    await this.#store?.close();
    return next;
  }

  #path(): string {
    return join(this.#folder, `store-${this.#life}.sqlite`);
  }
}

function walBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
