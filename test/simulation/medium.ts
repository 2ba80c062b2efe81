import { copyFileSync, existsSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalStore } from '../../src/journal/store.ts';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { DiskStore } from './disk.store.ts';
import { type PowerCut, SimulatedDisk } from './simulated-disk.ts';

/** What a process keeps its journals on, and what can happen to it. */
export interface Medium {
  /** Opens what is there, as a new process does. */
  open(): Promise<JournalStore>;
  sync(): void;
  breakDown(why: string): void;
  /** Cuts the power, and returns what the next process finds. */
  powerCut(cut: PowerCut): Promise<Medium>;
}

/** A simulated disk. Takes how many lines it loses at a sync though it says that all went well. */
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
 * The store in an SQLite file, which syncs by itself. A cut of power leaves the file as it is, or with a part of the commit
 * that was in progress at the end of its log.
 */
export class SqliteMedium implements Medium {
  readonly #folder: string;
  readonly #life: number;
  #store: SqliteStore | null = null;

  /** Takes an empty folder, which is the caller's to remove. */
  constructor(folder: string, life = 0) {
    this.#folder = folder;
    this.#life = life;
  }

  async open(): Promise<JournalStore> {
    this.#store = SqliteStore.open(this.#path());
    return this.#store;
  }

  sync(): void {
    // Its commits are synced as they are made.
  }

  breakDown(): void {
    // The file system under it is a real one and has room.
  }

  async powerCut({ kept, torn }: PowerCut): Promise<Medium> {
    const before = walBytes(this.#path());
    // Reading commits what is queued; anyone who waits for that is no more.
    await this.#store?.entries('default', { after: 0, limit: 1 }).catch(() => undefined);
    const after = walBytes(this.#path());
    const next = new SqliteMedium(this.#folder, this.#life + 1);
    copyFileSync(this.#path(), next.#path());
    if (existsSync(`${this.#path()}-wal`)) {
      copyFileSync(`${this.#path()}-wal`, `${next.#path()}-wal`);
      // A log that was begun again is shorter than before, and then nothing of it is taken away.
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
