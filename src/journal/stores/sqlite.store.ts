import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { NudgeLabError } from '../../core/errors.ts';
import { journalEntriesMax } from '../../core/limits.ts';
import type { JournalEntry, JournalEvent } from '../journal-event.ts';
import type { EntryQuery, JournalStore, SnapshotPlace, StoredSnapshot, StoreValues } from '../store.ts';
import { GroupCommit } from './group-commit.ts';
import { checkSequence, journalFull, sandboxNotFound } from './journal-store-errors.ts';
import type { LogSync } from './log-sync.ts';
import { corrupt } from './sqlite-errors.ts';
import { type HeldFile, holdFile } from './sqlite-file.ts';
import { basePlace, keptSeal, lastPlace, sandboxSeal } from './sqlite-schema.ts';
import { SqliteSnapshots } from './sqlite-snapshots.ts';
import { SqliteValues } from './sqlite-values.ts';

/** Cached data of a sandbox while the file is open: number, last sequence number, and running checksum. */
interface OpenSandbox {
  readonly number: number;
  lastSeq: number;
  chain: number;
}

/** Row of the entry table, as an array. */
type EntryRow = readonly [place: number, atMs: number, type: string, body: string];

/** Options of a store in a file. */
export interface SqliteOptions {
  /** Limit of the entries of one journal. */
  readonly entriesMax?: number;
  /** Replaces the sync of the log, for simulations of disks and power failures. */
  readonly wrapLog?: (log: LogSync) => LogSync;
}

/** Upper limit of rows in any query, because SQLite does not accept infinity. */
const rowsMax = 2 ** 31;

/**
 * Journal store in a SQLite file that this process locks exclusively. Every commit of the write-ahead log is synced
 * before it is acknowledged, on a thread, so an acknowledged entry is on disk. Commits are grouped by event loop turn.
 */
export class SqliteStore implements JournalStore {
  readonly durable = true;
  readonly filesFolder: string;
  readonly values: StoreValues;
  readonly #file: HeldFile;
  readonly #commits: GroupCommit;
  readonly #snapshots: SqliteSnapshots;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #sandboxes: Map<string, OpenSandbox>;
  readonly #entriesMax: number;
  #closed = false;

  /**
   * Opens the store in a file, or creates it. Throws `store-unrecognized`, `store-version`, `store-corrupt`,
   * `store-locked` and `file-unreadable` without changing the file.
   */
  static open(path: string, { entriesMax = journalEntriesMax, wrapLog }: SqliteOptions = {}): SqliteStore {
    const file = holdFile(path);
    return new SqliteStore(wrapLog === undefined ? file : { ...file, log: wrapLog(file.log) }, entriesMax);
  }

  private constructor(file: HeldFile, entriesMax: number) {
    this.#file = file;
    this.filesFolder = `${file.path}-documents`;
    this.#entriesMax = entriesMax;
    this.#commits = new GroupCommit(file);
    this.#snapshots = new SqliteSnapshots(file, this.#commits);
    this.values = new SqliteValues(file, this.#commits);
    this.#statements = prepare(file.db);
    this.#sandboxes = this.#heldSandboxes();
  }

  admit(sandboxId: string): void {
    this.#commits.refuseFailed();
    const { lastSeq } = this.#of(sandboxId);
    if (lastSeq >= this.#entriesMax) throw journalFull(sandboxId, lastSeq);
  }

  append(sandboxId: string, entry: JournalEntry): void {
    this.#commits.refuseFailed();
    if (entry.seq === 1 && !this.#sandboxes.has(sandboxId)) void this.#begin(sandboxId);
    this.admit(sandboxId);
    const record = this.#of(sandboxId);
    checkSequence(sandboxId, record.lastSeq, entry);
    const { type, ...rest } = entry.event;
    const body = JSON.stringify(rest);
    record.lastSeq = entry.seq;
    record.chain = crc32(`${entry.atMs}${type}${body}`, record.chain);
    const { chain } = record;
    const place = basePlace(record.number) + entry.seq;
    void this.#commits.add(() => this.#statements.insertEntry.run(place, entry.atMs, type, body, chain));
  }

  flushed(): Promise<void> | null {
    return this.#commits.flushed();
  }

  entries(sandboxId: string, query: EntryQuery): Promise<readonly JournalEntry[]> {
    return this.#commits.read(() => this.#readEntries(sandboxId, query));
  }

  #readEntries(sandboxId: string, { after, limit, type }: EntryQuery): readonly JournalEntry[] {
    const record = this.#sandboxes.get(sandboxId);
    if (record === undefined) return [];
    const base = basePlace(record.number);
    const { entries, entriesOfType, restores } = this.#statements;
    const range = [base + after, lastPlace(record.number)] as const;
    const rowsAtMost = Math.min(limit, rowsMax);
    const rows =
      type === undefined
        ? entries.all(...range, rowsAtMost)
        : type === 'state.restored'
          ? restores.all(...range, rowsAtMost)
          : entriesOfType.all(...range, type, rowsAtMost);
    return (rows as unknown as readonly EntryRow[]).map((row) => toEntry(row, base));
  }

  async lastSeq(sandboxId: string): Promise<number> {
    return this.#sandboxes.get(sandboxId)?.lastSeq ?? 0;
  }

  async sandboxIds(): Promise<readonly string[]> {
    return [...this.#sandboxes.keys()];
  }

  async fork(sandboxId: string, forkId: string, lastSeq: number): Promise<void> {
    await this.#commits.settle();
    const origin = this.#of(sandboxId);
    const first = basePlace(origin.number);
    const chain = this.#statements.chainAt.get(first + lastSeq)?.['chain'];
    if (typeof chain !== 'number') throw new RangeError(`Sandbox ${sandboxId} has no entry ${lastSeq}.`);
    const begun = this.#begin(forkId);
    const fork = this.#of(forkId);
    fork.lastSeq = lastSeq;
    fork.chain = chain;
    const offset = basePlace(fork.number) - first;
    void this.#commits.add(() => this.#statements.copyEntries.run(offset, first, first + lastSeq));
    void this.#snapshots.copy(origin.number, fork.number, lastSeq);
    await begun;
  }

  async remove(sandboxId: string): Promise<void> {
    const record = this.#sandboxes.get(sandboxId);
    if (record === undefined) return;
    this.#sandboxes.delete(sandboxId);
    const { number } = record;
    const { deleteEntries, deleteKept, deleteSandbox } = this.#statements;
    void this.#snapshots.remove(number);
    await this.#commits.add(
      () => deleteEntries.run(basePlace(number), lastPlace(number)),
      () => deleteKept.run(number),
      () => deleteSandbox.run(number),
    );
  }

  async snapshot(sandboxId: string, name: string): Promise<StoredSnapshot | null> {
    const record = this.#sandboxes.get(sandboxId);
    return record === undefined ? null : this.#snapshots.read(record.number, name);
  }

  async snapshots(sandboxId: string): Promise<readonly SnapshotPlace[]> {
    const record = this.#sandboxes.get(sandboxId);
    return record === undefined ? [] : this.#snapshots.places(record.number);
  }

  async saveSnapshot(sandboxId: string, snapshot: StoredSnapshot): Promise<void> {
    const record = this.#of(sandboxId);
    await this.#snapshots.save(record.number, snapshot, () => this.#sandboxes.get(sandboxId) === record);
  }

  async keep(sandboxId: string, name: string, value: string): Promise<void> {
    const { number } = this.#of(sandboxId);
    const sum = crc32(keptSeal(name, value));
    await this.#commits.add(() => this.#statements.keep.run(number, name, value, sum));
  }

  kept(sandboxId: string, name: string): Promise<string | null> {
    return this.#commits.read(() => {
      const record = this.#sandboxes.get(sandboxId);
      const row = record === undefined ? undefined : this.#statements.kept.get(record.number, name);
      if (row === undefined) return null;
      return this.#whole(sandboxId, { ...row, name });
    });
  }

  keptUnder(sandboxId: string, beginning: string): Promise<ReadonlyMap<string, string>> {
    return this.#commits.read(() => {
      const record = this.#sandboxes.get(sandboxId);
      const rows =
        record === undefined ? [] : this.#statements.keptUnder.all(record.number, beginning, `${beginning}\u{10ffff}`);
      return new Map(rows.map((row) => [String(row['name']), this.#whole(sandboxId, row)]));
    });
  }

  async discard(sandboxId: string, name: string): Promise<void> {
    const record = this.#sandboxes.get(sandboxId);
    if (record === undefined) return;
    await this.#commits.add(() => this.#statements.discard.run(record.number, name));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      await this.#commits.close();
    } finally {
      this.#file.release();
    }
  }

  /** Returns the stored value of a row after its checksum is verified. */
  #whole(sandboxId: string, row: Readonly<Record<string, unknown>>): string {
    const [name, value] = [String(row['name']), String(row['value'])];
    if (crc32(keptSeal(name, value)) === row['checksum']) return value;
    throw corrupt(this.#file.path, `the value ${name} of sandbox ${sandboxId} is damaged`);
  }

  #of(sandboxId: string): OpenSandbox {
    const record = this.#sandboxes.get(sandboxId);
    if (record === undefined) throw sandboxNotFound(sandboxId);
    return record;
  }

  /** Creates a sandbox whose row is written with the next queued statement. Resolves when it is durable. */
  #begin(sandboxId: string): Promise<void> {
    if (this.#sandboxes.has(sandboxId)) throw new NudgeLabError('sandbox-exists');
    const number = Math.max(0, ...Array.from(this.#sandboxes.values(), (candidate) => candidate.number)) + 1;
    this.#sandboxes.set(sandboxId, { number, lastSeq: 0, chain: 0 });
    const sum = crc32(sandboxSeal(number, sandboxId));
    return this.#commits.add(() => this.#statements.insertSandbox.run(number, sandboxId, sum));
  }

  #heldSandboxes(): Map<string, OpenSandbox> {
    const sandboxes = new Map<string, OpenSandbox>();
    for (const { number, id } of this.#statements.sandboxes.all()) {
      const last = this.#statements.lastEntry.get(basePlace(Number(number)), lastPlace(Number(number)));
      const lastSeq = Number(last?.['place']) - basePlace(Number(number));
      sandboxes.set(String(id), { number: Number(number), lastSeq, chain: Number(last?.['chain']) });
    }
    return sandboxes;
  }
}

function toEntry([place, atMs, type, body]: EntryRow, base: number): JournalEntry {
  return { seq: place - base, atMs, event: { type, ...JSON.parse(body) } as JournalEvent };
}

function prepare(db: DatabaseSync) {
  const select = 'SELECT place, at_ms, type, body FROM entry WHERE place > ? AND place <= ?';
  const asArrays = (sql: string): StatementSync => {
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  return {
    insertSandbox: db.prepare('INSERT INTO sandbox (number, id, checksum) VALUES (?, ?, ?)'),
    insertEntry: db.prepare('INSERT INTO entry (place, at_ms, type, body, chain) VALUES (?, ?, ?, ?, ?)'),
    entries: asArrays(`${select} ORDER BY place LIMIT ?`),
    entriesOfType: asArrays(`${select} AND type = ? ORDER BY place LIMIT ?`),
    restores: asArrays(`${select} AND type = 'state.restored' ORDER BY place LIMIT ?`),
    sandboxes: db.prepare('SELECT number, id FROM sandbox ORDER BY number'),
    lastEntry: db.prepare('SELECT place, chain FROM entry WHERE place > ? AND place <= ? ORDER BY place DESC LIMIT 1'),
    chainAt: db.prepare('SELECT chain FROM entry WHERE place = ?'),
    copyEntries: db.prepare(`
      INSERT INTO entry (place, at_ms, type, body, chain)
      SELECT place + ?, at_ms, type, body, chain FROM entry WHERE place > ? AND place <= ?`),
    deleteEntries: db.prepare('DELETE FROM entry WHERE place > ? AND place <= ?'),
    deleteKept: db.prepare('DELETE FROM kept WHERE sandbox = ?'),
    deleteSandbox: db.prepare('DELETE FROM sandbox WHERE number = ?'),
    keep: db.prepare('INSERT OR REPLACE INTO kept (sandbox, name, value, checksum) VALUES (?, ?, ?, ?)'),
    kept: db.prepare('SELECT value, checksum FROM kept WHERE sandbox = ? AND name = ?'),
    keptUnder: db.prepare('SELECT name, value, checksum FROM kept WHERE sandbox = ? AND name >= ? AND name < ?'),
    discard: db.prepare('DELETE FROM kept WHERE sandbox = ? AND name = ?'),
  };
}
