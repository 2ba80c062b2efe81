import { fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { entryAt, snapshotAt } from './stored-samples.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Page size of a store in bytes. */
const pageBytes = 4_096;

/** Creates a closed store with two sandboxes of 1,500 entries, a snapshot and a stored value each. */
async function storedAt(path: string): Promise<void> {
  const store = SqliteStore.open(path);
  for (const id of ['first', 'second']) {
    for (let seq = 1; seq <= 1_500; seq += 1) store.append(id, entryAt(seq));
    await store.saveSnapshot(id, snapshotAt(1_000, 'thousand', 'state '.repeat(1_000)));
    await store.keep(id, 'key', `value of ${id}`);
  }
  await store.close();
}

async function storedFile(): Promise<{ readonly path: string; readonly folder: string }> {
  const folder = temporaryFolder();
  const path = join(folder, 'store.sqlite');
  await storedAt(path);
  return { path, folder };
}

/** Lists the files of a folder with a digest of their bytes. */
function readContents(folder: string): readonly string[] {
  return readdirSync(folder).map((name) => `${name} ${hash('sha256', readFileSync(join(folder, name)))}`);
}

/** Asserts that opening a file is rejected with a code and changes no file in the folder. */
function expectRefusal(path: string, folder: string, code: string): void {
  const before = readContents(folder);
  expect(() => SqliteStore.open(path)).toThrow(expect.objectContaining({ code }));
  expect(readContents(folder)).toEqual(before);
}

/** Overwrites bytes of a file. */
function damage(path: string, offset: number, bytes: Uint8Array): void {
  const file = readFileSync(path);
  file.set(bytes, offset);
  writeFileSync(path, file);
}

/** Changes a store by SQL, like another program. */
function change(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

test('store-corrupt: a text file is rejected', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'notes.txt');
  writeFileSync(path, 'This is not a database. '.repeat(100));
  expectRefusal(path, folder, 'store-corrupt');
});

test('store-corrupt: a file that is too short for a header is rejected', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'short.sqlite');
  writeFileSync(path, 'SQLite format 3\0');
  expectRefusal(path, folder, 'store-corrupt');
});

test.each(['DELETE', 'WAL'])(
  'store-unrecognized: a SQLite file of another program in mode %s is not changed',
  (mode) => {
    const folder = temporaryFolder();
    const path = join(folder, 'foreign.sqlite');
    change(path, `PRAGMA journal_mode = ${mode}; CREATE TABLE sandbox (id TEXT); PRAGMA application_id = 7`);
    expectRefusal(path, folder, 'store-unrecognized');
  },
);

test('store-unrecognized: a SQLite file without a program id is not changed', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'foreign.sqlite');
  change(path, 'CREATE TABLE entry (place INTEGER PRIMARY KEY)');
  expectRefusal(path, folder, 'store-unrecognized');
});

test('store-version: a store of a later format is not changed', async () => {
  const { path, folder } = await storedFile();
  change(path, 'PRAGMA user_version = 2');
  expectRefusal(path, folder, 'store-version');
});

test.each([
  ['a byte in the text of an old entry', "UPDATE entry SET body = replace(body, 't700', 't701') WHERE seq = 700"],
  ['the time of an entry', 'UPDATE entry SET at_ms = at_ms + 1 WHERE seq = 1200'],
  ['the type of the last entry', "UPDATE entry SET type = 'token.restored' WHERE seq = 1500"],
  ['an entry that is gone', 'DELETE FROM entry WHERE seq = 900'],
  ['the first entry gone', 'DELETE FROM entry WHERE seq = 1'],
  ['all entries of a sandbox gone', 'DELETE FROM entry WHERE sandbox = 2'],
  ['entries of no one', "INSERT INTO entry (place, at_ms, type, body, chain) VALUES (3 << 32, 1, 'x', '{}', 1)"],
  ['the id of a sandbox', "UPDATE sandbox SET id = 'third' WHERE number = 2"],
  ['a sandbox that is gone', 'DELETE FROM sandbox WHERE number = 1'],
  ['a table that is gone', 'DROP TABLE kept'],
  ['a table too many', 'CREATE TABLE extra (a)'],
])('store-corrupt: %s is detected when the store is opened', async (_what, sql) => {
  const { path, folder } = await storedFile();
  change(path, sql);
  expectRefusal(path, folder, 'store-corrupt');
});

test.each([
  ['its last page', (bytes: number) => bytes - pageBytes],
  ['half of it', (bytes: number) => Math.floor(bytes / 2)],
  ['all but its first page', () => pageBytes],
  ['all but half a page', () => pageBytes / 2],
])('store-corrupt: a file that has lost %s is rejected', async (_what, lengthOf) => {
  const { path, folder } = await storedFile();
  truncateSync(path, lengthOf(readFileSync(path).length));
  expectRefusal(path, folder, 'store-corrupt');
});

test('store-corrupt: with noise on any page, a read returns the written data or fails', async () => {
  const { path } = await storedFile();
  const original = readFileSync(path);
  const written = await readAll(path);
  const pages = original.length / pageBytes;
  const noise = Uint8Array.from({ length: pageBytes }, (_, index) => (index * 31 + 7) % 256);
  let refused = 0;
  for (let page = 1; page < pages; page += 1) {
    writeFileSync(path, original);
    damage(path, page * pageBytes, noise);
    const read = await readAll(path).catch((error: { code: string }) => error.code);
    if (read === 'store-corrupt') refused += 1;
    else expect(read).toEqual(written);
  }
  expect(refused).toBeGreaterThan(pages / 2);
});

/** Reads all data of a store. Rejects if the store rejects. */
async function readAll(path: string): Promise<unknown> {
  const store = SqliteStore.open(path);
  try {
    const ids = await store.sandboxIds();
    return await Promise.all(
      ids.map(async (id) => ({
        id,
        entries: await store.entries(id, { after: 0, limit: 10_000 }),
        snapshot: await store.snapshot(id, 'thousand'),
        kept: await store.kept(id, 'key'),
      })),
    );
  } finally {
    await store.close();
  }
}

test('store-corrupt: a damaged snapshot and a damaged value are detected when they are read', async () => {
  const { path } = await storedFile();
  change(path, "UPDATE snapshot_part SET text = replace(text, 'state ', 'stale ') WHERE sandbox = 1");
  change(path, "UPDATE snapshot SET seq = seq - 1 WHERE sandbox = 2; UPDATE kept SET value = 'x' WHERE sandbox = 2");
  const store = SqliteStore.open(path);
  onTestFinished(() => store.close());
  await expect(store.snapshot('first', 'thousand')).rejects.toMatchObject({ code: 'store-corrupt' });
  await expect(store.snapshots('second')).rejects.toMatchObject({ code: 'store-corrupt' });
  await expect(store.kept('second', 'key')).rejects.toMatchObject({ code: 'store-corrupt' });
  expect(await store.kept('first', 'key')).toBe('value of first');
});

test('store-locked: a file that is already open in this process is rejected without being read', async () => {
  const path = join(temporaryFolder(), 'store.sqlite');
  const store = SqliteStore.open(path);
  expect(() => SqliteStore.open(path)).toThrow(expect.objectContaining({ code: 'store-locked' }));
  store.append('a', entryAt(1));
  await store.close();
  const again = SqliteStore.open(path);
  expect(await again.lastSeq('a')).toBe(1);
  await again.close();
});

test('store-locked: a file that another process has open is rejected until that process ends', async () => {
  const { path } = await storedFile();
  const holder = fork(join(import.meta.dirname, 'holding-process.ts'), [path]);
  onTestFinished(() => {
    holder.kill('SIGKILL');
  });
  await once(holder, 'message');
  expect(() => SqliteStore.open(path)).toThrow(expect.objectContaining({ code: 'store-locked' }));
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const store = SqliteStore.open(path);
  expect(await store.lastSeq('held')).toBe(1);
  await store.close();
});

test('file-unreadable: a folder, and a file in a missing folder, are rejected', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'inner'));
  for (const path of [join(folder, 'inner'), join(folder, 'missing', 'store.sqlite')]) {
    expect(() => SqliteStore.open(path)).toThrow(expect.objectContaining({ code: 'file-unreadable' }));
  }
});

/** Creates a store and kills its process, so all entries are in the log with one commit each. */
async function killedStore(): Promise<{ readonly path: string; readonly folder: string; readonly log: string }> {
  const folder = temporaryFolder();
  const path = join(folder, 'store.sqlite');
  const holder = fork(join(import.meta.dirname, 'holding-process.ts'), [path]);
  await once(holder, 'message');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  return { path, folder, log: `${path}-wal` };
}

test('store-corrupt: a log that is damaged before acknowledged commits is rejected and not truncated', async () => {
  const { path, folder, log } = await killedStore();
  const original = readFileSync(log);
  for (const offset of [0, 18, Math.floor(original.length / 4), Math.floor(original.length / 2)]) {
    writeFileSync(log, original);
    damage(log, offset, Uint8Array.from([0xa5, 0x5a, 0xff]));
    expectRefusal(path, folder, 'store-corrupt');
  }
});

test.each(['empty', 'missing'])('store-corrupt: an %s file beside a log with content is rejected', async (state) => {
  const { path, folder } = await storedFile();
  writeFileSync(`${path}-wal`, readFileSync(path));
  if (state === 'empty') truncateSync(path);
  else rmSync(path);
  expectRefusal(path, folder, 'store-corrupt');
});

test('a commit that a power failure interrupted does not count as damage', async () => {
  const { path, log } = await killedStore();
  const { length } = readFileSync(log);
  truncateSync(log, length - 100);
  const store = SqliteStore.open(path);
  onTestFinished(() => store.close());
  expect(await store.lastSeq('held')).toBe(1);
  expect(await store.lastSeq('counted')).toBe(39);
});
