import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { documentResponse } from '../../src/contract/document-operations.ts';
import { encrypted, locked, manyPages } from '../documents/made-pdfs.ts';
import { nonEmpty } from '../non-empty.ts';
import { DocumentServer } from './document-server.ts';

let server: DocumentServer;

beforeEach(async () => {
  server = await DocumentServer.start();
});

afterEach(() => server.close());

const sandboxPath = '/_control/v1/sandboxes/default';
const documents = `${sandboxPath}/documents`;

function send(
  query: string,
  body: Uint8Array,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${server.baseUrl}${sandboxPath}/document-uploads${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/pdf', ...headers },
    body: new Uint8Array(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

function fixture(name: string): Uint8Array {
  return readFileSync(new URL(`../../fixtures/documents/${name}`, import.meta.url));
}

describe('control API: documents', () => {
  test('D5: a streamed PDF becomes a record with the values of the query', async () => {
    const answer = await send('?public=true&owner=ada&tags=a,b&name=budget.pdf', fixture('tex-budget.pdf'));
    const document = documentResponse.parse(await answer.json());
    expect([answer.status, document]).toMatchObject([
      201,
      { id: 1, title: 'Budget of the parish', public: true, owner: 'ada', tags: ['a', 'b'], state: 'ready', pages: 2 },
    ]);
    const record = await server.json('/api/v1/document/1/');
    expect(record).toMatchObject({ num_pages: 2, file_size: fixture('tex-budget.pdf').length });
    const file = await server.ask('GET', String(record['file_url']));
    expect(Buffer.from(await file.arrayBuffer()).equals(fixture('tex-budget.pdf'))).toBe(true);
  });

  test('D5: a search finds pages of any document, and private pages with the proof that unlocks them', async () => {
    await send('?public=false', fixture('ghostscript-harbour.pdf'));
    await send('?public=true', fixture('tex-budget.pdf'));
    const found = async (words: string) => {
      const path = `/_control/v1/sandboxes/default/document-pages?words=${encodeURIComponent(words)}`;
      return (await server.json(path)) as {
        pages: { siteUrl: string; excerpt: string; title: string }[];
        total: number;
      };
    };
    const { pages, total } = await found('tide');
    expect([pages, total]).toMatchObject([[{ document: 1, title: 'Report on the harbour', page: 2 }], 1]);
    expect(pages[0]?.excerpt).toContain('The highest tide stood at 4.8 metres.');
    const read = await fetch(pages[0]?.siteUrl ?? '');
    expect([read.status, (await read.text()).includes('<mark>tide</mark>')]).toEqual([200, true]);
    const [first] = ((await server.json(documents)) as { documents: { coverUrl: string }[] })['documents'];
    const cover = await fetch(first?.coverUrl ?? '');
    expect([cover.status, cover.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect((await found('the')).total).toBe(3);
    expect(await found('nowhere')).toEqual({ pages: [], total: 0 });
    expect(await found('"')).toEqual({ pages: [], total: 0 });
  });

  test('D2: a client that accepts JSON lines receives one line for each page, then the document', async () => {
    const answer = await send('', fixture('pdfkit-catalogue.pdf'), { accept: 'application/x-ndjson' });
    const lines = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.slice(0, -1)).toEqual([1, 2, 3].map((page) => ({ progress: { page, pages: 3 } })));
    expect(documentResponse.parse(lines.at(-1)?.['document'])).toMatchObject({ title: 'Catalogue of instruments' });
  });

  test.for([
    ['document-encrypted', '', encrypted, 422],
    ['document-too-large', '?pagesMax=2', () => manyPages(3), 413],
    ['document-unreadable', '', () => Promise.resolve(new Uint8Array()), 422],
  ] as const)('%s: a file is rejected and no record remains', async ([code, query, make, status]) => {
    const answer = await send(query, await make());
    expect([answer.status, await answer.json()]).toMatchObject([status, { error: { code } }]);
    expect(server.sandbox.documents.count()).toBe(0);
  });

  test('document-encrypted: the password of a file unlocks it and is not stored anywhere', async () => {
    const file = await locked('öpen sesame', '1.7ext3');
    const sent = async (password: string) => {
      const answer = await send('?public=true', file, { 'document-password': password });
      return [answer.status, await answer.json()] as const;
    };
    expect(await sent('other')).toMatchObject([422, { error: { code: 'document-encrypted' } }]);
    for (const bad of ['%', '%00', 'x'.repeat(128)]) {
      expect(await sent(bad)).toMatchObject([400, { error: { code: 'bad-request' } }]);
    }
    expect(server.sandbox.documents.count()).toBe(0);
    expect(await sent(encodeURIComponent('öpen sesame'))).toMatchObject([201, { pages: 1 }]);
    const record = await server.json('/api/v1/document/1/');
    expect(record['pages']).toMatchObject([{ content: 'Locked words' }]);
    const given = await server.ask('GET', String(record['file_url']));
    expect(Buffer.from(await given.arrayBuffer()).equals(file)).toBe(true);
    const { fileStore } = server.sandbox.documents;
    const folder = dirname(fileStore.filePath(await shelvedDigest(1)));
    for (const name of nonEmpty(readdirSync(folder))) {
      expect(readFileSync(join(folder, name)).includes('sesame')).toBe(false);
    }
  });

  test('D5: every page of the list links to the next one, except the last', async () => {
    const made = await fetch(`${server.baseUrl}${sandboxPath}/synthetic-documents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ count: 4 }),
    });
    expect(made.status).toBe(201);
    const page = async (query: string) => {
      const list = (await server.json(`${documents}?${query}`)) as { documents: { id: number }[]; next: number | null };
      return [list.documents.map(({ id }) => id), list.next];
    };
    expect(await page('limit=4')).toEqual([[1, 2, 3, 4], null]);
    expect(await page('limit=3')).toEqual([[1, 2, 3], 3]);
    expect(await page('limit=2&after=2')).toEqual([[3, 4], null]);
    expect(await page('limit=2&after=3')).toEqual([[4], null]);
  });

  test('document-canceled: closing the connection leaves no data behind', async () => {
    const canceled = new AbortController();
    const answer = await send(
      '?webp=false',
      await manyPages(2_000),
      { accept: 'application/x-ndjson' },
      canceled.signal,
    );
    const reader = answer.body?.getReader();
    await reader?.read();
    canceled.abort();
    await expect(reader?.read()).rejects.toThrow();
    expect((await send('?webp=false', fixture('ghostscript-harbour.pdf'))).status).toBe(201);
    expect(server.sandbox.documents.count()).toBe(1);
    expect(server.faults).toEqual([]);
  });

  test('document-step-refused: a step that the current state does not allow is rejected, and other steps are accepted', async () => {
    const { id } = await server.add();
    const move = async (body: object): Promise<readonly unknown[]> => {
      const headers = { 'content-type': 'application/json' };
      const answer = await server.ask('POST', `${documents}/${id}/transitions`, {
        headers,
        body: JSON.stringify(body),
      });
      return [answer.status, await answer.json()];
    };
    expect(await move({ move: 'publish' })).toMatchObject([409, { error: { code: 'document-step-refused' } }]);
    expect(await move({ move: 'unpublish' })).toMatchObject([200, { public: false, state: 'ready' }]);
    expect((await server.ask('DELETE', `${documents}/${id}`)).status).toBe(204);
    expect((await server.ask('GET', `${documents}/${id}`)).status).toBe(404);
  });

  test('D5: a fork has the files of its origin and keeps them after the origin is deleted', async () => {
    const other = await server.sandboxes.create('other', { ...(await planned()) });
    await fetch(`${server.baseUrl}/_control/v1/sandboxes/other/document-uploads?public=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/pdf' },
      body: new Uint8Array(fixture('ghostscript-harbour.pdf')),
    });
    await server.sandboxes.fork(other.id, 'fork');
    await server.sandboxes.remove('other');
    const record = await server.json('/s/fork/api/v1/document/1/');
    expect((await server.ask('GET', String(record['cover_image']))).status).toBe(200);
  });
});

function shelvedDigest(id: number): Promise<string> {
  const { documents } = server.sandbox;
  return documents.fileDigest(documents.get(id));
}

async function planned() {
  const { planSandbox } = await import('../../src/sandbox/sandbox.ts');
  return planSandbox({});
}
