import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { documentRecordSchema, documentSummarySchema } from '../../src/contract/document.schema.ts';
import { nonEmpty } from '../non-empty.ts';
import { DocumentServer } from './document-server.ts';

let server: DocumentServer;
let ada: Record<string, string>;
let bob: Record<string, string>;

beforeAll(async () => {
  server = await DocumentServer.start();
  ada = await server.bearer('ada');
  bob = await server.bearer('bob');
});

beforeEach(async () => {
  await server.sandbox.directory.patchSettings({ documents: null }, 'scenario');
});

afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

/** Fields of the table in the specification, in its order. */
const fieldsOfSeed =
  'resource_uri id site_url title slug description published_at num_pages public listed allow_annotation pending file_url file_size cover_image page_template outline properties uid data pages_uri original foirequest publicbody last_modified_at pages'.split(
    ' ',
  );

describe('Document records API: record', () => {
  test('D1: a record is returned with Content-Type, Vary and Allow', async () => {
    const { id } = await server.add();
    const answer = await server.ask('GET', `/api/v1/document/${id}/`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      vary: 'Accept',
      allow: 'GET, PUT, PATCH, HEAD, OPTIONS',
    });
  });

  test('D2: every field of the table is returned, in its order, with its type, and pages last', async () => {
    const { id } = await server.add({
      pages: [{ content: 'one' }, { content: 'two\nlines' }],
      publishedAt: '2026-01-01T10:00:00+01:00',
    });
    const record = await server.json(`/api/v1/document/${id}/`);
    expect(Object.keys(record)).toEqual(fieldsOfSeed);
    expect(documentRecordSchema.parse(record)).toEqual(record);
    expect((record['pages'] as { number: number }[]).map(({ number }) => number)).toEqual([1, 2]);
  });

  test('D3: a page has its fields in the specified order', async () => {
    const { id } = await server.add();
    const { pages } = await server.json(`/api/v1/document/${id}/`);
    expect(Object.keys((pages as object[])[0] ?? {})).toEqual([
      'document',
      'number',
      'content',
      'width',
      'height',
      'image',
    ]);
  });

  test('D5: every URL is available, in every size and format', async () => {
    const { id } = await server.add({ pages: [{ content: 'one' }, { content: 'two' }] });
    const record = documentRecordSchema.parse(await server.json(`/api/v1/document/${id}/`));
    const images = ['small', 'normal', 'large', 'original'].flatMap((size) =>
      [1, 2].flatMap((page) => {
        const png = record.page_template.replace('{page}', String(page)).replace('{size}', size);
        return [png, `${png}.webp`];
      }),
    );
    const addresses = [record.resource_uri, record.file_url, record.cover_image, record.pages_uri, ...images];
    for (const address of addresses)
      expect([address, (await server.ask('GET', address)).status]).toEqual([address, 200]);
    expect(record.pages[1]?.image.replace('{size}', 'large')).toBe(images.find((path) => /p2-large\.png$/.test(path)));
    const file = await server.ask('GET', record.file_url);
    expect((await file.arrayBuffer()).byteLength).toBe(record.file_size);
  });

  test('D5: the original image of an explicit page has the size stated in the page', async () => {
    const sizes = [
      { width: 16_000, height: 1 },
      { width: 1, height: 16_000 },
      { width: 333, height: 777 },
    ];
    const { id } = await server.add({ pages: sizes });
    const record = documentRecordSchema.parse(await server.json(`/api/v1/document/${id}/`));
    for (const [index, { image, ...page }] of nonEmpty(record.pages.entries())) {
      const answer = await server.ask('GET', image.replace('{size}', 'original'));
      expect(page).toMatchObject(sizes[index] ?? {});
      expect(await sharp(await answer.arrayBuffer()).metadata()).toMatchObject(sizes[index] ?? {});
    }
  });

  test.for([
    [{ width: 16_001, height: 1 }],
    [{ width: 1, height: 20_000 }],
    [{ width: 6_325, height: 6_325 }],
    [{ width: 0, height: 1 }],
  ] as const)('bad-request: a page of %o, which no image can have, is rejected', async ([page]) => {
    const before = server.sandbox.documents.count();
    const answer = await server.ask('POST', '/_control/v1/sandboxes/default/documents', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ pages: [page] }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 'bad-request' } }]);
    expect(server.sandbox.documents.count()).toBe(before);
  });

  test('D6: the modification time has six fractional digits, and U omits them when they are zero', async () => {
    const { id } = await server.add();
    expect((await server.json(`/api/v1/document/${id}/`))['last_modified_at']).toBe('2026-01-05 09:00:00.000000+00:00');
    await server.sandbox.directory.patchSettings({ documents: { profile: 'upstream' } }, 'scenario');
    expect((await server.json(`/api/v1/document/${id}/`))['last_modified_at']).toBe('2026-01-05 09:00:00+00:00');
  });

  test('D8: HEAD returns the headers of GET without a body, OPTIONS describes the resource, and other methods are rejected', async () => {
    const { id } = await server.add();
    const path = `/api/v1/document/${id}/`;
    const head = await server.ask('HEAD', path);
    const get = await server.ask('GET', path);
    expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength));
    expect(await head.text()).toBe('');
    const options = await server.ask('OPTIONS', path);
    expect([options.status, options.headers.get('allow')]).toEqual([200, 'GET, PUT, PATCH, HEAD, OPTIONS']);
    for (const method of ['POST', 'DELETE']) {
      const refused = await server.ask(method, path);
      expect([refused.status, await refused.json()]).toEqual([405, { detail: `Method "${method}" not allowed.` }]);
    }
  });
});

/** Visibility of a record: decision table of the specification. */
const visibility: readonly (readonly [
  string,
  object,
  { anonymous: number; bob: number; ada: number; withUid: number },
])[] = [
  ['public and listed', { public: true, listed: true }, { anonymous: 200, bob: 200, ada: 200, withUid: 200 }],
  ['unlisted', { public: true, listed: false }, { anonymous: 401, bob: 403, ada: 200, withUid: 200 }],
  ['private', { public: false, listed: true }, { anonymous: 404, bob: 404, ada: 200, withUid: 404 }],
  ['private and unlisted', { public: false, listed: false }, { anonymous: 404, bob: 404, ada: 200, withUid: 404 }],
  [
    'pending',
    { public: true, listed: true, timing: { startMs: 1_000 } },
    { anonymous: 200, bob: 200, ada: 200, withUid: 200 },
  ],
];

describe('Document records API: visibility', () => {
  test.for(visibility)('D7: a record that is %s is visible as the table specifies', async ([, given, expected]) => {
    const { id, uid } = await server.add(given);
    const status = async (headers: Record<string, string>, query = ''): Promise<number> =>
      (await server.ask('GET', `/api/v1/document/${id}/${query}`, { headers })).status;
    expect({
      anonymous: await status({}),
      bob: await status(bob),
      ada: await status(ada),
      withUid: await status({}, `?uid=${uid}`),
    }).toEqual(expected);
  });

  test('D7: a pending record is in no list until it is ready', async () => {
    const { id } = await server.add({ timing: { startMs: 1_000 } });
    const listed = async (): Promise<unknown> => (await server.json(`/api/v1/document/?ids=${id}`))['objects'];
    expect(await listed()).toEqual([]);
    await server.sandbox.clock.advance({ ms: 1_000 });
    expect(await listed()).toMatchObject([{ id, pending: false }]);
  });

  test('D5: a private file is available with the proof in its URL, until the proof expires', async () => {
    const { id } = await server.add({ public: false });
    const read = async (): Promise<string> => String((await server.json(`/api/v1/document/${id}/`, ada))['file_url']);
    const address = await read();
    const bare = address.split('?')[0] ?? '';
    expect((await server.ask('GET', address)).status).toBe(200);
    expect((await server.ask('GET', bare)).status).toBe(403);
    expect((await server.ask('GET', `${address}x`)).status).toBe(403);
    expect((await server.ask('GET', bare, { headers: ada })).status).toBe(200);
    await server.sandbox.clock.advance({ hours: 2 });
    expect((await server.ask('GET', address)).status).toBe(403);
    expect((await server.ask('GET', await read())).status).toBe(200);
  });

  test('unauthenticated: an invalid token is rejected, and U treats its bearer as anonymous', async () => {
    const { id } = await server.add();
    const headers = { authorization: 'Bearer none' };
    expect((await server.ask('GET', `/api/v1/document/${id}/`, { headers })).status).toBe(401);
    await server.sandbox.directory.patchSettings({ documents: { profile: 'upstream' } }, 'scenario');
    expect((await server.ask('GET', `/api/v1/document/${id}/`, { headers })).status).toBe(200);
  });
});

const json = { 'content-type': 'application/json' };

/** Bodies that are rejected, with the expected error. */
const refusedWrites: readonly (readonly [string, string, Record<string, string>, number, unknown])[] = [
  ['broken JSON', '{', json, 400, { detail: expect.stringContaining('JSON parse error') }],
  ['a list', '[]', json, 400, { non_field_errors: [expect.any(String)] }],
  ['null', '{"title":null}', json, 400, { title: ['This field may not be null.'] }],
  ['a number', '{"description":3}', json, 400, { description: ['Not a valid string.'] }],
  ['NUL', '{"title":"a\\u0000"}', json, 400, { title: ['Null characters are not allowed.'] }],
  [
    'a long title',
    JSON.stringify({ title: '😀'.repeat(501) }),
    json,
    400,
    { title: ['Ensure this field has no more than 500 characters.'] },
  ],
  [
    'another type',
    'x',
    { 'content-type': 'text/plain' },
    415,
    { detail: 'Unsupported media type "text/plain" in request.' },
  ],
  ['too much', 'x'.repeat(1_100_000), json, 413, { detail: expect.any(String) }],
  ['another version', '{"title":"b"}', { ...json, 'if-match': '"other"' }, 412, { detail: expect.any(String) }],
];

describe('Document records API: writes', () => {
  test.for(refusedWrites)(
    'bad-request: %s is rejected, and nothing is written',
    async ([, body, headers, status, expected]) => {
      const { id } = await server.add();
      const answer = await server.ask('PATCH', `/api/v1/document/${id}/`, { headers: { ...ada, ...headers }, body });
      expect([answer.status, await answer.json()]).toEqual([status, expected]);
      expect((await server.json(`/api/v1/document/${id}/`))['title']).toBe('A title');
    },
  );

  test('D8: PATCH keeps the slug, PUT updates it, and omitted fields are unchanged', async () => {
    const { id } = await server.add({ description: 'kept' });
    const path = `/api/v1/document/${id}/`;
    const headers = { ...ada, ...json };
    const patched = await server.ask('PATCH', path, { headers, body: '{"title":"Ünder Way","id":7,"uid":null}' });
    const body = documentSummarySchema.parse(await patched.json());
    expect(body).toMatchObject({ id, title: 'Ünder Way', slug: 'a-title', description: 'kept' });
    const put = await server.ask('PUT', path, { headers, body: '{"title":"Ünder Weigh"}' });
    expect(await put.json()).toMatchObject({ title: 'Ünder Weigh', slug: 'under-weigh', description: 'kept' });
    await server.sandbox.directory.patchSettings({ documents: { profile: 'upstream' } }, 'scenario');
    const upstream = await server.ask('PUT', path, { headers, body: '{"description":"new"}' });
    expect(await upstream.json()).toEqual({ title: 'Ünder Weigh', description: 'new' });
  });

  test('D8: forms and multipart bodies are accepted, and If-Match accepts the current version', async () => {
    const { id } = await server.add();
    const path = `/api/v1/document/${id}/`;
    const etag = (await server.ask('GET', path)).headers.get('etag') ?? '';
    const form = { ...ada, 'content-type': 'application/x-www-form-urlencoded', 'if-match': etag };
    const first = await server.ask('PUT', path, { headers: form, body: 'title=By+form' });
    expect([first.status, ((await first.json()) as { title: string }).title]).toEqual([200, 'By form']);
    expect((await server.ask('PUT', path, { headers: form, body: 'title=Again' })).status).toBe(412);
    const parts = new FormData();
    parts.set('title', 'By parts');
    expect(await (await server.ask('PATCH', path, { headers: ada, body: parts })).json()).toMatchObject({
      title: 'By parts',
    });
  });

  test('D8: a write requires the owner and the scope', async () => {
    const { id } = await server.add();
    const hidden = await server.add({ public: false });
    const reader = await server.bearer('ada', ['read:document']);
    const status = async (headers: Record<string, string>, at = id): Promise<number> =>
      (await server.ask('PATCH', `/api/v1/document/${at}/`, { headers: { ...headers, ...json }, body: '{}' })).status;
    expect([await status({}), await status(bob), await status(reader), await status(ada)]).toEqual([
      401, 403, 403, 200,
    ]);
    expect([await status({}, hidden.id), await status(bob, hidden.id), await status(ada, hidden.id)]).toEqual([
      401, 404, 200,
    ]);
    expect([await status({}, 999_999), await status(bob, 999_999)]).toEqual([401, 404]);
  });
});

describe('Document records API: URLs and conditional requests', () => {
  test.for([
    ['GET', '/api/v1/document/abc/', 404, { detail: 'Not found.' }],
    ['GET', '/api/v1/document/999999/', 404, { detail: 'No Document matches the given query.' }],
    ['GET', '/api/v1/other/', 404, { detail: 'Not found.' }],
    ['GET', '/s/nobody/api/v1/document/1/', 404, { detail: 'Not found.' }],
    ['POST', '/api/v1/page/', 405, { detail: 'Method "POST" not allowed.' }],
    ['GET', '/api/v1/document/?publicbody=x', 400, { publicbody: ['Enter a whole number.'] }],
    ['GET', '/api/v1/document/?created_at_after=soon', 400, { created_at_after: ['Enter a valid date/time.'] }],
  ] as const)('not-found: %s %s is reported in the format of the API', async ([method, path, status, body]) => {
    const answer = await server.ask(method, path);
    expect([answer.status, await answer.json()]).toEqual([status, body]);
  });

  test('D4: a URL without the trailing slash redirects to the one with it, including the query', async () => {
    const answer = await server.ask('GET', '/api/v1/page?document=1&q=a');
    expect([answer.status, answer.headers.get('location')]).toEqual([301, '/api/v1/page/?document=1&q=a']);
  });

  test.for([
    ['*/*', 200],
    ['application/json', 200],
    ['text/html, application/*;q=0.5', 200],
    ['text/html', 406],
    ['application/json;q=0, */*', 406],
  ] as const)('not-acceptable: a request with Accept %s is %i', async ([accept, status]) => {
    const { id } = await server.add();
    expect((await server.ask('GET', `/api/v1/document/${id}/`, { headers: { accept } })).status).toBe(status);
  });

  test('D1: a matching entity tag omits the body until the record changes', async () => {
    const { id } = await server.add({ pages: [{ content: 'a' }], timing: { startMs: 5, pageMs: 5 } });
    const path = `/api/v1/document/${id}/`;
    const conditional = async (etag: string): Promise<number> =>
      (await server.ask('GET', path, { headers: { 'if-none-match': etag } })).status;
    const first = (await server.ask('GET', path)).headers.get('etag') ?? '';
    expect([await conditional(first), await conditional(`W/${first}`), await conditional('"x"')]).toEqual([
      304, 304, 200,
    ]);
    await server.sandbox.clock.advance({ ms: 10 });
    expect(await conditional(first)).toBe(200);
  });

  test('D5: files support range requests and reject ranges that cannot be satisfied', async () => {
    const { id } = await server.add();
    const address = String((await server.json(`/api/v1/document/${id}/`))['file_url']);
    const range = async (value: string): Promise<readonly [number, string | null]> => {
      const answer = await server.ask('GET', address, { headers: { range: value } });
      return [answer.status, answer.headers.get('content-range')];
    };
    const size = Number((await server.json(`/api/v1/document/${id}/`))['file_size']);
    expect(await range('bytes=0-3')).toEqual([206, `bytes 0-3/${size}`]);
    expect(await range(`bytes=${size}-`)).toEqual([416, `bytes */${size}`]);
  });

  test('origin-not-allowed: a foreign host is reported in the format of the API', async () => {
    const { hostname, port } = new URL(server.baseUrl);
    const { request } = await import('node:http');
    const { promise, resolve } = Promise.withResolvers<readonly [number | undefined, unknown]>();
    request({ hostname, port, path: '/api/v1/document/1/', headers: { host: 'evil.example' } }, (answer) => {
      let text = '';
      answer.on('data', (part) => {
        text += String(part);
      });
      answer.on('end', () => resolve([answer.statusCode, JSON.parse(text)]));
    }).end();
    expect(await promise).toEqual([403, { detail: expect.any(String) }]);
  });

  test('fault-injected: connection faults are reported in the format of the API', async () => {
    await server.sandbox.faults.set([
      { kind: 'too-many-requests', endpoint: 'document', retryAfterSeconds: 7, times: 1 },
    ]);
    const answer = await server.ask('GET', '/api/v1/document/');
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      429,
      '7',
      { detail: expect.any(String) },
    ]);
  });
});
