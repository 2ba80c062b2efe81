import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { SnapshotPlace, StoredSnapshot } from '../store.ts';
import type { GroupCommit } from './group-commit.ts';
import { sandboxNotFound } from './journal-store-errors.ts';
import { corrupt } from './sqlite-errors.ts';
import type { HeldFile } from './sqlite-file.ts';
import { snapshotSeal } from './sqlite-schema.ts';

/** Number of characters per part of a snapshot, written in one commit, so entries never wait long. */
const partCharacters = 131_072;

/**
 * Snapshots in a SQLite file. A snapshot is written in parts, each in a separate commit between those of entries, under
 * an unreferenced number. The last part is written together with the row that activates the snapshot under its name, so
 * a snapshot exists completely or not at all. Parts from a killed process are removed when the file is opened.
 */
export class SqliteSnapshots {
  readonly #path: string;
  readonly #commits: GroupCommit;
  readonly #statements: ReturnType<typeof prepare>;
  #generation: number;

  /** Creates the snapshot storage for a file and its commit queue. */
  constructor({ path, db, log }: HeldFile, commits: GroupCommit) {
    this.#path = path;
    this.#commits = commits;
    this.#statements = prepare(db);
    // Every commit is synced before the next one, so the check of the log can tell damage from a power failure.
    if (this.#statements.sweep.run().changes !== 0) log.syncNow();
    this.#generation = Number(this.#statements.lastGeneration.get()?.['generation'] ?? 0);
  }

  /**
   * Stores a snapshot and replaces an existing one with the same name. `isHeld` checks whether the sandbox still exists
   * before the snapshot is activated. Resolves when it is durable. Throws `sandbox-not-found`.
   */
  async save(sandbox: number, snapshot: StoredSnapshot, isHeld: () => boolean): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    const parts = splitParts(snapshot.state);
    const last = parts.length - 1;
    const { insertPart, deletePartsOf, insertSnapshot } = this.#statements;
    const write = (part: string, number: number) => () => {
      insertPart.run(sandbox, generation, number, part, crc32(part));
    };
    for (const [number, part] of parts.slice(0, last).entries()) await this.#commits.add(write(part, number));
    if (!isHeld()) throw sandboxNotFound(String(sandbox));
    const { name, seq, atMs, digest } = snapshot;
    const seal = crc32(snapshotSeal({ name, seq, atMs, digest, generation, parts: parts.length }));
    await this.#commits.add(
      write(parts[last] ?? '', last),
      () => deletePartsOf.run(sandbox, sandbox, name),
      () => insertSnapshot.run(sandbox, name, seq, atMs, digest, generation, parts.length, seal),
    );
  }

  /** Returns a snapshot by sandbox number and name; `null` if it does not exist. Throws `store-corrupt`. */
  read(sandbox: number, name: string): Promise<StoredSnapshot | null> {
    return this.#commits.read(() => this.#readNow(sandbox, name));
  }

  #readNow(sandbox: number, name: string): StoredSnapshot | null {
    const row = this.#statements.snapshot.get(sandbox, name);
    if (row === undefined) return null;
    const { generation, ...place } = this.#toPlace(row);
    const texts = this.#statements.parts.all(sandbox, generation);
    const damaged =
      texts.length !== row['parts'] || texts.some((part) => crc32(String(part['text'])) !== part['checksum']);
    if (damaged) throw corrupt(this.#path, `the snapshot "${name}" at entry ${place.seq} is damaged`);
    return { ...place, state: texts.map((part) => String(part['text'])).join('') };
  }

  /** Lists the positions of all snapshots of a sandbox, by name. Throws `store-corrupt`. */
  places(sandbox: number): Promise<readonly SnapshotPlace[]> {
    return this.#commits.read(() =>
      this.#statements.snapshots.all(sandbox).map((row) => {
        const { generation: _inside, ...place } = this.#toPlace(row);
        return place;
      }),
    );
  }

  /** Queues the copy of a sandbox's snapshots to another one, up to a sequence number. */
  copy(from: number, to: number, lastSeq: number): Promise<void> {
    const { copyParts, copySnapshots } = this.#statements;
    return this.#commits.add(
      () => copyParts.run(to, from, from, lastSeq),
      () => copySnapshots.run(to, from, lastSeq),
    );
  }

  /** Queues the removal of all snapshots of a sandbox. */
  remove(sandbox: number): Promise<void> {
    const { deleteParts, deleteSnapshots } = this.#statements;
    return this.#commits.add(
      () => deleteParts.run(sandbox),
      () => deleteSnapshots.run(sandbox),
    );
  }

  #toPlace(row: Record<string, unknown>): SnapshotPlace & { readonly generation: number } {
    const place = {
      name: String(row['name']),
      seq: Number(row['seq']),
      atMs: Number(row['at_ms']),
      digest: String(row['digest']),
      generation: Number(row['generation']),
    };
    if (crc32(snapshotSeal({ ...place, parts: Number(row['parts']) })) === row['checksum']) return place;
    throw corrupt(this.#path, `the row of the snapshot "${place.name}" is damaged`);
  }
}

/** Splits a text into parts, never within a surrogate pair, because its halves cannot be stored separately. */
function splitParts(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  while (text.length - from > partCharacters) {
    const to = from + partCharacters - (isFirstHalf(text.charCodeAt(from + partCharacters - 1)) ? 1 : 0);
    parts.push(text.slice(from, to));
    from = to;
  }
  parts.push(text.slice(from));
  return parts;
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function prepare(db: DatabaseSync) {
  const columns = 'name, seq, at_ms, digest, generation, parts, checksum';
  return {
    lastGeneration: db.prepare('SELECT max(generation) AS generation FROM snapshot'),
    sweep: db.prepare(`
      DELETE FROM snapshot_part
      WHERE (sandbox, generation) NOT IN (SELECT sandbox, generation FROM snapshot)`),
    insertPart: db.prepare(
      'INSERT INTO snapshot_part (sandbox, generation, number, text, checksum) VALUES (?, ?, ?, ?, ?)',
    ),
    insertSnapshot: db.prepare(`INSERT OR REPLACE INTO snapshot (sandbox, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    snapshot: db.prepare(`SELECT ${columns} FROM snapshot WHERE sandbox = ? AND name = ?`),
    snapshots: db.prepare(`SELECT ${columns} FROM snapshot WHERE sandbox = ? ORDER BY name`),
    parts: db.prepare('SELECT text, checksum FROM snapshot_part WHERE sandbox = ? AND generation = ? ORDER BY number'),
    deletePartsOf: db.prepare(`
      DELETE FROM snapshot_part
      WHERE sandbox = ? AND generation = (SELECT generation FROM snapshot WHERE sandbox = ? AND name = ?)`),
    deleteParts: db.prepare('DELETE FROM snapshot_part WHERE sandbox = ?'),
    deleteSnapshots: db.prepare('DELETE FROM snapshot WHERE sandbox = ?'),
    copyParts: db.prepare(`
      INSERT INTO snapshot_part (sandbox, generation, number, text, checksum)
      SELECT ?, generation, number, text, checksum FROM snapshot_part
      WHERE sandbox = ? AND generation IN (SELECT generation FROM snapshot WHERE sandbox = ? AND seq <= ?)`),
    copySnapshots: db.prepare(`
      INSERT INTO snapshot (sandbox, ${columns})
      SELECT ?, ${columns} FROM snapshot WHERE sandbox = ? AND seq <= ?`),
  };
}
