import { describe, expect, test } from 'vitest';
import { documentRequest } from '../../src/contract/document.schema.ts';
import { settleDocuments } from '../../src/journal/document-state.ts';
import { deserializeState, serializeState } from '../../src/journal/snapshot.ts';
import { stateAt } from '../../src/journal/stored-state.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { planSandbox, Sandbox } from '../../src/sandbox/sandbox.ts';

const pages = [{ content: 'a' }, { content: 'b' }, { content: 'c' }];

async function sandboxWith(timing: object): Promise<{ sandbox: Sandbox; store: MemoryStore }> {
  const store = new MemoryStore();
  const sandbox = await Sandbox.create('x', planSandbox({}), store);
  await sandbox.documents.add(documentRequest.parse({ title: 'Any', pages, timing }));
  return { sandbox, store };
}

describe('documents in the journal', () => {
  test('D7: states and modification times are those of the steps, whether the clock advances slowly or in one jump', async () => {
    const timing = { startMs: 100, pageMs: 10, visibilityMs: 5 };
    const slow = await sandboxWith(timing);
    for (let step = 0; step < 130; step += 1) await slow.sandbox.clock.advance({ ms: 1 });
    const quick = await sandboxWith(timing);
    await quick.sandbox.clock.advance({ ms: 130 });
    const { state, modifiedAtMs, processed } = quick.sandbox.documents.get(1);
    expect({ state, processed }).toEqual({ state: 'ready', processed: 3 });
    expect(slow.sandbox.documents.get(1)).toMatchObject({ state, modifiedAtMs, processed });
  });

  test.for([
    [99, 'created', 0],
    [100, 'processing', 0],
    [109, 'processing', 0],
    [110, 'processing', 1],
    [129, 'processing', 2],
    [130, 'ready', 3],
  ] as const)('D7: after %i ms, the document is %s with %i processed pages', async ([ms, state, processed]) => {
    const { sandbox } = await sandboxWith({ startMs: 100, pageMs: 10 });
    await sandbox.clock.advance({ ms });
    expect(sandbox.documents.get(1)).toMatchObject({ state, processed });
  });

  test('D7: a rebuilt state and a stored state have the same documents', async () => {
    const { sandbox, store } = await sandboxWith({ startMs: 100 });
    await sandbox.documents.addSeries(50, 2, 3);
    await sandbox.documents.change(sandbox.documents.get(20), { title: 'Other', slug: 'other' });
    await sandbox.documents.remove(30);
    await sandbox.clock.advance({ ms: 100 });
    const state = sandbox.recorder.state();
    const folded = await stateAt(store, 'x', state.lastSeq, 'none');
    settleDocuments(folded.documents, sandbox.clock.nowMs());
    expect(folded.documents.records).toEqual(state.documents.records);
    expect(deserializeState(serializeState(state)).documents).toEqual(state.documents);
    expect(sandbox.documents.count()).toBe(50);
  });

  test('D2: a series is the same for the same random seed and differs for another', async () => {
    const titles = async (seed: number): Promise<readonly string[]> => {
      const sandbox = await Sandbox.create('x', planSandbox({}), new MemoryStore());
      await sandbox.documents.addSeries(20, 1, seed);
      return Array.from({ length: 20 }, (_, index) => sandbox.documents.get(index + 1).title);
    };
    expect(await titles(7)).toEqual(await titles(7));
    expect(await titles(7)).not.toEqual(await titles(8));
  });
});
