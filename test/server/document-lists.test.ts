import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentListSchema, pageListSchema } from '../../src/contract/document.schema.ts';
import { DocumentServer } from './document-server.ts';

let server: DocumentServer;
const seriesCount = 120;

beforeAll(async () => {
  server = await DocumentServer.start();
  await server.sandbox.documents.addSeries(seriesCount, 3, 7);
  await server.add({
    title: 'Zebruk crossing',
    tags: ['animals'],
    publicbody: 777,
    foirequest: 778,
    pages: [{ content: 'A zebruk\nwalks' }, { content: 'Eine Straße' }],
  });
  await server.add({ title: 'Hidden zebruk', public: false, pages: [{ content: 'hidden zebruk' }] });
  await server.add({ title: 'Unlisted zebruk', listed: false, pages: [{ content: 'unlisted zebruk' }] });
});

afterAll(() => server.close());

const zebra = seriesCount + 1;

async function documents(query: string): Promise<ReturnType<typeof documentListSchema.parse>> {
  return documentListSchema.parse(await server.json(`/api/v1/document/${query}`));
}

async function pages(query: string): Promise<ReturnType<typeof pageListSchema.parse>> {
  return pageListSchema.parse(await server.json(`/api/v1/page/${query}`));
}

describe('Document records API: lists', () => {
  test('D4: the list is ordered by id with fifty rows per page, and its page links keep the other parameters', async () => {
    const first = await documents('?tag=');
    expect(first.meta).toMatchObject({ limit: 50, offset: 0, previous: null, total_count: seriesCount + 1 });
    expect(first.objects.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    const next = documentListSchema.parse(await server.json(first.meta.next ?? ''));
    expect(next.objects[0]?.id).toBe(51);
    const back = documentListSchema.parse(await server.json(next.meta.previous ?? ''));
    expect(back.objects).toEqual(first.objects);
  });

  test.for([
    ['?limit=0', 50, 0],
    ['?limit=-3&offset=-1', 50, 0],
    ['?limit=1000&offset=x', 50, 0],
    ['?limit=7&offset=5', 7, 5],
  ] as const)('D4: %s is corrected and never rejected', async ([query, limit, offset]) => {
    expect((await documents(query)).meta).toMatchObject({ limit, offset });
  });

  test.for([
    [`?ids=${zebra},1,1`, [1, zebra]],
    ['?tag=animals', [zebra]],
    ['?publicbody=777', [zebra]],
    ['?foirequest=778', [zebra]],
    ['?q=zebruk', [zebra]],
    ['?q=ZEBRUK crossing', [zebra]],
    ['?q=zebruk nowhere', []],
    ['?q=!!', []],
    ['?created_at_after=2026-01-05T09:00:00Z&tag=animals', [zebra]],
    ['?created_at_after=2026-01-05T10:00:00%2B01:00&tag=animals', [zebra]],
    ['?created_at_before=2025-01-01&tag=animals', []],
    ['?tag=animals&unknown=1', [zebra]],
  ] as const)('D4: documents%s are filtered', async ([query, ids]) => {
    expect((await documents(query)).objects.map(({ id }) => id)).toEqual(ids);
  });

  test.for([
    [
      `?document=${zebra}`,
      [
        [zebra, 1],
        [zebra, 2],
      ],
    ],
    [`?document=${zebra}&number=2`, [[zebra, 2]]],
    ['?q=zebruk', [[zebra, 1]]],
    ['?q="zebruk walks"', [[zebra, 1]]],
    ['?q="walks zebruk"', []],
    [`?q=strasse&document=${zebra}`, []],
    ['?q=straße', [[zebra, 2]]],
    ['?document=999999', []],
    [`?document=${zebra + 1}`, []],
    [`?document=${zebra + 2}`, []],
    ['?q=*) OR ("', []],
  ] as const)(
    'D4: pages%s are filtered, and an unreadable document looks like a missing one',
    async ([query, rows]) => {
      const { meta, objects } = await pages(query);
      expect(objects.map(({ document, number }) => [Number(document.split('/').at(-2)), number])).toEqual(rows);
      expect(meta.total_count).toBe(rows.length);
    },
  );

  test('D4: the pages of an unlisted record are listed with its uid, and those of a private one for its owner', async () => {
    const { uid } = server.sandbox.documents.get(zebra + 2);
    expect((await pages(`?document=${zebra + 2}&uid=${uid}`)).meta.total_count).toBe(1);
    const owned = await server.json(`/api/v1/page/?document=${zebra + 1}`, await server.bearer('ada'));
    expect(pageListSchema.parse(owned).meta.total_count).toBe(1);
  });

  test('D5: every URL in an unlisted record works unchanged, including its page list and the next page', async () => {
    const { id, uid } = await server.add({ listed: false, pages: Array.from({ length: 3 }, () => ({ content: 'x' })) });
    const record = await server.json(`/api/v1/document/${id}/?uid=${uid}`);
    expect(record['pages_uri']).toBe(`/api/v1/page/?document=${id}&uid=${uid}`);
    const listed = await server.json(`${record['pages_uri']}&limit=2`);
    expect(pageListSchema.parse(listed).meta.total_count).toBe(3);
    expect((await pages(new URL(String((listed['meta'] as { next: string }).next)).search)).objects).toHaveLength(1);
    const site = await server.ask('GET', String(record['site_url']));
    expect([site.status, (await site.text()).includes('A title')]).toEqual([200, true]);
    const documentView = await server.json(`/_control/v1/sandboxes/default/documents/${id}`);
    for (const address of [documentView['recordUrl'], documentView['siteUrl'], documentView['coverUrl']]) {
      expect([address, (await server.ask('GET', String(address))).status]).toEqual([address, 200]);
    }
    expect((await server.json('/api/v1/document/1/'))['pages_uri']).toBe('/api/v1/page/?document=1');
  });

  test('not-found: only U has a list of annotations, which is empty', async () => {
    const path = `/api/v1/pageannotation/?document=${zebra}`;
    expect((await server.ask('GET', path)).status).toBe(404);
    await server.sandbox.directory.patchSettings({ documents: { profile: 'upstream' } }, 'scenario');
    try {
      const meta = { limit: 50, next: null, offset: 0, previous: null, total_count: 0 };
      expect(await server.json(path)).toEqual({ meta, objects: [] });
      const redirected = await server.ask('GET', '/api/v1/pageannotation');
      expect([redirected.status, redirected.headers.get('location')]).toEqual([301, '/api/v1/pageannotation/']);
      const options = await server.ask('OPTIONS', path);
      expect([options.status, options.headers.get('allow')]).toEqual([200, 'GET, HEAD, OPTIONS']);
      expect((await server.ask('POST', path)).status).toBe(405);
      expect((await server.ask('GET', '/api/v1/pageannotation/1/')).status).toBe(404);
    } finally {
      await server.sandbox.directory.patchSettings({ documents: { profile: 'seed' } }, 'scenario');
    }
  });

  test('D4: without a document, the list contains the pages of all listed records', async () => {
    const { meta, objects } = await pages('?limit=3&offset=2');
    expect(meta.total_count).toBe(seriesCount * 3 + 2);
    expect(objects.map(({ document, number }) => [Number(document.split('/').at(-2)), number])).toEqual([
      [1, 3],
      [2, 1],
      [2, 2],
    ]);
  });

  test('D4: the search index reflects writes immediately and drops replaced text', async () => {
    const record = server.sandbox.documents.get(5);
    await server.sandbox.documents.change(record, { title: 'Quokka' });
    expect((await documents('?q=quokka')).objects.map(({ id }) => id)).toEqual([5]);
    await server.sandbox.documents.remove(5);
    expect((await documents('?q=quokka')).objects).toEqual([]);
    expect((await documents('?ids=5')).meta.total_count).toBe(0);
    expect((await pages('?document=5')).objects).toEqual([]);
  });

  test('D4: U rejects an unknown document, and lists only first pages without a search', async () => {
    await server.sandbox.directory.patchSettings({ documents: { profile: 'upstream' } }, 'scenario');
    const unknown = await server.ask('GET', '/api/v1/page/?document=999999');
    expect([unknown.status, Object.keys((await unknown.json()) as object)]).toEqual([400, ['document']]);
    expect((await pages(`?document=${zebra}`)).objects.map(({ number }) => number)).toEqual([1]);
    expect((await pages(`?document=${zebra}&q=straße`)).objects.map(({ number }) => number)).toEqual([2]);
  });
});
