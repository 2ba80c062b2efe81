import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lookupDocument } from '../../src/contract/lookup-openapi.ts';
import { shareInFile } from '../share-in-file.ts';
import { basic, bearer, startLookupSite } from './lookup-site.ts';

const site = shareInFile(() => startLookupSite());

const names = [
  ...lookupDocument.paths['/api/v2/'].get.parameters.map(({ name }) => String(name)),
  'api_key',
  'limit',
  '',
];
const values = [
  'email',
  'username',
  'all',
  'quorvex',
  'yondrel',
  'tools',
  'usage',
  'a@b',
  'test-token',
  '',
  '%',
  '%ff',
  '%00',
  '%0d%0aX: y',
  '+',
  ' ',
  '=',
  '__proto__',
];

const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...values) },
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.stringMatching(/^[!-~]{0,20}$/),
);
const query = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 6 }).map((pairs) =>
  pairs
    .map(([name, given]) => `${name}=${given}`)
    .join('&')
    .replaceAll(/[\s#]/g, ''),
);

const credentials = fc.constantFrom(
  {},
  bearer('test-token'),
  bearer('test-token-suspended'),
  bearer('%00'),
  basic('unlimited@example.test'),
  { authorization: 'Basic' },
  { authorization: 'Basic ====' },
  { authorization: `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}` },
);

/** Counts the charged calls of all callers. */
const charges = async () => (await site.sandbox.journal({ after: 0, limit: 100_000, type: 'lookup.charged' })).length;

describe('fuzzing of the lookup API', () => {
  test('L7: every response matches the document, none is 500, and only successful calls are charged', async () => {
    await fc.assert(
      fc.asyncProperty(query, credentials, async (sent, headers) => {
        const before = await charges();
        // The test server validates every response against the document.
        const { status, body } = await site.ask(sent, { headers });
        expect([200, 400, 401, 403, 429]).toContain(status);
        const isLookup = status === 200 && 'results' in body;
        expect((await charges()) - before).toBe(isLookup ? 1 : 0);
      }),
      { numRuns: 400 },
    );
  });
});

/** Sends unmodified bytes and resolves with the response. */
function sendRaw(text: string): Promise<{ status: number; body: unknown }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>();
  const socket = connect(site.port, '127.0.0.1', () => socket.end(Buffer.from(text, 'latin1')));
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part;
  });
  socket.on('error', reject).on('end', () => {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    resolve({ status: Number(head.split(' ')[1]), body: body === '' ? null : JSON.parse(body) });
  });
  return promise;
}

describe('unparseable requests', () => {
  const tail = 'Host: localhost:0\r\nAuthorization: Bearer test-token\r\n\r\n';

  test.for([
    [
      'an address without an end',
      `GET /api/v2/?type=email&tool=all&query=${'a'.repeat(40_000)} HTTP/1.1\r\n${tail}`,
      400,
    ],
    ['the same below a sandbox', `GET /s/other/api/v2/?query=${'a'.repeat(40_000)} HTTP/1.1\r\n${tail}`, 400],
    ['a header without an end', `GET /api/v2/?action=tools HTTP/1.1\r\nX-Long: ${'a'.repeat(40_000)}\r\n${tail}`, 431],
    ['a header without a colon', `GET /api/v2/?action=tools HTTP/1.1\r\nbroken\r\n${tail}`, 400],
    ['a control character in a header', 'GET /api/v2/ HTTP/1.1\r\nAuthorization: Bearer a\u0000b\r\n\r\n', 400],
  ] as const)('L7: %s is reported in the format of this API', async ([, sent, status]) => {
    expect(await sendRaw(sent)).toEqual({ status, body: { success: false, error: expect.any(String), code: status } });
  });

  test('bad-request: on other paths the error has no body', async () => {
    expect(await sendRaw('GET /sign-in HTTP/1.1\r\nbroken\r\n\r\n')).toEqual({ status: 400, body: null });
  });
});
