import { describe, expect, onTestFinished, test } from 'vitest';
import type { JournalEvent } from '../../src/journal/journal-event.ts';
import type { JournalStore } from '../../src/journal/store.ts';
import { entryAt, snapshotAt } from './stored-samples.ts';

/** Function that opens an empty store. Its data is removed after the test. */
export type OpenStore = (options: { readonly entriesMax?: number }) => JournalStore | Promise<JournalStore>;

/** Defines the tests that every store must pass. */
export function storeConformance(open: OpenStore): void {
  const opened = async (options: { readonly entriesMax?: number } = {}): Promise<JournalStore> => {
    const store = await open(options);
    onTestFinished(() => store.close());
    return store;
  };
  describe('entries', () => entriesConformance(opened));
  describe('snapshots and values', () => besidesConformance(opened));
  describe('whole sandboxes', () => sandboxConformance(opened));
}

type Opened = (options?: { readonly entriesMax?: number }) => Promise<JournalStore>;

async function withEntries(opened: Opened, count: number, sandboxId = 'a'): Promise<JournalStore> {
  const store = await opened();
  appendUpTo(store, sandboxId, count);
  return store;
}

function appendUpTo(store: JournalStore, sandboxId: string, count: number): void {
  for (let seq = 1; seq <= count; seq += 1) store.append(sandboxId, entryAt(seq));
}

function entriesConformance(opened: Opened): void {
  test('a read returns appended entries immediately, unchanged and in order', async () => {
    const store = await opened();
    const odd: JournalEvent = { type: 'token.revoked', tokenId: 'ü "\\ \n\0 😀 \ud800' };
    store.append('a', entryAt(1, odd));
    store.append('a', entryAt(2));
    expect(await store.entries('a', { after: 0, limit: 10 })).toEqual([entryAt(1, odd), entryAt(2)]);
  });

  test('`after`, `limit` and `type` each restrict the entries that are read', async () => {
    const store = await withEntries(opened, 4);
    store.append('a', entryAt(5, { type: 'user.removed', userId: 'u' }));
    store.append('a', entryAt(6));
    store.append('a', entryAt(7, { type: 'user.removed', userId: 'v' }));
    const seqs = async (query: { after: number; limit: number; type?: string }) =>
      (await store.entries('a', query)).map(({ seq }) => seq);
    expect(await seqs({ after: 2, limit: 3 })).toEqual([3, 4, 5]);
    expect(await seqs({ after: 7, limit: 3 })).toEqual([]);
    expect(await seqs({ after: 0, limit: 0 })).toEqual([]);
    expect(await seqs({ after: 0, limit: Number.POSITIVE_INFINITY })).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await seqs({ after: 0, limit: 9, type: 'user.removed' })).toEqual([5, 7]);
    expect(await seqs({ after: 5, limit: 9, type: 'user.removed' })).toEqual([7]);
    expect(await seqs({ after: 0, limit: 1, type: 'user.removed' })).toEqual([5]);
  });

  test('restore entries are found by their type', async () => {
    const store = await withEntries(opened, 2);
    const back: JournalEvent = { type: 'state.restored', toSeq: 1, clock: { running: false, nowMs: 5 } };
    store.append('a', entryAt(3, back));
    expect(await store.entries('a', { after: 0, limit: 9, type: 'state.restored' })).toEqual([entryAt(3, back)]);
  });

  test('an entry out of order is rejected and not appended', async () => {
    const store = await withEntries(opened, 2);
    for (const seq of [1, 2, 4]) expect(() => store.append('a', entryAt(seq))).toThrow(RangeError);
    expect(await store.lastSeq('a')).toBe(2);
    store.append('a', entryAt(3));
    expect(await store.entries('a', { after: 0, limit: 9 })).toHaveLength(3);
  });

  test('sandbox-not-found: only a first entry creates a sandbox', async () => {
    const store = await opened();
    expect(() => store.append('a', entryAt(2))).toThrow(expect.objectContaining({ code: 'sandbox-not-found' }));
    expect(() => store.admit('a')).toThrow(expect.objectContaining({ code: 'sandbox-not-found' }));
    expect(await store.sandboxIds()).toEqual([]);
    expect(await store.entries('a', { after: 0, limit: 9 })).toEqual([]);
    expect(await store.lastSeq('a')).toBe(0);
  });

  test('journal-full: at the limit, the journal rejects further entries and keeps the existing ones', async () => {
    const store = await opened({ entriesMax: 2 });
    appendUpTo(store, 'a', 2);
    expect(() => store.admit('a')).toThrow(expect.objectContaining({ code: 'journal-full' }));
    expect(() => store.append('a', entryAt(3))).toThrow(expect.objectContaining({ code: 'journal-full' }));
    store.append('b', entryAt(1));
    await store.flushed();
    expect(await store.lastSeq('a')).toBe(2);
    expect(await store.lastSeq('b')).toBe(1);
  });

  test('no entry is pending after a flush', async () => {
    const store = await withEntries(opened, 3);
    await store.flushed();
    expect(store.flushed()).toBeNull();
  });
}

function besidesConformance(opened: Opened): void {
  test('a snapshot is read by its name as it was saved, until another one replaces it', async () => {
    const store = await withEntries(opened, 3);
    await store.saveSnapshot('a', snapshotAt(1, ''));
    await store.saveSnapshot('a', snapshotAt(2, 'two'));
    await store.saveSnapshot('a', snapshotAt(3, ''));
    expect(await store.snapshot('a', '')).toEqual(snapshotAt(3, ''));
    expect(await store.snapshot('a', 'two')).toEqual(snapshotAt(2, 'two'));
    expect(await store.snapshot('a', 'three')).toBeNull();
    expect(await store.snapshot('b', 'two')).toBeNull();
  });

  test('snapshots are listed by name with their sequence numbers and without their text', async () => {
    const store = await withEntries(opened, 3);
    await store.saveSnapshot('a', snapshotAt(3, 'b'));
    await store.saveSnapshot('a', snapshotAt(2, 'a'));
    await store.saveSnapshot('a', snapshotAt(1, ''));
    const { state: _1, ...first } = snapshotAt(1, '');
    const { state: _2, ...second } = snapshotAt(2, 'a');
    const { state: _3, ...third } = snapshotAt(3, 'b');
    expect(await store.snapshots('a')).toEqual([first, second, third]);
    expect(await store.snapshots('nobody')).toEqual([]);
  });

  test('a long snapshot is unchanged, even if a part ends within a surrogate pair', async () => {
    const store = await withEntries(opened, 1);
    for (const shift of ['', 'x']) {
      const text = shift + '😀'.repeat(200_000);
      await store.saveSnapshot('a', snapshotAt(1, 'long', text));
      expect((await store.snapshot('a', 'long'))?.state === text).toBe(true);
    }
  });

  test('saving several snapshots of one name at once stores one of them completely', async () => {
    const store = await withEntries(opened, 1);
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(300_000));
    await Promise.all(texts.map((text) => store.saveSnapshot('a', snapshotAt(1, 'same', text))));
    expect(texts).toContain((await store.snapshot('a', 'same'))?.state);
    expect(await store.snapshots('a')).toHaveLength(1);
  });

  test('a value is stored by sandbox and name until another value replaces it', async () => {
    const store = await withEntries(opened, 1);
    appendUpTo(store, 'b', 1);
    await store.keep('a', 'key', 'one');
    await store.keep('a', 'key', 'two');
    expect(await store.kept('a', 'key')).toBe('two');
    expect(await store.kept('a', 'other')).toBeNull();
    expect(await store.kept('b', 'key')).toBeNull();
  });

  test('values are read together by the prefix of their names, and discarded values are removed', async () => {
    const store = await withEntries(opened, 1);
    appendUpTo(store, 'b', 1);
    for (const name of ['of/b', 'of/a', 'of', 'off', 'oe/a', 'og/a', 'x/of/a'])
      await store.keep('a', name, `value of ${name}`);
    await store.keep('b', 'of/c', 'of another');
    expect(Object.fromEntries(await store.keptUnder('a', 'of/'))).toEqual({
      'of/a': 'value of of/a',
      'of/b': 'value of of/b',
    });
    await store.discard('a', 'of/a');
    await store.discard('a', 'of/none');
    await store.discard('nobody', 'of/b');
    expect([...(await store.keptUnder('a', 'of/')).keys()]).toEqual(['of/b']);
    expect(await store.kept('a', 'of/a')).toBeNull();
    expect((await store.keptUnder('nobody', '')).size).toBe(0);
  });

  test('sandbox-not-found: no value or snapshot is stored for an unknown sandbox', async () => {
    const store = await opened();
    await expect(store.keep('a', 'key', 'one')).rejects.toMatchObject({ code: 'sandbox-not-found' });
    await expect(store.saveSnapshot('a', snapshotAt(1, ''))).rejects.toMatchObject({ code: 'sandbox-not-found' });
  });
}

function sandboxConformance(opened: Opened): void {
  test('sandboxes are listed in the order of their creation and share no data', async () => {
    const store = await opened();
    for (const id of ['c', 'a', 'b']) store.append(id, entryAt(1, { type: 'token.revoked', tokenId: id }));
    store.append('a', entryAt(2));
    expect(await store.sandboxIds()).toEqual(['c', 'a', 'b']);
    expect(await store.lastSeq('c')).toBe(1);
    expect(await store.entries('b', { after: 0, limit: 9 })).toEqual([
      entryAt(1, { type: 'token.revoked', tokenId: 'b' }),
    ]);
  });

  test('a fork has the journal and the snapshots up to its entry, and no stored values', async () => {
    const store = await withEntries(opened, 4);
    await store.saveSnapshot('a', snapshotAt(2, 'two'));
    await store.saveSnapshot('a', snapshotAt(3, 'three'));
    await store.saveSnapshot('a', snapshotAt(4, 'four'));
    await store.keep('a', 'key', 'one');
    await store.fork('a', 'fork', 3);
    expect(await store.entries('fork', { after: 0, limit: 9 })).toEqual([entryAt(1), entryAt(2), entryAt(3)]);
    expect(await store.snapshot('fork', 'two')).toEqual(snapshotAt(2, 'two'));
    expect(await store.snapshot('fork', 'three')).toEqual(snapshotAt(3, 'three'));
    expect(await store.snapshot('fork', 'four')).toBeNull();
    expect(await store.kept('fork', 'key')).toBeNull();
    store.append('fork', entryAt(4, { type: 'user.removed', userId: 'u' }));
    await store.saveSnapshot('fork', snapshotAt(3, 'two'));
    expect(await store.entries('a', { after: 3, limit: 9 })).toEqual([entryAt(4)]);
    expect(await store.snapshot('a', 'two')).toEqual(snapshotAt(2, 'two'));
  });

  test('a fork of an unknown sandbox or onto an existing sandbox is rejected', async () => {
    const store = await withEntries(opened, 2);
    appendUpTo(store, 'b', 1);
    await expect(store.fork('nobody', 'fork', 1)).rejects.toMatchObject({ code: 'sandbox-not-found' });
    await expect(store.fork('a', 'b', 1)).rejects.toMatchObject({ code: 'sandbox-exists' });
    expect(await store.sandboxIds()).toEqual(['a', 'b']);
  });

  test('a removed sandbox has no data, and its id can be used for a new sandbox without the old data', async () => {
    const store = await withEntries(opened, 3);
    appendUpTo(store, 'b', 2);
    await store.saveSnapshot('a', snapshotAt(2, 'two'));
    await store.keep('a', 'key', 'one');
    await store.remove('a');
    expect(await store.sandboxIds()).toEqual(['b']);
    expect(() => store.append('a', entryAt(4))).toThrow(expect.objectContaining({ code: 'sandbox-not-found' }));
    store.append('a', entryAt(1));
    expect(await store.entries('a', { after: 0, limit: 9 })).toEqual([entryAt(1)]);
    expect(await store.snapshots('a')).toEqual([]);
    expect(await store.kept('a', 'key')).toBeNull();
    expect(await store.lastSeq('b')).toBe(2);
    await store.remove('nobody');
  });

  test('sandbox-not-found: a snapshot that is being saved while its sandbox is removed is not stored', async () => {
    const store = await withEntries(opened, 1);
    const saving = store.saveSnapshot('a', snapshotAt(1, 'long', 'x'.repeat(400_000)));
    const outcome = saving.then(
      () => 'saved',
      (error: unknown) => error,
    );
    await store.remove('a');
    appendUpTo(store, 'a', 1);
    await outcome;
    expect(await store.snapshots('a')).toEqual([]);
  });
}
