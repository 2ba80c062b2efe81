import fc from 'fast-check';
import { expect, test } from 'vitest';
import { serializeState } from '../../src/journal/snapshot.ts';
import { stateAt } from '../../src/journal/stored-state.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { acts, played } from './random-journal.ts';

const anew = 'of other machines';

test('with stored folds at any places, abandoned ones too, opening leads to the state that folding again leads to', async () => {
  await fc.assert(
    fc.asyncProperty(acts({ goingBack: true }), fc.array(fc.nat(), { maxLength: 4 }), async (given, places) => {
      const store = new MemoryStore();
      await played(store, given);
      const lastSeq = await store.lastSeq('random');
      for (const [index, place] of places.entries()) {
        const seq = (place % lastSeq) + 1;
        const state = serializeState(await stateAt(store, 'random', seq, anew));
        await store.saveSnapshot('random', { name: `fold-${index}`, seq, atMs: 0, digest: 'ours', state });
      }
      const opened = await stateAt(store, 'random', lastSeq, 'ours');
      expect(serializeState(opened)).toBe(serializeState(await stateAt(store, 'random', lastSeq, anew)));
    }),
    { numRuns: 60 },
  );
});

test('a fold of other machines is not used, not even looked at', async () => {
  const store = new MemoryStore();
  await played(store, []);
  await store.saveSnapshot('random', { name: '', seq: 1, atMs: 0, digest: anew, state: 'unreadable' });
  await expect(stateAt(store, 'random', 1, 'ours')).resolves.toMatchObject({ lastSeq: 1 });
});

test('store-corrupt: a journal that ends before the place it is asked for is not taken for whole', async () => {
  const store = new MemoryStore();
  await played(store, []);
  await expect(stateAt(store, 'random', 2, 'ours')).rejects.toMatchObject({ code: 'store-corrupt' });
});
