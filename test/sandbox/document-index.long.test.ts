import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { documentRequest } from '../../src/contract/document.schema.ts';
import { seriesPagesMax } from '../../src/contract/document-limits.ts';
import type { DocumentRecord } from '../../src/journal/document-state.ts';
import { MemoryStore } from '../../src/journal/stores/memory.store.ts';
import { DocumentIndex } from '../../src/sandbox/documents/document-index.ts';
import { type ForgettableIndex, IndexMemoryBudget } from '../../src/sandbox/documents/index-memory-budget.ts';
import { parseSearchExpression } from '../../src/sandbox/documents/search-expression.ts';
import { planSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../src/sandbox/sandboxes.ts';
import { nonEmpty } from '../non-empty.ts';

const window = { limit: 3, offset: 0 };

async function createSandbox(series: readonly { readonly count: number; readonly pages: number }[]): Promise<Sandbox> {
  const sandboxes = await Sandboxes.open(new MemoryStore());
  const sandbox = await sandboxes.create('default', planSandbox({ users: [{ id: 'ada' }] }));
  for (const { count, pages } of series) await sandbox.documents.addSeries(count, pages, 1);
  await sandbox.documents.ready();
  return sandbox;
}

interface SearchedText {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly pages: readonly string[];
}

function collectTexts({ documents }: Sandbox): Promise<readonly SearchedText[]> {
  return Promise.all(
    documents.idsAfter(0, 1_000).map(async (id) => {
      const { title, description, ...record } = documents.get(id);
      const pages = await documents.pages({ title, description, ...record });
      return { id, title, description, pages: pages.map(({ content }) => content) };
    }),
  );
}

/**
 * Returns words and phrases of the texts: within and across sentences, lines, and fields, and some that do not occur.
 */
function listQueries(texts: readonly SearchedText[]): readonly string[] {
  const phrases = texts.slice(0, 12).flatMap(({ id, title, description, pages }) => {
    const words = (pages[0] ?? '').split(/\s+/);
    const parts = [1, 2, 3, 8, 20, 40, 90].map((length, index) =>
      words.slice(id + index, id + index + length).join(' '),
    );
    return [...parts, `${description.split(' ').slice(-3).join(' ')}`, description, title, `${title} ${description}`];
  });
  const odd = ['LOREM', 'lorém', 'lorem amet', 'and', 'nowhere', 'lorem nowhere', '"amet lorem" dolor', 'ⵣ lorem', 'ⵣ'];
  return [...phrases.map((phrase) => `"${phrase}"`), ...phrases.slice(0, 60), ...odd];
}

/** Full-text index of complete texts, the reference for a search of synthetic documents. */
class FullText {
  readonly #db = new DatabaseSync(':memory:');

  constructor(texts: readonly SearchedText[]) {
    const tokenizer = "tokenize='unicode61 remove_diacritics 2'";
    this.#db.exec(`CREATE VIRTUAL TABLE docs USING fts5(title, description, ${tokenizer});
      CREATE VIRTUAL TABLE pages USING fts5(content, ${tokenizer})`);
    const document = this.#db.prepare('INSERT INTO docs (rowid, title, description) VALUES (?, ?, ?)');
    const page = this.#db.prepare('INSERT INTO pages (rowid, content) VALUES (?, ?)');
    for (const { id, title, description, pages } of texts) {
      document.run(id, title, description);
      pages.forEach((content, index) => void page.run(id * 1_000 + index + 1, content));
    }
  }

  documents(match: string): readonly number[] {
    return this.#rows('SELECT rowid AS found FROM docs WHERE docs MATCH ? ORDER BY rowid', match);
  }

  pages(match: string): readonly string[] {
    const found = this.#rows('SELECT rowid AS found FROM pages WHERE pages MATCH ? ORDER BY rowid', match);
    return found.map((place) => `${Math.floor(place / 1_000)} ${place % 1_000}`);
  }

  #rows(sql: string, match: string): readonly number[] {
    return this.#db
      .prepare(sql)
      .all(match)
      .map(({ found }) => Number(found));
  }
}

/** Index that can be evicted from the memory budget unless it is busy. */
class Held implements ForgettableIndex {
  isForgotten = false;
  isBusy = false;

  forget(): boolean {
    this.isForgotten = !this.isBusy;
    return this.isForgotten;
  }
}

describe('document index', () => {
  it('too-many-documents: a sandbox rejects synthetic pages beyond the capacity of an index', async () => {
    const sandbox = await createSandbox([{ count: seriesPagesMax / 100, pages: 99 }]);
    await expect(sandbox.documents.addSeries(seriesPagesMax / 100 + 1, 1, 1)).rejects.toMatchObject({
      code: 'too-many-documents',
    });
    await sandbox.documents.addSeries(seriesPagesMax / 100, 1, 1);
    expect(sandbox.documents.count()).toBe(seriesPagesMax / 50);
  });

  it('server-busy: a request that waits too long for the index is rejected, but the index is still built', async () => {
    const sandbox = await createSandbox([]);
    for (let added = 0; added < 3_000; added += 1) {
      await sandbox.documents.add(documentRequest.parse({ public: true, pages: [{}] }));
    }
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

  it('server-busy: searching synthetic pages never indexes their texts, regardless of their number', async () => {
    const sandbox = await createSandbox([{ count: 2_000, pages: 100 }]);
    const index = new DocumentIndex({
      documents: () => sandbox.recorder.state().documents,
      record: (id) => sandbox.documents.find(id),
      texts: () => Promise.reject(new Error('The texts of synthetic pages were read.')),
    });
    const { content } = await sandbox.documents.page(sandbox.documents.get(1_234), 56);
    const { rows } = await index.pages({ match: parseSearchExpression(`"${content}"`) ?? '' }, window);
    expect(rows).toEqual([{ documentId: 1_234, number: 56 }]);
    expect((await index.pages({}, { limit: 1, offset: 199_999 })).rows).toEqual([{ documentId: 2_000, number: 100 }]);
  });

  it('D4: a search of synthetic records finds the same as a full-text index of their texts', async () => {
    const sandbox = await createSandbox([
      { count: 60, pages: 2 },
      { count: 40, pages: 3 },
    ]);
    const { documents } = sandbox;
    await documents.add(
      documentRequest.parse({ title: 'Amet and dolor', public: true, pages: [{ content: 'Lorem amet' }] }),
    );
    await documents.change(documents.get(7), { title: 'Consectetur' });
    await documents.remove(8);
    const texts = await collectTexts(sandbox);
    const fullText = new FullText(texts);
    for (const typed of nonEmpty(listQueries(texts))) {
      const match = parseSearchExpression(typed);
      if (match === null) continue;
      const all = { limit: 1_000, offset: 0 };
      const pages = await documents.index.pages({ match }, all);
      expect({ typed, found: pages.rows.map(({ documentId, number }) => `${documentId} ${number}`) }).toEqual({
        typed,
        found: fullText.pages(match),
      });
      expect({ typed, found: (await documents.index.documents({ match }, all)).rows }).toEqual({
        typed,
        found: fullText.documents(match),
      });
      const [first] = pages.rows;
      if (first === undefined) continue;
      const ofOne = await documents.index.pages({ match, documentId: first.documentId, number: first.number }, all);
      expect(ofOne).toEqual({ rows: [first], total: 1 });
    }
  });

  it('D4: filters of synthetic records match the displayed values', async () => {
    const sandbox = await createSandbox([{ count: 300, pages: 1 }]);
    const records = Array.from({ length: 300 }, (_, index) => sandbox.documents.get(index + 1));
    const [one] = records;
    const found = async (filter: Parameters<DocumentIndex['documents']>[0]) =>
      (await sandbox.documents.index.documents(filter, { limit: 300, offset: 0 })).rows;
    const idsWhere = (holds: (record: DocumentRecord) => boolean) => records.filter(holds).map(({ id }) => id);
    for (const record of nonEmpty(records.slice(0, 20))) {
      const { publicbody, foirequest, createdAtMs, tags } = record;
      const [tag = ''] = tags;
      expect(await found({ tag })).toEqual(idsWhere((other) => other.tags.includes(tag)));
      if (publicbody !== null) {
        expect(await found({ publicbody })).toEqual(idsWhere((other) => other.publicbody === publicbody));
      }
      if (foirequest !== null) expect(await found({ foirequest })).toContain(record.id);
      expect(await found({ createdAfterMs: createdAtMs, ids: [record.id, 299] })).toEqual([record.id, 299]);
      expect(await found({ createdBeforeMs: createdAtMs })).toEqual(idsWhere(({ id }) => id <= record.id));
    }
    expect(one?.source).toEqual({ kind: 'series', seed: 1, pages: 1 });
  });

  it('an evicted index is rebuilt and returns the same results', async () => {
    const { documents } = await createSandbox([{ count: 20, pages: 2 }]);
    const before = await documents.index.pages({}, window);
    expect(documents.index.forget()).toBe(true);
    expect(await documents.index.pages({}, window)).toEqual(before);
    const result = documents.index.documents({}, window);
    expect(documents.index.forget()).toBe(true);
    expect((await result).total).toBe(20);
  });

  it('evicts the least recently used index, but never the newest or a busy one', () => {
    const room = new IndexMemoryBudget(100);
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
