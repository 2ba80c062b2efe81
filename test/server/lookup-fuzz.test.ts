import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookupDocument } from '../../src/contract/lookup-openapi.ts';
import { basic, bearer, type LookupSite, startLookupSite } from './lookup-site.ts';

let site: LookupSite;

beforeAll(async () => {
  site = await startLookupSite();
});

afterAll(() => site.close());

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

/** How many calls were charged, of whatever caller. */
const charges = async () => (await site.sandbox.journal({ after: 0, limit: 100_000, type: 'lookup.charged' })).length;

describe('whatever is sent', () => {
  test('L7: is answered as the document says, never with 500, and charged only where it is answered', async () => {
    await fc.assert(
      fc.asyncProperty(query, credentials, async (sent, headers) => {
        const before = await charges();
        // The site holds every answer against the document.
        const { status, body } = await site.ask(sent, { headers });
        expect([200, 400, 401, 403, 429]).toContain(status);
        const isLookup = status === 200 && 'results' in body;
        expect((await charges()) - before).toBe(isLookup ? 1 : 0);
      }),
      { numRuns: 400 },
    );
  });
});
