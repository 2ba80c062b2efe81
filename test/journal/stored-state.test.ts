import fc from 'fast-check';
import { expect, test } from 'vitest';
import { serializeState } from '../../src/journal/snapshot.ts';
import { stateAt } from '../../src/journal/stored-state.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { acts, played } from './random-journal.ts';

const otherDigest = 'of other machines';

test('opening a store with states saved at any entries, even abandoned ones, leads to the same state as a replay', async () => {
  await fc.assert(
    fc.asyncProperty(acts({ goingBack: true }), fc.array(fc.nat(), { maxLength: 4 }), async (given, places) => {
      const store = new MemoryStore();
      await played(store, given);
      const lastSeq = await store.lastSeq('random');
      for (const [index, place] of places.entries()) {
        const seq = (place % lastSeq) + 1;
        const state = serializeState(await stateAt(store, 'random', seq, otherDigest));
        await store.saveSnapshot('random', { name: `fold-${index}`, seq, atMs: 0, digest: 'ours', state });
      }
      const opened = await stateAt(store, 'random', lastSeq, 'ours');
      expect(serializeState(opened)).toBe(serializeState(await stateAt(store, 'random', lastSeq, otherDigest)));
    }),
    { numRuns: 60 },
  );
});

test('a state that another model has saved is not used and not parsed', async () => {
  const store = new MemoryStore();
  await played(store, []);
  await store.saveSnapshot('random', { name: '', seq: 1, atMs: 0, digest: otherDigest, state: 'unreadable' });
  await expect(stateAt(store, 'random', 1, 'ours')).resolves.toMatchObject({ lastSeq: 1 });
});

test('store-corrupt: a journal that ends before the requested entry is rejected', async () => {
  const store = new MemoryStore();
  await played(store, []);
  await expect(stateAt(store, 'random', 2, 'ours')).rejects.toMatchObject({ code: 'store-corrupt' });
});
