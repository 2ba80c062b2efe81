import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { corrupt } from './sqlite-errors.ts';
import { basePlace, lastPlace, sandboxSeal, schemaNames } from './sqlite-schema.ts';
import { beginStructureCheck } from './sqlite-structure.ts';

/** Entries whose texts SQLite joins before they are checked: few calls, and little memory. */
const blockEntries = 1_000;

/**
 * Checks that a store is whole: the structure of the file, every entry by the checksum that runs through its journal, and that
 * there is no gap and no entry of no one. Snapshots and kept values are checked when they are read. Reads everything, writes
 * nothing: the structure of a large file in a thread, while the entries are read here. Takes a database, its path and its size
 * in bytes. Throws `store-corrupt`.
 */
export function verifyStore(db: DatabaseSync, path: string, bytes: number): void {
  verifyTables(db, path);
  const structure = beginStructureCheck(db, path, bytes);
  let damaged: unknown = null;
  try {
    verifyEntries(db, path);
  } catch (error) {
    damaged = error;
  }
  // A broken structure is why entries cannot be read, and is told before them.
  const found = structure();
  if (found !== 'ok') throw corrupt(path, found);
  if (damaged !== null) throw damaged;
}

function verifyEntries(db: DatabaseSync, path: string): void {
  const block = blockStatement(db);
  const next = db.prepare('SELECT min(place) AS place FROM entry WHERE place > ?');
  const refuseStranger = (after: number, before: number): void => {
    const place = next.get(after)?.['place'];
    if (typeof place === 'number' && place <= before) throw corrupt(path, `the entry at place ${place} is no one's`);
  };
  let end = Number.MIN_SAFE_INTEGER;
  for (const { number, id, checksum: stored } of db.prepare(sandboxes).all()) {
    if (typeof number !== 'number' || typeof id !== 'string' || crc32(sandboxSeal(number, id)) !== stored) {
      throw corrupt(path, `the row of sandbox ${String(number)} is damaged`);
    }
    refuseStranger(end, basePlace(number));
    end = verifyJournal(block, number, (reason) => corrupt(path, `${reason} of sandbox ${id}`));
  }
  refuseStranger(end, Number.MAX_SAFE_INTEGER);
}

const sandboxes = 'SELECT number, id, checksum FROM sandbox ORDER BY number';

function verifyTables(db: DatabaseSync, path: string): void {
  const names = db
    .prepare("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name));
  if (names.join() !== schemaNames.join()) throw corrupt(path, `it holds the tables ${names.join(', ')}`);
}

/** The texts of a stretch of entries, joined, and the running checksum of the last: a scan by key is in the order of keys. */
function blockStatement(db: DatabaseSync): StatementSync {
  const block = db.prepare(`
    SELECT count(*), max(place), chain, group_concat(at_ms || type || body, '')
    FROM entry WHERE place > ? AND place <= ?`);
  block.setReturnArrays(true);
  return block;
}

/** Checks the journal of one sandbox. Returns the place of its last entry. */
function verifyJournal(block: StatementSync, number: number, damaged: (reason: string) => Error): number {
  const base = basePlace(number);
  const last = lastPlace(number);
  let chain = 0;
  for (let place = base; ; place += blockEntries) {
    const end = Math.min(place + blockEntries, last);
    const [count, lastRead, stored, texts] = block.get(place, end) as unknown as [number, number, number, string];
    if (count > 0) {
      if (lastRead !== place + count) throw damaged(`an entry is missing before entry ${lastRead - base}`);
      chain = crc32(texts, chain);
      if (chain !== stored) throw damaged(`an entry from ${place - base + 1} to ${lastRead - base} is damaged`);
    }
    if (count === blockEntries) continue;
    if (place === base && count === 0) throw damaged('there is no entry');
    return place + count;
  }
}
