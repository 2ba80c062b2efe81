import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { corrupt } from './sqlite-errors.ts';
import { basePlace, lastPlace, sandboxSeal, schemaNames } from './sqlite-schema.ts';
import { beginStructureCheck } from './sqlite-structure.ts';

/** Number of entries whose texts SQLite joins before they are checked, a compromise between calls and memory. */
const blockEntries = 1_000;

/**
 * Checks the integrity of a store: the structure of the file, the running checksum of every entry, and that there are
 * no gaps and no entries without a sandbox. Snapshots and stored values are checked when they are read. The check reads
 * everything and writes nothing; for a large file, the structure is checked in a parallel thread.
 * @param bytes - size of the file
 * @throws `store-corrupt` if the store is damaged
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
  // A damaged structure is the cause of unreadable entries, so it is reported first.
  const found = structure();
  if (found !== 'ok') throw corrupt(path, found);
  if (damaged !== null) throw damaged;
}

function verifyEntries(db: DatabaseSync, path: string): void {
  const block = blockStatement(db);
  const next = db.prepare('SELECT min(place) AS place FROM entry WHERE place > ?');
  const refuseStranger = (after: number, before: number): void => {
    const place = next.get(after)?.['place'];
    if (typeof place === 'number' && place <= before)
      throw corrupt(path, `the entry at position ${place} belongs to no sandbox`);
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
  if (names.join() !== schemaNames.join())
    throw corrupt(path, `the file contains unexpected tables: ${names.join(', ')}`);
}

/**
 * Prepares the query for the joined texts of a range of entries and the running checksum of the last one; a scan by key
 * returns them in key order.
 */
function blockStatement(db: DatabaseSync): StatementSync {
  const block = db.prepare(`
    SELECT count(*), max(place), chain, group_concat(at_ms || type || body, '')
    FROM entry WHERE place > ? AND place <= ?`);
  block.setReturnArrays(true);
  return block;
}

/** Checks the journal of one sandbox. Returns the sequence number of its last entry. */
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
    if (place === base && count === 0) throw damaged('the journal has no entries');
    return place + count;
  }
}
