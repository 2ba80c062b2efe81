import { describe, expect, it } from 'vitest';
import { seriesPagesMax } from '../../src/contract/document-limits.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { DocumentIndex } from '../../src/sandbox/documents/document-index.ts';
import { type ForgettableIndex, IndexRoom } from '../../src/sandbox/documents/index-room.ts';
import { planSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';

const window = { limit: 3, offset: 0 };

async function sandboxOf(series: readonly { readonly count: number; readonly pages: number }[]): Promise<Sandbox> {
  const sandboxes = await Sandboxes.open(new MemoryStore());
  const sandbox = await sandboxes.create('default', planSandbox({ users: [{ id: 'ada' }] }));
  for (const { count, pages } of series) await sandbox.documents.addSeries(count, pages, 1);
  await sandbox.documents.ready();
  return sandbox;
}

/** An index of a room, which forgets when it is told to, unless it is busy. */
class Held implements ForgettableIndex {
  isForgotten = false;
  isBusy = false;

  forget(): boolean {
    this.isForgotten = !this.isBusy;
    return this.isForgotten;
  }
}

describe('the index of documents', () => {
  it('too-many-documents: a sandbox takes no more synthetic pages than an index in memory can hold', async () => {
    const sandbox = await sandboxOf([{ count: seriesPagesMax / 100, pages: 99 }]);
    await expect(sandbox.documents.addSeries(seriesPagesMax / 100 + 1, 1, 1)).rejects.toMatchObject({
      code: 'too-many-documents',
    });
    await sandbox.documents.addSeries(seriesPagesMax / 100, 1, 1);
    expect(sandbox.documents.count()).toBe(seriesPagesMax / 50);
  });

  it('server-busy: who waits too long for it is told to come back, and it is made all the same', async () => {
    const sandbox = await sandboxOf([{ count: 3_000, pages: 1 }]);
    const index = new DocumentIndex(
      {
        documents: () => sandbox.recorder.state().documents,
        record: (id) => sandbox.documents.find(id),
        texts: async () => ['marker'],
      },
      0,
    );
    await expect(index.pages({ match: '"marker"' }, window)).rejects.toMatchObject({
      code: 'server-busy',
      headers: { 'Retry-After': '1' },
    });
    await expect
      .poll(() => index.pages({ match: '"marker"' }, window).catch(() => null), { timeout: 20_000 })
      .toEqual({
        rows: [1, 2, 3].map((documentId) => ({ documentId, number: 1 })),
        total: 3_000,
      });
  });

  it('what was forgotten is made anew, and answers as before', async () => {
    const { documents } = await sandboxOf([{ count: 20, pages: 2 }]);
    const before = await documents.index.pages({}, window);
    expect(documents.index.forget()).toBe(true);
    expect(await documents.index.pages({}, window)).toEqual(before);
    const asked = documents.index.documents({}, window);
    expect(documents.index.forget()).toBe(true);
    expect((await asked).total).toBe(20);
  });

  it('the one that was asked longest ago makes room, never the newest or a busy one', () => {
    const room = new IndexRoom(100);
    const [first, second, third] = [new Held(), new Held(), new Held()];
    room.note(first, 40);
    room.note(second, 40);
    room.note(first, 50);
    room.note(third, 30);
    expect([first, second, third].map(({ isForgotten }) => isForgotten)).toEqual([false, true, false]);
    first.isBusy = true;
    room.note(third, 200);
    expect([first, third].map(({ isForgotten }) => isForgotten)).toEqual([false, false]);
  });
});
