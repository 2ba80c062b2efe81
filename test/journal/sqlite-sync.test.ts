import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { afterPendingInput } from '../../src/core/clock.ts';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { HeldSync } from './held-sync.ts';
import { entryAt, snapshotAt } from './stored-samples.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Opens a store whose syncs end when the test says so. */
function openHeld(path = join(temporaryFolder(), 'store.sqlite')) {
  const syncs: HeldSync[] = [];
  const store = SqliteStore.open(path, {
    wrapLog: (log) => {
      const held = new HeldSync(log);
      syncs.push(held);
      return held;
    },
  });
  const sync = syncs[0] ?? expect.fail();
  onTestFinished(async () => {
    const closing = store.close().catch(() => undefined);
    for (let turns = 0; turns < 20; turns += 1) {
      sync.end();
      await turn();
    }
    await closing;
  });
  return { path, store, sync };
}

function turn(): Promise<void> {
  return new Promise(afterPendingInput);
}

/** Lets the event loop continue long enough for every group that may be written. */
async function turns(): Promise<void> {
  for (let count = 0; count < 8; count += 1) await turn();
}

/** Appends an entry, and ends its sync. */
async function appendSafely({ store, sync }: ReturnType<typeof openHeld>, seq: number): Promise<void> {
  store.append('a', entryAt(seq));
  await turns();
  expect(sync.end()).toBe(true);
  await store.flushed();
}

/** Follows a promise: `waiting` until it is settled. */
function follow(promise: Promise<unknown> | null): { readonly state: () => string } {
  let state = 'waiting';
  promise?.then(
    () => {
      state = 'done';
    },
    (error: { readonly code?: string }) => {
      state = error.code ?? 'failed';
    },
  );
  return { state: () => (promise === null ? 'done' : state) };
}

const walBytes = (path: string): number => statSync(`${path}-wal`).size;
const all = { after: 0, limit: 99 };

test('013: while a group is synced, the event loop continues and nothing of the group is acknowledged', async () => {
  const opened = openHeld();
  const { store, sync } = opened;
  await appendSafely(opened, 1);
  store.append('a', entryAt(2));
  store.append('a', entryAt(3));
  const acknowledged = follow(store.flushed());
  await turns();
  expect([sync.begun, sync.begunNow, acknowledged.state()]).toEqual([2, 0, 'waiting']);
  sync.end();
  await turns();
  expect([acknowledged.state(), store.flushed()]).toEqual(['done', null]);
});

test('013: a group is not written before the previous one is synced, and then has everything that waited', async () => {
  const opened = openHeld();
  const { path, store, sync } = opened;
  await appendSafely(opened, 1);
  store.append('a', entryAt(2));
  await turns();
  const bytes = walBytes(path);
  for (let seq = 3; seq <= 30; seq += 1) store.append('a', entryAt(seq));
  const kept = follow(store.keep('a', 'key', 'one'));
  const flushed = follow(store.flushed());
  await turns();
  expect([walBytes(path), sync.begun]).toEqual([bytes, 2]);
  sync.end();
  await turns();
  expect(walBytes(path)).toBeGreaterThan(bytes);
  expect([sync.begun, kept.state(), flushed.state()]).toEqual([3, 'waiting', 'waiting']);
  sync.end();
  await turns();
  expect([sync.begun, kept.state(), flushed.state()]).toEqual([3, 'done', 'done']);
});

test('013: a read includes all appended entries, and returns them only when they are durable', async () => {
  const opened = openHeld();
  const { store, sync } = opened;
  await appendSafely(opened, 1);
  store.append('a', entryAt(2));
  const reads = [
    store.entries('a', all),
    store.kept('a', 'key'),
    store.keptUnder('a', ''),
    store.snapshots('a'),
    store.snapshot('a', ''),
    store.values.names(),
    store.values.get('key'),
  ];
  const followed = reads.map(follow);
  await turns();
  expect(followed.map(({ state }) => state())).toEqual(reads.map(() => 'waiting'));
  sync.end();
  const [entries, ...others] = await Promise.all(reads);
  expect(entries).toEqual([entryAt(1), entryAt(2)]);
  expect(others).toEqual([null, new Map(), [], null, [], null]);
});

test('013: a read behind a sync waits for the entries that were queued meanwhile', async () => {
  const opened = openHeld();
  const { store, sync } = opened;
  await appendSafely(opened, 1);
  store.append('a', entryAt(2));
  await turns();
  store.append('a', entryAt(3));
  const read = store.entries('a', all);
  const followed = follow(read);
  sync.end();
  await turns();
  expect(followed.state()).toBe('waiting');
  sync.end();
  expect((await read).map(({ seq }) => seq)).toEqual([1, 2, 3]);
});

test('store-failed: a failed sync is reported to its group and to all that waits, and the queue is never written', async () => {
  const opened = openHeld();
  const { path, store, sync } = opened;
  await appendSafely(opened, 1);
  store.append('a', entryAt(2));
  const failing = follow(store.flushed());
  await turns();
  const bytes = walBytes(path);
  store.append('a', entryAt(3));
  const queued = [store.flushed(), store.keep('a', 'key', 'one'), store.entries('a', all)].map(follow);
  sync.end(new Error('EIO: i/o error, fdatasync'));
  await turns();
  expect([failing, ...queued].map(({ state }) => state())).toEqual(new Array(4).fill('store-failed'));
  expect([walBytes(path), sync.begun]).toEqual([bytes, 2]);
  expect(() => store.append('a', entryAt(4))).toThrow(expect.objectContaining({ code: 'store-failed' }));
  expect(() => store.admit('a')).toThrow(expect.objectContaining({ code: 'store-failed' }));
  await expect(store.flushed()).rejects.toMatchObject({ code: 'store-failed' });
  await expect(store.saveSnapshot('a', snapshotAt(1, ''))).rejects.toMatchObject({ code: 'store-failed' });
  await expect(store.close()).rejects.toMatchObject({
    code: 'store-failed',
    message: expect.stringContaining('EIO: i/o error'),
  });
  const again = SqliteStore.open(path);
  // Whether the entry of the failed sync is on disk is unknown; the queued one is not.
  expect([1, 2]).toContain(await again.lastSeq('a'));
  expect(await again.entries('a', { after: 0, limit: 1 })).toEqual([entryAt(1)]);
  await again.close();
});

test('013: closing waits for the sync in progress and writes the queue, and rejects what comes later', async () => {
  const opened = openHeld();
  const { path, store, sync } = opened;
  await appendSafely(opened, 1);
  store.append('a', entryAt(2));
  const second = follow(store.flushed());
  await turns();
  store.append('a', entryAt(3));
  const third = follow(store.flushed());
  const closing = store.close();
  const closed = follow(closing);
  expect(() => store.append('a', entryAt(4))).toThrow(expect.objectContaining({ code: 'store-failed' }));
  await turns();
  expect([second.state(), third.state(), closed.state()]).toEqual(['waiting', 'waiting', 'waiting']);
  sync.end();
  await turns();
  expect([second.state(), third.state(), closed.state()]).toEqual(['done', 'waiting', 'waiting']);
  sync.end();
  await closing;
  expect(third.state()).toBe('done');
  const again = SqliteStore.open(path);
  expect(await again.lastSeq('a')).toBe(3);
  await again.close();
});

test('013: only a lone write on a quick disk is synced without a thread', async () => {
  const { store, sync } = openHeld();
  sync.isQuick = true;
  const counts: (readonly [number, number])[] = [];
  let seq = 0;
  for (const size of [2, 1, 1, 1, 3, 1]) {
    for (let more = 0; more < size; more += 1) {
      seq += 1;
      store.append('a', entryAt(seq));
    }
    await turns();
    sync.end();
    await store.flushed();
    counts.push([sync.begun, sync.begunNow]);
  }
  // The write after a group is not alone: other clients are about to answer.
  expect(counts).toEqual([
    [1, 0],
    [2, 0],
    [2, 1],
    [2, 2],
    [3, 2],
    [4, 2],
  ]);
});

test('013: a lone write is synced before other input is handled, and others of the same turn become one group', async () => {
  const opened = openHeld();
  const { store, sync } = opened;
  await appendSafely(opened, 1);
  await appendSafely(opened, 2);
  sync.isQuick = true;
  const counts: (readonly [number, number])[] = [];
  for (const seq of [3, 4, 5]) {
    store.append('a', entryAt(seq));
    await Promise.resolve();
    counts.push([sync.begun, sync.begunNow]);
  }
  await turns();
  expect([...counts, [sync.begun, sync.begunNow]]).toEqual([
    [2, 1],
    [2, 1],
    [2, 1],
    [3, 1],
  ]);
});

test('013: a power failure during a sync keeps every acknowledged entry, wherever the log is cut off', async () => {
  const opened = openHeld();
  const { path, store, sync } = opened;
  for (let seq = 1; seq <= 5; seq += 1) await appendSafely(opened, seq);
  const synced = walBytes(path);
  for (let seq = 6; seq <= 40; seq += 1) store.append('a', entryAt(seq));
  await turns();
  expect(sync.begun).toBe(6);
  const written = walBytes(path);
  expect(written).toBeGreaterThan(synced + 4_096);
  const found = new Set<number>();
  for (let bytes = synced; bytes <= written; bytes = bytes === written ? bytes + 1 : Math.min(written, bytes + 1_373)) {
    const copy = join(temporaryFolder(), 'copy.sqlite');
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    truncateSync(`${copy}-wal`, bytes);
    const again = SqliteStore.open(copy);
    found.add(await again.lastSeq('a'));
    expect((await again.entries('a', all)).slice(0, 5)).toEqual([1, 2, 3, 4, 5].map((seq) => entryAt(seq)));
    await again.close();
  }
  // The group is there completely or not at all.
  expect([...found]).toEqual([5, 40]);
});

test('013: a process that is killed between a commit and its acknowledgment leaves a whole journal', async () => {
  const path = join(temporaryFolder(), 'store.sqlite');
  const child = fork(join(import.meta.dirname, 'unsynced-process.ts'), [path]);
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const words: unknown[] = [];
  child.on('message', (word) => words.push(word));
  while (words.length < 2) await once(child, 'message');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(words).toEqual(['acknowledged 1', 'written 2']);
  const store = SqliteStore.open(path);
  expect((await store.entries('a', all))[0]).toEqual(entryAt(1));
  const lastSeq = await store.lastSeq('a');
  expect([1, 2]).toContain(lastSeq);
  store.append('a', entryAt(lastSeq + 1));
  await store.flushed();
  await store.close();
});

test('store-failed: a full disk fails exactly the entries that are not stored, and loses none of the others', async () => {
  const path = join(temporaryFolder(), 'store.sqlite');
  // A file may not grow beyond this number of blocks, as on a full disk.
  const command = `trap '' XFSZ; ulimit -f 600; exec "$0" "$@"`;
  const script = join(import.meta.dirname, 'full-disk-process.ts');
  const printed = execFileSync('sh', ['-c', command, process.execPath, script, path], { encoding: 'utf8' });
  const { acknowledged, codes } = JSON.parse(printed) as { readonly acknowledged: number; readonly codes: string[] };
  expect(acknowledged).toBeGreaterThan(20);
  // Five entries of the failed group, and a later append and read.
  expect(codes).toEqual(new Array(7).fill('store-failed'));
  const store = SqliteStore.open(path);
  expect(await store.lastSeq('a')).toBe(acknowledged);
  store.append('a', entryAt(acknowledged + 1));
  await store.flushed();
  await store.close();
});
