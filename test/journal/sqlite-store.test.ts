import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { SqliteStore } from '../../src/journal/stores/sqlite.store.ts';
import { storeConformance } from './store-conformance.ts';
import { entryAt, snapshotAt } from './stored-samples.ts';
import { temporaryFolder } from './temporary-folder.ts';

function opened(path = join(temporaryFolder(), 'store.sqlite')): SqliteStore {
  const store = SqliteStore.open(path);
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

/** Returns a function that counts the executions of a statement by the start of its text. */
function countRuns(): (sql: string) => number {
  const run = vi.spyOn(StatementSync.prototype, 'run');
  return (sql) =>
    (run.mock.contexts as StatementSync[]).filter((statement) => statement.sourceSQL.startsWith(sql)).length;
}

describe('SqliteStore', () => {
  storeConformance((options) => SqliteStore.open(join(temporaryFolder(), 'store.sqlite'), options));

  test('flushed data is available when the file is opened again', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const store = opened(path);
    store.append('b', entryAt(1));
    store.append('a', entryAt(1));
    store.append('a', entryAt(2));
    await store.saveSnapshot('a', snapshotAt(2, 'two'));
    await store.keep('a', 'key', 'one');
    await store.close();
    const again = opened(path);
    expect(await again.sandboxIds()).toEqual(['b', 'a']);
    expect(await again.entries('a', { after: 0, limit: 9 })).toEqual([entryAt(1), entryAt(2)]);
    expect(await again.snapshot('a', 'two')).toEqual(snapshotAt(2, 'two'));
    expect(await again.kept('a', 'key')).toBe('one');
    again.append('a', entryAt(3));
    await again.flushed();
    expect(await again.lastSeq('a')).toBe(3);
  });

  test('closing a store writes its pending entries', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const store = opened(path);
    store.append('a', entryAt(1));
    await store.close();
    expect(await opened(path).lastSeq('a')).toBe(1);
  });

  test('an empty file becomes a store', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    new DatabaseSync(path).close();
    const store = opened(path);
    store.append('a', entryAt(1));
    await expect(store.flushed()).resolves.toBeUndefined();
  });

  test('all entries of one event loop turn are one commit, and those of a later turn are another', async () => {
    const store = opened();
    store.append('a', entryAt(1));
    await store.flushed();
    const runs = countRuns();
    for (let seq = 2; seq <= 101; seq += 1) store.append('a', entryAt(seq));
    const group = store.flushed();
    expect(group).not.toBeNull();
    expect(runs('INSERT INTO entry')).toBe(0);
    await group;
    expect(runs('INSERT INTO entry')).toBe(100);
    expect(runs('COMMIT')).toBe(1);
    store.append('a', entryAt(102));
    expect(store.flushed()).not.toBe(group);
    await store.flushed();
    expect(runs('INSERT INTO entry')).toBe(101);
  });

  test('`flushed` does not resolve before the commit', async () => {
    const store = opened();
    store.append('a', entryAt(1));
    await store.flushed();
    const runs = countRuns();
    store.append('a', entryAt(2));
    const seen = store.flushed()?.then(() => runs('INSERT INTO entry'));
    expect(runs('INSERT INTO entry')).toBe(0);
    expect(await seen).toBe(1);
  });

  test('store-failed: a failed commit rejects all waiting calls, and the store accepts no further entries', async () => {
    const store = opened();
    store.append('a', entryAt(1));
    await store.flushed();
    const run = vi.spyOn(StatementSync.prototype, 'run').mockImplementation(() => {
      throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 });
    });
    store.append('a', entryAt(2));
    store.append('a', entryAt(3));
    const waiting = [store.flushed(), store.flushed(), store.keep('a', 'key', 'one')];
    for (const promise of waiting) await expect(promise).rejects.toMatchObject({ code: 'store-failed' });
    run.mockRestore();
    expect(() => store.append('a', entryAt(4))).toThrow(expect.objectContaining({ code: 'store-failed' }));
    expect(() => store.admit('a')).toThrow(expect.objectContaining({ code: 'store-failed' }));
    await expect(store.flushed()).rejects.toMatchObject({ code: 'store-failed' });
    await expect(store.entries('a', { after: 0, limit: 9 })).rejects.toMatchObject({ code: 'store-failed' });
    await expect(store.kept('a', 'key')).rejects.toMatchObject({ code: 'store-failed' });
    await expect(store.saveSnapshot('a', snapshotAt(1, ''))).rejects.toMatchObject({ code: 'store-failed' });
    await expect(store.remove('a')).rejects.toMatchObject({ code: 'store-failed' });
  });

  test('store-failed: a group of entries that fails halfway leaves nothing on disk', async () => {
    const path = join(temporaryFolder(), 'store.sqlite');
    const store = opened(path);
    store.append('a', entryAt(1));
    await store.flushed();
    const { run } = StatementSync.prototype;
    let inserts = 0;
    const spy = vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
      if (this.sourceSQL.startsWith('INSERT INTO entry')) inserts += 1;
      if (inserts === 2) throw new Error('database or disk is full');
      return run.apply(this, values);
    });
    store.append('a', entryAt(2));
    store.append('a', entryAt(3));
    await expect(store.flushed()).rejects.toMatchObject({ code: 'store-failed' });
    spy.mockRestore();
    await expect(store.close()).rejects.toMatchObject({ code: 'store-failed' });
    expect(await opened(path).lastSeq('a')).toBe(1);
  });

  test('store-failed: a closed store accepts no entries', async () => {
    const store = opened();
    store.append('a', entryAt(1));
    await store.close();
    expect(() => store.append('a', entryAt(2))).toThrow(expect.objectContaining({ code: 'store-failed' }));
    await expect(store.close()).resolves.toBeUndefined();
  });
});
