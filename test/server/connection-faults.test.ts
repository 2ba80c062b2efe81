import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stopwatch } from '../../src/core/clock.ts';
import {
  type Answer,
  errorCodeIn,
  type IdentityServer,
  otherSandboxId,
  startIdentityServer,
} from './identity-server.ts';

let server: IdentityServer;

beforeAll(async () => {
  server = await startIdentityServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  await server.sandbox.faults.clear();
});

const policyPath = '/v1.0/policies/authenticationMethodsPolicy';

/** Endpoints that support faults, each with a sample request. */
const endpoints = [
  ['sign-in', '/sign-in', 'GET', 'page'],
  ['authorize', '/oauth2/authorize?client_id=none', 'GET', 'page'],
  ['token', '/oauth2/token', 'POST', 'oauth'],
  ['userinfo', '/oauth2/userinfo', 'GET', 'oauth'],
  ['jwks', '/oauth2/jwks', 'GET', 'oauth'],
  ['device-authorization', '/oauth2/device', 'POST', 'oauth'],
  ['device-verification', '/device', 'GET', 'page'],
  ['device-verification', '/oauth2/verify-device', 'GET', 'page'],
  ['policy', policyPath, 'GET', 'policy'],
] as const;

async function ask(path: string, method: string, prefix = ''): Promise<Answer> {
  const headers = { authorization: `Bearer ${await token()}` };
  return server.ask(`${prefix}${path}`, { method, headers });
}

async function token(): Promise<string> {
  const issued = await server.sandbox.tokens.issue({ permissions: ['Policy.Read.All'] });
  return issued.access_token;
}

/** Identifies the error format of a response by the fields that only this format has. */
function toShape({ headers, text }: Answer): string {
  if (String(headers['content-type']).startsWith('text/html'))
    return errorCodeIn({ text } as Answer) === null ? 'none' : 'page';
  const body = JSON.parse(text);
  if (typeof body.error === 'string' && typeof body.error_description === 'string') return 'oauth';
  return typeof body.error.innerError['request-id'] === 'string' ? 'policy' : 'none';
}

describe('failing endpoint', () => {
  it.each(endpoints)(
    '%s returns the configured status in its own error format',
    async (endpoint, path, method, shape) => {
      await server.sandbox.faults.set([{ kind: 'server-error', endpoint, status: 507, times: 1 }]);
      const answer = await ask(path, method);
      expect({ status: answer.status, shape: toShape(answer) }).toEqual({ status: 507, shape });
      expect((await ask(path, method)).status).not.toBe(507);
    },
  );

  it.each(endpoints)(
    'too-many-requests: %s returns Retry-After with status 429',
    async (endpoint, path, method, shape) => {
      await server.sandbox.faults.set([{ kind: 'too-many-requests', endpoint, retryAfterSeconds: 7, times: 1 }]);
      const answer = await ask(path, method);
      expect({ status: answer.status, shape: toShape(answer) }).toEqual({ status: 429, shape });
      expect(answer.headers['retry-after']).toBe('7');
    },
  );

  it('a fault does not affect other endpoints or sandboxes', async () => {
    await server.sandbox.faults.set([{ kind: 'server-error', endpoint: 'sign-in' }]);
    expect((await ask('/sign-in', 'GET')).status).toBe(503);
    expect((await ask('/sign-in', 'GET', `/s/${otherSandboxId}`)).status).toBe(200);
    expect((await ask(policyPath, 'GET')).status).toBe(200);
    expect((await ask('/oauth2/jwks', 'GET')).status).toBe(200);
    expect((await ask('/try', 'GET')).status).toBe(200);
    expect((await server.ask('/_control/v1/health')).status).toBe(200);
  });

  it('a fault also applies to a sandbox under its path prefix', async () => {
    const other = server.sandboxes.get(otherSandboxId);
    await other.faults.set([
      { kind: 'server-error', endpoint: 'sign-in' },
      { kind: 'server-error', endpoint: 'policy' },
    ]);
    expect((await ask('/sign-in', 'GET', `/s/${otherSandboxId}`)).status).toBe(503);
    expect((await ask(policyPath, 'GET', `/s/${otherSandboxId}`)).status).toBe(503);
    expect((await ask('/sign-in', 'GET')).status).toBe(200);
    await other.faults.clear();
  });

  it('a fault does not change the sandbox or its journal', async () => {
    await server.sandbox.faults.set([{ kind: 'server-error', endpoint: 'sign-in' }]);
    const { entryCount } = server.sandbox;
    await ask('/sign-in', 'POST');
    expect(server.sandbox.entryCount).toBe(entryCount);
  });
});

describe('slow endpoint', () => {
  it.each(endpoints)(
    '%s is delayed for the configured time and then responds normally',
    async (endpoint, path, method) => {
      const delayMs = 40;
      const { status } = await ask(path, method);
      await server.sandbox.faults.set([{ kind: 'delay', endpoint, delayMs }]);
      const elapsedMs = stopwatch();
      expect((await ask(path, method)).status).toBe(status);
      // A timer may fire up to one millisecond early.
      expect(elapsedMs()).toBeGreaterThanOrEqual(delayMs - 1);
    },
  );

  it('a delayed response may also fail', async () => {
    await server.sandbox.faults.set([
      { kind: 'delay', endpoint: 'jwks', delayMs: 5 },
      { kind: 'server-error', endpoint: 'jwks', status: 500 },
    ]);
    expect((await ask('/oauth2/jwks', 'GET')).status).toBe(500);
  });
});

describe('aborted connection', () => {
  it.each(endpoints)(
    '%s: if the connection is cut before the response, no response arrives',
    async (endpoint, path, method) => {
      await server.sandbox.faults.set([{ kind: 'connection-reset', endpoint, times: 1 }]);
      const headers = { authorization: `Bearer ${await token()}` };
      await expect(server.ask(path, { method, headers })).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
      expect((await server.ask(path, { method, headers })).status).toBeGreaterThan(0);
    },
  );

  it.each([
    ['sign-in', '/sign-in'],
    ['jwks', '/oauth2/jwks'],
    ['policy', policyPath],
  ])('%s: if the connection is cut within the body, the header arrives but not the rest', async (endpoint, path) => {
    await server.sandbox.faults.set([{ kind: 'connection-reset', endpoint, when: 'during-body', times: 1 }]);
    const answer = await fetch(`${server.baseUrl}${path}`, { headers: { authorization: `Bearer ${await token()}` } });
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow('terminated');
    expect((await ask(path, 'GET')).text.length).toBeGreaterThan(0);
  });
});
