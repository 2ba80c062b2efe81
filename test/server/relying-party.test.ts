import { get } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { getRelyingParty } from '../../src/server/identity/passkeys/relying-party.ts';
import { startTestServer } from '../test-server.ts';

const own = { id: 'localhost', origin: 'http://localhost:4700', relatedOrigins: [] };

describe('relying party of a passkey request', () => {
  it.each([
    [undefined, own],
    ['http://localhost:4700', own],
    ['https://localhost', { ...own, origin: 'https://localhost' }],
    ['http://evil.example', own],
    ['null', own],
    ['', own],
    ['http://[', own],
  ])('is the server’s own name, regardless of Origin: %s', (origin, expected) => {
    const headers = { host: 'localhost:4700', ...(origin === undefined ? {} : { origin }) };
    expect(getRelyingParty({ protocol: 'http', headers }, undefined)).toEqual(expected);
  });

  it('internal-error: no page fails for an opaque Origin, as sent by a sandboxed frame', async () => {
    const server = await startTestServer({ default: { users: [{ id: 'ada' }] } });
    onTestFinished(() => server.close());
    for (const path of ['/sign-in', '/security-info', '/try', '/lookup/tokens', '/']) {
      const { promise, resolve } = Promise.withResolvers<number | undefined>();
      get(`${server.baseUrl}${path}`, { headers: { origin: 'null' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      expect([path, (await promise) ?? 0]).toEqual([path, expect.toSatisfy((status: number) => status < 500)]);
    }
  });
});
