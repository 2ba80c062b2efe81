import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlOperations } from '../../../src/contract/control-openapi.ts';
import { NudgeLabError } from '../../../src/core/errors.ts';
import { MemoryStore } from '../../../src/journal/stores/memory.store.ts';
import { planSandbox } from '../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import { ControlAccess, sessionCookieName } from '../../../src/server/access/control-access.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { nonEmpty } from '../../non-empty.ts';
import { key, keyedServer, signedIn } from './keyed-server.ts';

let server: RunningServer;
let sandboxes: Sandboxes;

beforeAll(async () => {
  ({ server, sandboxes } = await keyedServer());
});

afterAll(async () => {
  await server.close();
  await sandboxes.close();
});

const open = new Set(['/health', '/ready']);
const guarded = controlOperations.filter(({ path }) => !open.has(path));

describe('control key', () => {
  it.each(
    nonEmpty(
      guarded.map(({ method, path }) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'default')] as const),
    ),
  )(
    'control-key-invalid: %s %s is rejected without the key, with a tenant token, and with a wrong key',
    async (method, path) => {
      const token = (await sandboxes.get('default').tokens.issue({ permissions: [], roles: [], expiresInSeconds: 60 }))
        .access_token;
      for (const authorization of [undefined, `Bearer ${token}`, `Basic ${btoa(`control:${key}`)}`]) {
        // Every attempt comes from a different IP address, because the number of attempts per address is limited.
        const { server: own, sandboxes: ownSandboxes } = await keyedServer();
        const response = await fetch(`${own.controlUrl}${path}`, {
          method,
          headers: authorization === undefined ? {} : { authorization },
        });
        expect([authorization?.slice(0, 6), response.status]).toEqual([authorization?.slice(0, 6), 401]);
        const { error } = (await response.json()) as { error: { code: string } };
        expect(error.code).toBe('control-key-invalid');
        expect(response.headers.get('www-authenticate')).toBe('Bearer realm="control"');
        await own.close();
        await ownSandboxes.close();
      }
    },
  );

  it('requests with the key are accepted, regardless of the case of the scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const response = await fetch(`${server.controlUrl}/sandboxes`, {
        headers: { authorization: `${scheme} ${key}` },
      });
      expect(response.status).toBe(200);
    }
  });

  it.each(['/health', '/ready'])('%s needs no key, because monitoring systems have none', async (path) => {
    expect((await fetch(`${server.controlUrl}${path}`)).status).toBe(200);
  });

  it.each(['/Sandboxes', '//sandboxes', '/health/../sandboxes', '/health/', '/HEALTH/', '/health%2f..%2fsandboxes'])(
    '%s does not bypass the key by a different spelling',
    async (path) => {
      const response = await fetch(`${server.controlUrl}${path}`);
      expect([401, 404]).toContain(response.status);
    },
  );

  it('the control key is not valid for the APIs of a sandbox', async () => {
    const response = await fetch(`${server.baseUrl}/v1.0/policies/authenticationMethodsPolicy`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(401);
  });

  it.each([
    '',
    'short',
    'x'.repeat(15),
    'x'.repeat(257),
    'with blanks in between',
    'mit-Umlauten-äöüßäöü',
    'a\nkey-with-a-line-end',
  ])('config-invalid: %j is not a valid key', (weak) => {
    expect(() => new ControlAccess(weak)).toThrow(NudgeLabError);
  });

  it('control-key-required: a server that other machines can reach does not start without a key', async () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'localhost.example.test', '128.0.0.1']) {
      await expect(startServer({ sandboxes, port: 0, host })).rejects.toMatchObject({ code: 'control-key-required' });
    }
  });
});

describe('console session', () => {
  it('expires after exactly twelve hours, to the millisecond', () => {
    let nowMs = 1_000;
    const access = new ControlAccess(key, () => nowMs);
    const value = access.beginSession();
    const request = { headers: { cookie: `${sessionCookieName}=${value}` } };
    for (const [atMs, session] of [
      [1_000, value],
      [1_000 + 43_199_999, value],
      [1_000 + 43_200_000, null],
      [1_000 + 43_200_001, null],
    ] as const) {
      nowMs = atMs;
      expect([atMs, access.findSession(request)]).toEqual([atMs, session]);
    }
  });

  it('ends early if it is closed, and other sessions continue', () => {
    const access = new ControlAccess(key, () => 1_000);
    const [first, second] = [access.beginSession(), access.beginSession()];
    access.endSession(first);
    const getSession = (value: string) => access.findSession({ headers: { cookie: `${sessionCookieName}=${value}` } });
    expect([getSession(first), getSession(second)]).toEqual([null, second]);
  });
});

describe('guessing the control key', () => {
  const address = '192.0.2.7';

  it('too-many-requests: after ten wrong keys in a minute even the correct key is rejected until the minute has passed', () => {
    let nowMs = 1_000;
    const access = new ControlAccess(key, () => nowMs);
    for (let guess = 0; guess < 10; guess += 1) expect(access.admits(`wrong-${guess}`, address)).toBe(false);
    nowMs += 59_999;
    expect(() => access.admits(key, address)).toThrow(
      expect.objectContaining({ code: 'too-many-requests', headers: { 'Retry-After': '1' } }),
    );
    expect(access.admits(key, '192.0.2.8')).toBe(true);
    nowMs += 1;
    expect(access.admits(key, address)).toBe(true);
  });

  it('an IPv6 network counts as one address, in any notation', () => {
    const access = new ControlAccess(key, () => 0);
    for (let guess = 0; guess < 10; guess += 1) expect(access.admits('wrong', `2001:db8:0:1::${guess}`)).toBe(false);
    expect(() => access.admits(key, '2001:db8:0:1:ffff:1:2:3')).toThrow(NudgeLabError);
    expect(access.admits(key, '2001:db8:0:2::1')).toBe(true);
  });

  it('too-many-requests: the API returns Retry-After', async () => {
    const { server: own, sandboxes: ownSandboxes } = await keyedServer();
    const tryWrongKey = () => fetch(`${own.controlUrl}/sandboxes`, { headers: { authorization: 'Bearer wrong' } });
    for (let guess = 0; guess < 10; guess += 1) expect((await tryWrongKey()).status).toBe(401);
    const refused = await tryWrongKey();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await own.close();
    await ownSandboxes.close();
  });
});

describe('signing in to the console', () => {
  it('the console redirects to its sign-in page, and back to the requested view', async () => {
    const unauthenticated = await fetch(`${server.baseUrl}/_console/s/default/users`, { redirect: 'manual' });
    expect([unauthenticated.status, unauthenticated.headers.get('location')]).toEqual([
      303,
      '/_console/sign-in?next=%2F_console%2Fs%2Fdefault%2Fusers',
    ]);
    const { response } = await signedIn(server, { next: '/_console/s/default/users' });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/_console/s/default/users']);
  });

  it.each([
    '//evil.example',
    'https://evil.example',
    '/_console//evil',
    '/_consoleevil',
    '/_console/\\evil',
    '/_console/sign-in',
    '/_console/a\r\nSet-Cookie: x=y',
  ])('the sign-in form never redirects to %j', async (next) => {
    const { response } = await signedIn(server, { next });
    const location = response.headers.get('location') ?? '';
    expect(location === '/_console' || /^\/_console\//.test(location)).toBe(true);
    expect(location).not.toMatch(/[\r\n\\]/);
  });

  it('the cookie is limited to the console and its API, hidden from scripts, and not sent by other sites', async () => {
    const { response } = await signedIn(server);
    const cookies = response.headers
      .getSetCookie()
      .filter((cookie) => cookie.startsWith(`nudgelab-${server.port}-console=`));
    expect(cookies.map((cookie) => cookie.replace(/=[^;]*/, ''))).toEqual([
      `nudgelab-${server.port}-console; Path=/_console; HttpOnly; SameSite=Strict`,
      `nudgelab-${server.port}-console; Path=/_control/v1; HttpOnly; SameSite=Strict`,
    ]);
    expect(cookies.join()).not.toContain(key);
  });

  it('the cookie authorizes API requests, including event streams, until the browser signs out', async () => {
    const { cookie } = await signedIn(server);
    const headers = { cookie };
    const stream = await fetch(`${server.controlUrl}/sandboxes/default/events`, { headers });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await stream.body?.cancel();
    expect((await fetch(`${server.controlUrl}/sandboxes/default/journey`, { headers })).status).toBe(200);
    const page = await (await fetch(`${server.baseUrl}/_console/sign-out`, { headers })).text();
    const formToken = /name="formToken" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const forged = await fetch(`${server.baseUrl}/_console/sign-out`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ formToken: 'x' }),
    });
    expect(forged.status).toBe(403);
    const left = await fetch(`${server.baseUrl}/_console/sign-out`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ formToken }),
      redirect: 'manual',
    });
    expect(left.status).toBe(303);
    expect((await fetch(`${server.controlUrl}/sandboxes`, { headers })).status).toBe(401);
  });

  it('origin-not-allowed: a page of another origin can neither sign in nor change anything with the cookie', async () => {
    const { cookie } = await signedIn(server);
    const foreign = { cookie, origin: 'http://localhost:1' };
    const change = await fetch(`${server.controlUrl}/sandboxes/default`, { method: 'DELETE', headers: foreign });
    expect(change.status).toBe(403);
    const { response } = await signedIn(server, {}, { origin: 'http://evil.example' });
    expect(response.status).toBe(403);
  });

  it('anti-forgery-token-invalid: a form without the token of its page is rejected', async () => {
    const { response } = await signedIn(server, { formToken: 'forged' });
    expect(response.status).toBe(403);
  });

  it('a wrong key is reported next to its field and is not echoed', async () => {
    const { response } = await signedIn(server, { key: 'a-wrong-key-of-somebody' });
    const page = await response.text();
    expect([response.status, page.includes('a-wrong-key-of-somebody'), page.includes('aria-invalid')]).toEqual([
      401,
      false,
      true,
    ]);
  });

  it.each(['', 'x', '.', '..', 'zzzzzzzz.AAAAAAAAAAAAAAAAAAAAAA.', 'zzzzzzzz.AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAA'])(
    '%j is not a valid session',
    async (value) => {
      const response = await fetch(`${server.controlUrl}/sandboxes`, {
        headers: { cookie: `nudgelab-console=${value}` },
      });
      expect(response.status).toBe(401);
    },
  );

  it('a session ends after twelve hours, or when the key changes', () => {
    let nowMs = 0;
    const access = new ControlAccess(key, () => nowMs);
    const headers = { cookie: `nudgelab-console=${access.beginSession()}` };
    expect(new ControlAccess(`${key}-another`, () => nowMs).findSession({ headers })).toBeNull();
    expect(new ControlAccess(key, () => nowMs).findSession({ headers })).not.toBeNull();
    nowMs = 43_199_999;
    expect(access.findSession({ headers })).not.toBeNull();
    nowMs += 1;
    expect(access.findSession({ headers })).toBeNull();
  });

  it('without a key there is no sign-in page, and the console is accessible', async () => {
    const openSandboxes = await Sandboxes.open(new MemoryStore());
    await openSandboxes.create('default', planSandbox({}));
    const openServer = await startServer({ sandboxes: openSandboxes, port: 0 });
    const page = await fetch(`${openServer.baseUrl}/_console/sign-in`, { redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([303, '/_console']);
    await openServer.close();
    await openSandboxes.close();
  });
});
