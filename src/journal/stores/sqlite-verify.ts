import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { checksum, checksumStart } from './checksum.ts';
import { corrupt } from './sqlite-errors.ts';
import { basePlace, lastPlace, sandboxSeal, schemaNames } from './sqlite-schema.ts';

/** Entries whose texts SQLite joins before they are checked: few calls, and little memory. */
const blockEntries = 1_000;

/**
 * Checks that a store is whole: the structure of the file, every entry by the checksum that runs through its journal, and that
 * there is no gap and no entry of nobody. Snapshots and kept values are checked when they are read. Reads everything, writes
 * nothing: about half a second for a million entries. Takes a database and its path. Throws `store-corrupt`.
 */
export function verifyStore(db: DatabaseSync, path: string): void {
  verifyStructure(db, path);
  let entries = 0;
  const block = blockStatement(db);
  for (const { number, id, checksum: stored } of db.prepare('SELECT number, id, checksum FROM sandbox').all()) {
    if (typeof number !== 'number' || typeof id !== 'string' || checksum(sandboxSeal(number, id)) !== stored) {
      throw corrupt(path, `the row of sandbox ${String(number)} is damaged`);
    }
    entries += verifyJournal(block, number, (reason) => corrupt(path, `${reason} of sandbox ${id}`));
  }
  const all = db.prepare('SELECT count(*) AS count FROM entry').get()?.['count'];
  if (all !== entries) throw corrupt(path, `${String(all)} entries are stored and ${entries} belong to a sandbox`);
}

function verifyStructure(db: DatabaseSync, path: string): void {
  const found = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (found !== 'ok') throw corrupt(path, String(found));
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

/** Checks the journal of one sandbox. Returns how many entries it holds. */
function verifyJournal(block: StatementSync, number: number, damaged: (reason: string) => Error): number {
  const base = basePlace(number);
  const last = lastPlace(number);
  let chain = checksumStart;
  for (let place = base; ; place += blockEntries) {
    const end = Math.min(place + blockEntries, last);
    const [count, lastRead, stored, texts] = block.get(place, end) as unknown as [number, number, number, string];
    if (count > 0) {
      if (lastRead !== place + count) throw damaged(`an entry is missing before entry ${lastRead - base}`);
      chain = checksum(texts, chain);
      if (chain !== stored) throw damaged(`an entry from ${place - base + 1} to ${lastRead - base} is damaged`);
    }
    if (count === blockEntries) continue;
    if (place === base && count === 0) throw damaged('there is no entry');
    return place + count - base;
  }
}
