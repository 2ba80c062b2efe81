import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { beginStructureCheck, structureFault } from '../../src/journal/stores/sqlite-structure.ts';
import { entryAt } from './stored-samples.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Size in bytes from which the check runs in a thread. */
const large = 2 ** 30;
const pageBytes = 4_096;

/** Creates a closed store of 400 entries on several pages and returns its path. */
async function closedStore(): Promise<string> {
  const path = join(temporaryFolder(), 'store.sqlite');
  const store = SqliteStore.open(path);
  for (let seq = 1; seq <= 400; seq += 1) store.append('a', entryAt(seq));
  await store.close();
  return path;
}

function opened(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true });
  onTestFinished(() => db.close());
  return db;
}

test('store-corrupt: a check in a thread accepts an undamaged file', async () => {
  const path = await closedStore();
  expect(beginStructureCheck(opened(path), path, large)()).toBe('ok');
});

test('store-corrupt: a check in a thread reports the same fault for each damaged page as SQLite in this thread', async () => {
  const path = await closedStore();
  const whole = readFileSync(path);
  const pages = whole.length / pageBytes;
  expect(pages).toBeGreaterThan(8);
  const found: string[] = [];
  for (let page = 2; page < pages; page += 1) {
    const damaged = Buffer.from(whole);
    damaged.fill(0xa5, page * pageBytes, page * pageBytes + 16);
    writeFileSync(path, damaged);
    const db = new DatabaseSync(path, { readOnly: true });
    const fault = structureFault(db);
    expect(beginStructureCheck(db, path, large)()).toBe(fault);
    db.close();
    found.push(fault);
  }
  expect(found.some((fault) => fault !== 'ok')).toBe(true);
});

test('store-corrupt: a file that the thread cannot open is checked in this thread', async () => {
  const path = await closedStore();
  expect(beginStructureCheck(opened(path), `${path}.elsewhere`, large)()).toBe('ok');
});
