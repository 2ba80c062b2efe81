import { describe, expect, it } from 'vitest';
import type { DocumentTiming } from '../../machines/document.machine.ts';
import {
  applyToDocuments,
  canMove,
  countPages,
  countShownPages,
  type DocumentJournalEvent,
  type DocumentsState,
  findSeries,
  isPending,
  noDocuments,
  settleDocuments,
} from '../../src/journal/document-state.ts';

/** Documents to which events are applied in order, each with its time. */
class Documents {
  readonly state: DocumentsState = noDocuments();
  #seq = 0;

  apply(atMs: number, event: object): this {
    this.#seq += 1;
    applyToDocuments(this.state, event as DocumentJournalEvent, { seq: this.#seq, atMs });
    return this;
  }

  add(atMs: number, timing: DocumentTiming | null, pages = 3): this {
    const source = { kind: 'given', pages: Array.from({ length: pages }, () => ({ content: 'x' })) };
    return this.apply(atMs, {
      type: 'document.added',
      document: { uid: `uid-${this.state.nextId}`, title: 'Any', public: false, source, timing },
    });
  }

  move(atMs: number, move: string, more: object = {}): this {
    return this.apply(atMs, { type: 'document.transitioned', documentId: 1, move, ...more });
  }

  /** Returns the state, the processed pages, the visibility, and the times of the state and of the last change. */
  get(id = 1): unknown {
    const record = this.state.records[id];
    return record && [record.state, record.processed, record.public, record.sinceMs, record.modifiedAtMs];
  }
}

const timing = { startMs: 100, pageMs: 10, visibilityMs: 5 };

describe('documents of a sandbox', () => {
  it('D7: a document that is moved by hand passes through its states, each with the time of its step', () => {
    const documents = new Documents().add(7, null);
    expect(documents.get()).toEqual(['created', 0, false, 7, 7]);
    expect(documents.move(10, 'start').get()).toEqual(['processing', 0, false, 10, 10]);
    expect(documents.move(20, 'process', { pages: 2 }).get()).toEqual(['processing', 2, false, 10, 20]);
    expect(documents.move(30, 'process').get()).toEqual(['ready', 3, false, 30, 30]);
    expect(documents.move(40, 'publish').get()).toEqual(['publishing', 3, false, 40, 40]);
    expect(documents.move(50, 'publish').get()).toEqual(['ready', 3, true, 50, 50]);
    expect(documents.move(60, 'unpublish').get()).toEqual(['unpublishing', 3, true, 60, 60]);
    expect(documents.move(70, 'unpublish').get()).toEqual(['ready', 3, false, 70, 70]);
    expect(documents.move(80, 'reprocess').get()).toEqual(['created', 0, false, 80, 80]);
    settleDocuments(documents.state, 1_000_000);
    expect([documents.get(), documents.state.moving]).toEqual([['created', 0, false, 80, 80], []]);
  });

  it('D7: the clock executes only the steps that are due', () => {
    const documents = new Documents().add(0, timing);
    expect(documents.state.moving).toEqual([1]);
    for (const [nowMs, expected] of [
      [99, ['created', 0, false, 0, 0]],
      [100, ['processing', 0, false, 100, 100]],
      [110, ['processing', 1, false, 100, 110]],
      [129, ['processing', 2, false, 100, 120]],
      [500, ['ready', 3, false, 130, 130]],
    ] as const) {
      settleDocuments(documents.state, nowMs);
      expect([nowMs, documents.get()]).toEqual([nowMs, expected]);
    }
    expect(documents.state.moving).toEqual([]);
    documents.move(600, 'publish');
    expect(documents.state.moving).toEqual([1]);
    settleDocuments(documents.state, 605);
    expect([documents.get(), documents.state.moving]).toEqual([['ready', 3, true, 605, 605], []]);
  });

  it('D7: a document whose steps take no time is ready immediately, and others wait for their own steps', () => {
    const none = { startMs: 0, pageMs: 0, visibilityMs: 0 };
    const documents = new Documents()
      .add(5, none)
      .add(5, timing)
      .add(5, { ...none, startMs: 10 });
    expect([1, 2, 3].map((id) => documents.get(id))).toEqual([
      ['ready', 3, false, 5, 5],
      ['created', 0, false, 5, 5],
      ['created', 0, false, 5, 5],
    ]);
    expect(documents.state.moving).toEqual([2, 3]);
    settleDocuments(documents.state, 15);
    expect([documents.state.moving, documents.get(3)]).toEqual([[2], ['ready', 3, false, 15, 15]]);
  });

  it('D2: ids are assigned in order, including all ids of a series, and are not reused after a removal', () => {
    const documents = new Documents().add(1, null);
    documents.apply(2, { type: 'document.syntheticAdded', count: 5, seed: 3, pages: 2 }).add(3, null);
    expect(Object.keys(documents.state.records).map(Number)).toEqual([1, 7]);
    expect(documents.state.series).toEqual([
      { firstId: 2, count: 5, seed: 3, pages: 2, createdAtMs: 2, addedBySeq: 2 },
    ]);
    expect([1, 2, 6, 7].map((id) => findSeries(documents.state, id)?.firstId ?? null)).toEqual([null, 2, 2, null]);
    expect(documents.state.idsByUid).toEqual({ 'uid-1': 1, 'uid-7': 7 });
    documents
      .apply(4, { type: 'document.removed', documentId: 7 })
      .apply(5, { type: 'document.removed', documentId: 3 });
    expect(documents.state).toMatchObject({ nextId: 8, removed: { 3: true, 7: true }, idsByUid: { 'uid-1': 1 } });
    expect(documents.get(7)).toBeUndefined();
    expect(documents.add(6, null).state.records[8]?.id).toBe(8);
  });

  it('D7: a removed document has no further steps', () => {
    const documents = new Documents().add(0, timing).add(0, timing);
    documents.apply(1, { type: 'document.removed', documentId: 1 });
    expect(documents.state.moving).toEqual([2]);
  });

  it('D2: a change keeps the other fields and raises the revision with its time', () => {
    const documents = new Documents().add(1, null);
    const before = documents.state.revision;
    documents.apply(9, { type: 'document.changed', documentId: 1, title: 'Other' });
    expect(documents.state.records[1]).toMatchObject({
      title: 'Other',
      uid: 'uid-1',
      createdAtMs: 1,
      modifiedAtMs: 9,
      changedBySeq: 2,
    });
    expect(documents.state.records[1]).not.toHaveProperty('type');
    expect(documents.state.revision).toBeGreaterThan(before);
    const { state } = documents;
    const revision = state.revision;
    documents.apply(10, { type: 'document.removed', documentId: 1 });
    expect(state.revision).toBeGreaterThan(revision);
  });

  it('D7: a step or change of a document in a series uses the record of the event', () => {
    const documents = new Documents().apply(2, { type: 'document.syntheticAdded', count: 5, seed: 3, pages: 2 });
    const source = { kind: 'made', pages: 2 };
    const taken = {
      id: 3,
      uid: 'made-3',
      state: 'ready',
      processed: 2,
      public: true,
      source,
      timing: null,
      sinceMs: 2,
    };
    documents.apply(4, { type: 'document.changed', documentId: 3, taken, title: 'Other' });
    expect(documents.state.records[3]).toMatchObject({ title: 'Other', uid: 'made-3', modifiedAtMs: 4 });
    expect(documents.state.records[3]).not.toHaveProperty('taken');
    const unpublished = { ...taken, id: 4, uid: 'made-4' };
    documents.apply(5, { type: 'document.transitioned', documentId: 4, taken: unpublished, move: 'unpublish' });
    expect(documents.get(4)).toEqual(['unpublishing', 2, true, 5, 5]);
  });

  it.for([
    ['created', false, ['reprocess', 'publish', 'unpublish', 'process'], ['start']],
    ['processing', false, ['start', 'publish', 'unpublish', 'reprocess'], ['process']],
    ['ready', false, ['start', 'process', 'unpublish'], ['publish', 'reprocess']],
    ['ready', true, ['start', 'process', 'publish'], ['unpublish', 'reprocess']],
    ['publishing', false, ['start', 'process', 'unpublish', 'reprocess'], ['publish']],
    ['unpublishing', true, ['start', 'process', 'publish', 'reprocess'], ['unpublish']],
  ] as const)(
    'D7: a document in the state %s with public %s cannot %j and can %j',
    ([state, isPublic, cannot, can]) => {
      const { records } = new Documents().add(0, null).state;
      const record = { ...(records[1] ?? expect.fail()), state, public: isPublic };
      expect([...cannot, ...can].filter((move) => canMove(record, move))).toEqual(can);
    },
  );

  it('D2, D3: only processed pages are shown, and a record is pending until it is ready', () => {
    const { records } = new Documents().add(0, null, 4).state;
    const record = { ...(records[1] ?? expect.fail()), processed: 2 };
    const states = ['created', 'processing', 'ready', 'publishing', 'unpublishing'] as const;
    expect(states.map((state) => countShownPages({ ...record, state }))).toEqual([0, 2, 4, 4, 4]);
    expect(states.map((state) => isPending({ state }))).toEqual([true, true, false, true, true]);
    expect(countPages(record)).toBe(4);
    expect(countPages({ source: { kind: 'made', pages: 7 } as never })).toBe(7);
  });
});
