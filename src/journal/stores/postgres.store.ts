import { NudgeLabError } from '../../core/errors.ts';
import { journalEntriesMax } from '../../core/limits.ts';
import type { JournalEntry } from '../journal-event.ts';
import type { StoreSharing } from '../sharing.ts';
import type { EntryQuery, JournalStore, SnapshotPlace, StoredFiles, StoredSnapshot, StoreValues } from '../store.ts';
import { checkSequence, journalFull, sandboxNotFound } from './journal-store-errors.ts';
import { type HeldSandbox, PostgresCommits } from './postgres-commits.ts';
import { PostgresFiles } from './postgres-files.ts';
import { PostgresLeases } from './postgres-leases.ts';
import { PostgresLink } from './postgres-link.ts';
import { postgresModules } from './postgres-modules.ts';
import { PostgresReader } from './postgres-reader.ts';
import { PostgresValues, valueFolders } from './postgres-values.ts';

/**
 * Journal store in a PostgreSQL database that any number of processes can share. A process writes only to sandboxes
 * whose lease it has, through one session, and an acknowledged entry is committed. While the database is unreachable,
 * all methods throw `store-unavailable`.
 */
export class PostgresStore implements JournalStore {
  readonly durable = true;
  readonly sharing: StoreSharing;
  readonly files: StoredFiles;
  readonly values: StoreValues;
  readonly #link: PostgresLink;
  readonly #commits: PostgresCommits;
  readonly #reader: PostgresReader;
  readonly #held = new Map<string, HeldSandbox>();
  readonly #entriesMax: number;

  /**
   * Opens the store at an address (`postgres://…`) and initializes an empty database. `entriesMax` limits the entries
   * of one journal. Throws `database-missing`, `store-unavailable`, `store-unrecognized`, `store-version` and
   * `store-incomplete`.
   */
  static async open(address: string, options: { readonly entriesMax?: number } = {}): Promise<PostgresStore> {
    const modules = await postgresModules();
    const link = await PostgresLink.open(modules, address);
    return new PostgresStore(link, new PostgresReader(modules, address), options.entriesMax ?? journalEntriesMax);
  }

  private constructor(link: PostgresLink, reader: PostgresReader, entriesMax: number) {
    this.#link = link;
    this.#reader = reader;
    this.files = new PostgresFiles(reader);
    this.values = new PostgresValues(this.files);
    this.#entriesMax = entriesMax;
    this.#commits = new PostgresCommits(link);
    const secrets = new PostgresValues(this.files, valueFolders.secrets);
    const leases = new PostgresLeases({ link, reader, secrets, commits: this.#commits, sandboxes: this.#held });
    this.sharing = leases;
    link.listen({
      signal: (signal) => leases.hear(signal),
      lost: (reason) => {
        this.#held.clear();
        this.#commits.abandon(reason);
        leases.lose(reason);
      },
      found: () => leases.resume(),
    });
  }

  admit(sandboxId: string): void {
    const { lastSeq } = this.#of(sandboxId);
    if (lastSeq >= this.#entriesMax) throw journalFull(sandboxId, lastSeq);
  }

  append(sandboxId: string, entry: JournalEntry): void {
    if (entry.seq === 1 && !this.#held.has(sandboxId)) this.#begin(sandboxId);
    this.admit(sandboxId);
    const record = this.#of(sandboxId);
    checkSequence(sandboxId, record.lastSeq, entry);
    record.lastSeq = entry.seq;
    this.#commits.append(record, entry);
  }

  flushed(): Promise<void> | null {
    return this.#commits.flushed();
  }

  async entries(sandboxId: string, query: EntryQuery): Promise<readonly JournalEntry[]> {
    await this.flushed();
    return this.#reader.entries(sandboxId, query);
  }

  async lastSeq(sandboxId: string): Promise<number> {
    return this.#held.get(sandboxId)?.lastSeq ?? this.#reader.lastSeq(sandboxId);
  }

  async sandboxIds(): Promise<readonly string[]> {
    await this.flushed();
    return this.#reader.sandboxIds();
  }

  async fork(sandboxId: string, forkId: string, lastSeq: number): Promise<void> {
    await this.flushed();
    const origin = this.#of(sandboxId);
    if (lastSeq > origin.lastSeq) throw new RangeError(`Sandbox ${sandboxId} has no entry ${lastSeq}.`);
    await this.sharing.reserve(forkId);
    const fork = this.#of(forkId);
    await this.#written(fork, () => fork.session.run(copyJournal, [origin.number, fork.number, lastSeq]));
    fork.lastSeq = lastSeq;
  }

  async remove(sandboxId: string): Promise<void> {
    await this.flushed();
    const record = this.#held.get(sandboxId);
    if (record === undefined) return;
    this.#held.delete(sandboxId);
    await this.#written(record, () => record.session.remove(record.number));
  }

  async snapshot(sandboxId: string, name: string): Promise<StoredSnapshot | null> {
    return this.#reader.snapshot(sandboxId, name);
  }

  async snapshots(sandboxId: string): Promise<readonly SnapshotPlace[]> {
    return this.#reader.snapshots(sandboxId);
  }

  /** Stores a snapshot after all entries that it includes are durable. */
  async saveSnapshot(sandboxId: string, snapshot: StoredSnapshot): Promise<void> {
    // The number is read now, because the id can belong to another sandbox once the entries are durable.
    const record = this.#held.get(sandboxId);
    await this.flushed();
    await this.#reader.saveSnapshot(sandboxId, snapshot, record?.number);
  }

  async keep(sandboxId: string, name: string, value: string): Promise<void> {
    await this.#commits.keep(this.#of(sandboxId), name, value);
  }

  async kept(sandboxId: string, name: string): Promise<string | null> {
    await this.flushed();
    return this.#reader.kept(sandboxId, name);
  }

  async keptUnder(sandboxId: string, beginning: string): Promise<ReadonlyMap<string, string>> {
    await this.flushed();
    return this.#reader.keptUnder(sandboxId, beginning);
  }

  async discard(sandboxId: string, name: string): Promise<void> {
    const record = this.#held.get(sandboxId);
    if (record !== undefined) await this.#commits.keep(record, name, null);
  }

  async close(): Promise<void> {
    try {
      await this.flushed();
    } finally {
      await Promise.allSettled([this.#link.close(), this.#reader.close()]);
    }
  }

  /** Returns the lease on a sandbox. Throws `store-unavailable` without a connection, and `sandbox-not-found`. */
  #of(sandboxId: string): HeldSandbox {
    const record = this.#held.get(sandboxId);
    if (record !== undefined) return record;
    void this.#link.session;
    throw sandboxNotFound(sandboxId);
  }

  #begin(id: string): void {
    this.#held.set(id, { id, session: this.#link.session, number: 0, lastSeq: 0, mark: 0 });
  }

  async #written({ session }: HeldSandbox, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (cause) {
      this.#link.lose(session, cause);
      throw cause instanceof NudgeLabError ? cause : this.#link.failure(cause);
    }
  }
}

const copyJournal = `
  WITH journal AS (
    INSERT INTO entry (sandbox, seq, at_ms, type, body)
    SELECT $2, seq, at_ms, type, body FROM entry WHERE sandbox = $1 AND seq <= $3
  ), copied AS (
    INSERT INTO snapshot (sandbox, name, seq, at_ms, digest, parts)
    SELECT $2, name, seq, at_ms, digest, parts FROM snapshot WHERE sandbox = $1 AND seq <= $3 RETURNING id, name
  )
  INSERT INTO snapshot_part (snapshot, number, text)
  SELECT copied.id, part.number, part.text FROM copied
  JOIN snapshot AS origin ON origin.sandbox = $1 AND origin.name = copied.name
  JOIN snapshot_part AS part ON part.snapshot = origin.id`;
