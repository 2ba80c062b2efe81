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

/** Every endpoint that a fault can be put on, with how it is asked. */
const endpoints = [
  ['sign-in', '/sign-in', 'GET', 'page'],
  ['authorize', '/oauth2/authorize?client_id=none', 'GET', 'page'],
  ['token', '/oauth2/token', 'POST', 'oauth'],
  ['userinfo', '/oauth2/userinfo', 'GET', 'oauth'],
  ['jwks', '/oauth2/jwks', 'GET', 'oauth'],
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

/** The error shape of an answer, told by what only that shape has. */
function shapeOf({ headers, text }: Answer): string {
  if (String(headers['content-type']).startsWith('text/html'))
    return errorCodeIn({ text } as Answer) === null ? 'none' : 'page';
  const body = JSON.parse(text);
  if (typeof body.error === 'string' && typeof body.error_description === 'string') return 'oauth';
  return typeof body.error.innerError['request-id'] === 'string' ? 'policy' : 'none';
}

describe('a failing endpoint', () => {
  it.each(endpoints)(
    '%s answers the status that was asked for, in its own error shape',
    async (endpoint, path, method, shape) => {
      await server.sandbox.faults.set([{ kind: 'server-error', endpoint, status: 507, times: 1 }]);
      const answer = await ask(path, method);
      expect({ status: answer.status, shape: shapeOf(answer) }).toEqual({ status: 507, shape });
      expect((await ask(path, method)).status).not.toBe(507);
    },
  );

  it.each(endpoints)('too-many-requests: %s says with 429 when to come back', async (endpoint, path, method, shape) => {
    await server.sandbox.faults.set([{ kind: 'too-many-requests', endpoint, retryAfterSeconds: 7, times: 1 }]);
    const answer = await ask(path, method);
    expect({ status: answer.status, shape: shapeOf(answer) }).toEqual({ status: 429, shape });
    expect(answer.headers['retry-after']).toBe('7');
  });

  it('leaves the other endpoints and the other sandboxes alone', async () => {
    await server.sandbox.faults.set([{ kind: 'server-error', endpoint: 'sign-in' }]);
    expect((await ask('/sign-in', 'GET')).status).toBe(503);
    expect((await ask('/sign-in', 'GET', `/s/${otherSandboxId}`)).status).toBe(200);
    expect((await ask(policyPath, 'GET')).status).toBe(200);
    expect((await ask('/oauth2/jwks', 'GET')).status).toBe(200);
    expect((await ask('/try', 'GET')).status).toBe(200);
    expect((await server.ask('/_control/v1/health')).status).toBe(200);
  });

  it('is met by a sandbox under its prefix too', async () => {
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

  it('changes nothing in the sandbox: the journal stays as it was', async () => {
    await server.sandbox.faults.set([{ kind: 'server-error', endpoint: 'sign-in' }]);
    const { entryCount } = server.sandbox;
    await ask('/sign-in', 'POST');
    expect(server.sandbox.entryCount).toBe(entryCount);
  });
});

describe('a slow endpoint', () => {
  it.each(endpoints)(
    '%s is held back as long as was asked for, and answers all the same',
    async (endpoint, path, method) => {
      const delayMs = 40;
      const { status } = await ask(path, method);
      await server.sandbox.faults.set([{ kind: 'delay', endpoint, delayMs }]);
      const elapsedMs = stopwatch();
      expect((await ask(path, method)).status).toBe(status);
      // A timer may fire up to one ms early.
      expect(elapsedMs()).toBeGreaterThanOrEqual(delayMs - 1);
    },
  );

  it('may fail after that', async () => {
    await server.sandbox.faults.set([
      { kind: 'delay', endpoint: 'jwks', delayMs: 5 },
      { kind: 'server-error', endpoint: 'jwks', status: 500 },
    ]);
    expect((await ask('/oauth2/jwks', 'GET')).status).toBe(500);
  });
});

describe('a connection that is cut', () => {
  it.each(endpoints)('%s: before an answer, no answer comes at all', async (endpoint, path, method) => {
    await server.sandbox.faults.set([{ kind: 'connection-reset', endpoint, times: 1 }]);
    const headers = { authorization: `Bearer ${await token()}` };
    await expect(server.ask(path, { method, headers })).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect((await server.ask(path, { method, headers })).status).toBeGreaterThan(0);
  });

  it.each([
    ['sign-in', '/sign-in'],
    ['jwks', '/oauth2/jwks'],
    ['policy', policyPath],
  ])('%s: in the middle of the body, the head comes and the rest does not', async (endpoint, path) => {
    await server.sandbox.faults.set([{ kind: 'connection-reset', endpoint, when: 'during-body', times: 1 }]);
    const answer = await fetch(`${server.baseUrl}${path}`, { headers: { authorization: `Bearer ${await token()}` } });
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow('terminated');
    expect((await ask(path, 'GET')).text.length).toBeGreaterThan(0);
  });
});
