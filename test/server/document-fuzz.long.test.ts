import { request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentDocument } from '../../src/contract/document-openapi.ts';
import type { JournalEntry } from '../../src/sandbox/sandbox.ts';
import { heldToDocument } from './document-conformance.ts';
import { DocumentServer } from './document-server.ts';

let server: DocumentServer;
let tokens: Readonly<Record<'ada' | 'reader' | 'app', string>>;

beforeAll(async () => {
  server = await DocumentServer.start();
  await server.add({ title: 'Open', description: 'Everyone reads it', tags: ['a'] });
  await server.add({ title: 'Unlisted', listed: false });
  await server.add({ title: 'Private', public: false });
  await server.add({ title: 'In the making', pages: [{}, {}], timing: { startMs: 0, pageMs: 1_000 } });
  await server.add({ title: 'Nobody’s', owner: null });
  const issue = async (said: object): Promise<string> => {
    const { access_token } = await server.sandbox.tokens.issue({ ...said, expiresInSeconds: 86_400 });
    return `Bearer ${access_token}`;
  };
  const both = ['read:document', 'write:document'];
  tokens = {
    ada: await issue({ user: 'ada', permissions: both }),
    reader: await issue({ user: 'ada', permissions: ['read:document'] }),
    app: await issue({ app: 'ada', permissions: both }),
  };
});

afterAll(() => server.close());

const described = Object.keys(documentDocument.paths);
const parameters = Object.values(documentDocument.paths).flatMap((path) =>
  Object.values(path as Record<string, { parameters?: readonly { name: string; in: string }[] }>).flatMap((operation) =>
    (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name),
  ),
);
/** Methods of the fuzz test. Writes occur more often than the others because they have the most error cases. */
const methods = ['GET', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'PUT', 'PATCH', 'PATCH', 'POST', 'DELETE', 'TRACE'] as const;

const oddities = [
  '',
  '%',
  '%ff',
  '%00',
  '%0d%0aX: y',
  '+',
  '=',
  '..',
  '__proto__',
  '"',
  '*',
  'NEAR(',
  'a OR',
  '-1',
  '1e9',
];
const dates = ['2026-01-05', '2026-01-05T09:00:00Z', '2026-13-45', 'yesterday', '1,2', '1,,2', 'true'];
const value = fc.oneof(
  fc.constantFrom(...oddities, ...dates),
  fc.integer({ min: -3, max: 2 ** 53 }).map(String),
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
);
const query = fc
  .array(fc.tuple(fc.constantFrom(...parameters, 'unknown', ''), value), { maxLength: 5 })
  .map((pairs) => pairs.map(([name, given]) => `${name}=${given}`.replaceAll(/[\s#]/g, '')).join('&'));

const id = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 6 }).map(String) },
  fc.constantFrom('1'.repeat(15), '1'.repeat(400), '1.0', '0x1', '01', 'abc', '%31', '%2e%2e', '%00', '%'),
);
const oddPath = fc
  .tuple(fc.constantFrom(...described), id, fc.constantFrom('/', '/', '', '//', '/extra/'))
  .map(([pattern, given, end]) => pattern.replace('{id}', given).replace(/\/$/, end));
/**
 * Paths of the fuzz test. Most requests address an existing record, because others only reach the not-found error.
 */
const path = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 5 }).map((number) => `/api/v1/document/${number}/`) },
  oddPath,
);
/** Creates a header that is omitted in at least half of the requests. */
const header = (...values: readonly string[]) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, fc.constantFrom(...values));
const oddHeaders = fc.record({
  accept: header('application/json', '*/*', 'text/html', 'application/json;q=0', 'broken', ';;,'),
  authorization: header('ada', 'ada', 'ada', 'reader', 'app', 'Bearer none', 'Bearer', 'Basic YTpi', 'Bearer a b'),
  'content-type': header(
    'application/json',
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/json; charset=latin9',
    '/',
  ),
  'if-match': header('*', '"none"', 'W/"x"', 'broken', ''),
  'if-none-match': header('*', '"none"', 'W/"x", "y"', 'broken', ''),
});

/** Headers of the fuzz test. Every other request has valid owner credentials, so its content decides the result. */
const headers = fc.oneof(
  fc.constant<Readonly<Record<string, string | undefined>>>({
    authorization: 'ada',
    'content-type': 'application/json',
  }),
  oddHeaders,
);

const fieldValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>('A title', 'x'.repeat(501), 'a\u0000b', '\ud800', null, 7, [], {}),
);
const body = fc.oneof(
  { weight: 2, arbitrary: fc.nat().map((number) => JSON.stringify({ title: `Title ${number}` })) },
  fc
    .record({ title: fieldValue, description: fieldValue, id: fieldValue }, { requiredKeys: [] })
    .map((said) => JSON.stringify(said)),
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '7',
    'title=A&description=%ff',
    '--x\r\n\r\n--x--',
    '{"__proto__":{"title":"x"}}',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

/** Sends requests that no client library would send. `fetch` normalizes paths and rejects some methods. */
function send(method: string, sent: string, given: Record<string, string>, content: string): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const options = { method, path: sent, headers: { ...given, 'content-length': Buffer.byteLength(content) } };
  const request = httpRequest(server.baseUrl, options, (answer) => {
    const parts: Buffer[] = [];
    answer.on('data', (part: Buffer) => parts.push(part));
    answer.on('end', () => {
      const status = answer.statusCode ?? 0;
      const bodiless = method === 'HEAD' || status === 204 || status === 304;
      const headerPairs = Object.entries(answer.headers).map(([name, text]): [string, string] => [name, String(text)]);
      resolve(new Response(bodiless ? null : Buffer.concat(parts), { status, headers: headerPairs }));
    });
  });
  request.on('error', reject).end(content);
  return promise;
}

const journal = (): Promise<readonly JournalEntry[]> => server.sandbox.journal({ after: 0, limit: 100_000 });

describe('fuzzing of the document records API', () => {
  test('D8: every response matches the document, none is 500, and only the owner with the scope can write', async () => {
    const seen = new Map<number, number>();
    let writes = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        path,
        query,
        headers,
        body,
        async (method, where, query, given, content) => {
          const { authorization, ...others } = given;
          const whose = authorization as keyof typeof tokens | undefined;
          const proof = whose === undefined ? {} : { authorization: tokens[whose] ?? whose };
          const sentHeaders = Object.fromEntries(
            Object.entries({ ...others, ...proof }).filter(([, text]) => text !== undefined),
          ) as Record<string, string>;
          const before = await journal();
          const isWrite = method === 'PUT' || method === 'PATCH' || method === 'POST';
          const answer = await send(
            method,
            `${where}${query === '' ? '' : `?${query}`}`,
            sentHeaders,
            isWrite ? content : '',
          );
          expect(answer.status, `${method} ${where}?${query}`).toBeLessThan(500);
          await heldToDocument(method, where, answer);
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
          const written = (await journal()).slice(before.length);
          if (written.length === 0) return;
          expect([method, whose, answer.status]).toEqual([expect.stringMatching(/^(PUT|PATCH)$/), 'ada', 200]);
          expect(written.map(({ event }) => event.type)).toEqual(['document.changed']);
          writes += 1;
        },
      ),
      { numRuns: 1_000 },
    );
    // Without this check the test would also pass if every request were rejected.
    expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 301, 400, 401, 404, 405, 406]));
    expect(writes).toBeGreaterThan(0);
    expect(server.faults).toEqual([]);
  });

  test('D7: an application with the id of a user owns none of the user’s records, reads nothing private, and writes nothing', async () => {
    const asApplication = { headers: { authorization: tokens.app } };
    expect((await server.ask('GET', '/api/v1/document/3/', asApplication)).status).toBe(404);
    expect((await server.ask('GET', '/api/v1/document/2/', asApplication)).status).toBe(403);
    const change = {
      headers: { authorization: tokens.app, 'content-type': 'application/json' },
      body: '{"title":"Mine"}',
    };
    expect((await server.ask('PATCH', '/api/v1/document/1/', change)).status).toBe(403);
    const list = await server.json('/api/v1/document/', { authorization: tokens.app });
    expect(list).toMatchObject({ meta: { total_count: 2 } });
  });
});
