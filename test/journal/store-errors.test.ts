import { describe, expect, it } from 'vitest';
import { NudgeLabError } from '../../src/core/errors.ts';
import { dueFault, isDue, meetOccasion, setFaults, type UserFaultKind } from '../../src/journal/faults.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { corrupt, storeError } from '../../src/journal/stores/sqlite-errors.ts';
import { createSandbox } from './signing-in.ts';

describe('SQLite errors', () => {
  const sqlite = (errcode: unknown) => Object.assign(new Error('what SQLite says'), { errcode });

  it.for([
    [5, 'store-locked'],
    [6, 'store-locked'],
    [8, 'file-unreadable'],
    [11, 'store-corrupt'],
    [14, 'file-unreadable'],
    [26, 'store-corrupt'],
    // Extended codes contain the result code in their low byte.
    [5 + 256, 'store-locked'],
    [11 + 2 * 256, 'store-corrupt'],
    [14 + 3 * 256, 'file-unreadable'],
    [1, 'store-failed'],
    [13, 'store-failed'],
    ['5', 'store-failed'],
    [undefined, 'store-failed'],
  ] as const)('the result %j becomes %s', ([errcode, code]) => {
    const error = storeError('lab.db', sqlite(errcode), 'store-failed');
    expect(error.code).toBe(code);
    expect(error.message).toContain('lab.db: what SQLite says');
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('other errors get the given code, and errors of this program are unchanged', () => {
    for (const cause of [new Error('x'), 'x', null, undefined, 5]) {
      expect(storeError('lab.db', cause, 'store-unavailable').code).toBe('store-unavailable');
    }
    const own = new NudgeLabError('store-unrecognized');
    expect(storeError('lab.db', own, 'store-failed')).toBe(own);
    expect(corrupt('lab.db', 'it is torn')).toMatchObject({
      code: 'store-corrupt',
      message: expect.stringContaining('lab.db: it is torn'),
    });
  });
});

describe('faults that affect users', () => {
  const fails = (more: object = {}) => ({ kind: 'registration-fails', ...more }) as never;
  const kinds: readonly UserFaultKind[] = ['registration-fails'];

  it.for([
    [{}, [true, true, true, true]],
    [{ times: 2 }, [true, true, false, false]],
    [{ after: 1 }, [false, true, true, true]],
    [{ after: 1, times: 2 }, [false, true, true, false]],
  ] as const)('the fault %j applies at the occurrences %j', ([fault, due]) => {
    expect([0, 1, 2, 3].map((occasion) => isDue(fails(fault), occasion))).toEqual(due);
  });

  it('each fault counts the occurrences of its kind and its user, whether it applies or not', () => {
    const state = { faults: [], occurrences: [] as readonly number[] };
    setFaults(state, [
      fails({ user: 'ada', after: 1 }),
      fails({ times: 1 }),
      { kind: 'push-denied' } as never,
      { kind: 'delay', endpoint: 'policy' } as never,
    ]);
    expect(state.occurrences).toEqual([0, 0, 0, 0]);
    expect(dueFault(state, kinds, 'ada')).toEqual(fails({ times: 1 }));
    expect(state.occurrences).toEqual([0, 0, 0, 0]);
    expect(meetOccasion(state, kinds, 'ben')).toEqual(fails({ times: 1 }));
    expect(state.occurrences).toEqual([0, 1, 0, 0]);
    expect(meetOccasion(state, kinds, 'ada')).toBeNull();
    expect(state.occurrences).toEqual([1, 2, 0, 0]);
    expect(meetOccasion(state, kinds, 'ada')).toEqual(fails({ user: 'ada', after: 1 }));
    expect(meetOccasion(state, ['push-denied', 'push-never-arrives'], 'ben')).toEqual({ kind: 'push-denied' });
    expect(state.occurrences).toEqual([2, 3, 1, 0]);
  });

  it('no occurrences are counted without faults', () => {
    const state = { faults: [], occurrences: [] };
    expect([dueFault(state, kinds, 'ada'), meetOccasion(state, kinds, 'ada'), state.occurrences]).toEqual([
      null,
      null,
      [],
    ]);
  });
});

describe('in-memory store', () => {
  it('stores journals in order up to a limit, and returns ranges of them', async () => {
    const sandbox = await createSandbox();
    for (const os of ['linux', 'ios', 'macos'] as const) await sandbox.directory.setNextSignIn('ada', { os });
    const entries = await sandbox.journal({ after: 0, limit: 10 });
    const store = new MemoryStore({ entriesMax: 3 });
    for (const entry of entries.slice(0, 3)) store.append('a', entry);
    expect(() => store.append('a', entries[3] ?? expect.fail())).toThrow(
      expect.objectContaining({ code: 'journal-full' }),
    );
    expect(() => store.append('b', entries[1] ?? expect.fail())).toThrow(
      expect.objectContaining({ code: 'sandbox-not-found' }),
    );
    const seqs = async (query: Parameters<MemoryStore['entries']>[1]) =>
      (await store.entries('a', query)).map(({ seq }) => seq);
    expect(await seqs({ after: 0, limit: 2 })).toEqual([1, 2]);
    expect(await seqs({ after: 1, limit: 9 })).toEqual([2, 3]);
    expect(await seqs({ after: 0, limit: 1, type: 'nextSignIn.set' })).toEqual([2]);
    expect(await seqs({ after: 2, limit: 9, type: 'nextSignIn.set' })).toEqual([3]);
    expect(await store.entries('none', { after: 0, limit: 9 })).toEqual([]);
    expect([await store.lastSeq('a'), await store.lastSeq('none')]).toEqual([3, 0]);
  });

  it('a fork has the snapshots of its own entries, in the order of their names', async () => {
    const [first] = await (await createSandbox()).journal({ after: 0, limit: 1 });
    const store = new MemoryStore();
    store.append('a', first ?? expect.fail());
    for (const [name, seq] of [
      ['z', 1],
      ['b', 1],
      ['late', 2],
    ] as const) {
      await store.saveSnapshot('a', { name, seq, atMs: 0, digest: 'd', state: 'text' });
    }
    await store.fork('a', 'f', 1);
    expect((await store.snapshots('a')).map(({ name }) => name)).toEqual(['b', 'late', 'z']);
    expect(await store.snapshots('f')).toEqual(['b', 'z'].map((name) => ({ name, seq: 1, atMs: 0, digest: 'd' })));
    expect(await store.snapshots('none')).toEqual([]);
    await expect(store.fork('a', 'f', 1)).rejects.toMatchObject({ code: 'sandbox-exists' });
    await store.keep('a', 'claim/x', '1');
    await store.keep('a', 'other', '2');
    expect([...(await store.keptUnder('a', 'claim/'))]).toEqual([['claim/x', '1']]);
    await store.discard('a', 'claim/x');
    expect([await store.kept('a', 'claim/x'), await store.kept('a', 'other'), await store.kept('none', 'x')]).toEqual([
      null,
      '2',
      null,
    ]);
    await store.remove('a');
    expect([await store.sandboxIds(), await store.lastSeq('a')]).toEqual([['f'], 0]);
    await store.close();
    expect(await store.sandboxIds()).toEqual([]);
  });
});
