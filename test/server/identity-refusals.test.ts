import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formBodyBytesMax } from '../../src/core/limits.ts';
import {
  type Answer,
  begin,
  beginPrompt,
  campaignFor,
  errorCodeIn,
  formType,
  type IdentityServer,
  type OpenPrompt,
  otherSandboxId,
  pageIn,
  send,
  startIdentityServer,
} from './identity-server.ts';

let server: IdentityServer;
let held: OpenPrompt;

beforeAll(async () => {
  server = await startIdentityServer({ tenant: campaignFor('fido2') });
  held = await beginPrompt(server, 'ada');
});

afterAll(async () => {
  await server.close();
});

/** Counts the entries of both journals, which must not grow when a request is rejected. */
function entries(): number {
  return server.sandbox.entryCount + server.sandboxes.get(otherSandboxId).entryCount;
}

/** Lists the starts of all script tags on a page except the one script file of this server. */
function foreignScripts(text: string): readonly string[] {
  return text.match(/<script(?! type="module" src="\/_assets\/pages-[0-9a-f]{12}\.js"><\/script>)/gi) ?? [];
}

async function refused(request: () => Promise<Answer>): Promise<{ status: number; code: string | null; grew: number }> {
  const before = entries();
  const answer = await request();
  return { status: answer.status, code: errorCodeIn(answer), grew: entries() - before };
}

function post(path: string, fields: string, headers: Record<string, string> = {}): Promise<Answer> {
  return server.ask(path, { method: 'POST', headers: { ...formType, ...headers }, body: fields });
}

describe('anti-forgery tokens and cookies', () => {
  const invalid = { status: 403, code: 'anti-forgery-token-invalid', grew: 0 };

  test('anti-forgery-token-invalid: a form without its token changes nothing', async () => {
    expect(await refused(() => post(held.address, 'action=skip', { cookie: held.cookie }))).toEqual(invalid);
  });

  test.for([
    ['wrong', 'AAAAAAAAAAAAAAAAAAAAAA'],
    ['empty', ''],
    ['longer', 'A'.repeat(2000)],
  ])('anti-forgery-token-invalid: a token that is %s changes nothing', async ([, formToken = '']) => {
    expect(await refused(() => send(server, { ...held, formToken }, { action: 'skip' }))).toEqual(invalid);
  });

  test('anti-forgery-token-invalid: the token of another sign-in of the same user changes nothing', async () => {
    const other = await beginPrompt(server, 'ada');
    expect(await refused(() => send(server, { ...held, formToken: other.formToken }, { action: 'skip' }))).toEqual(
      invalid,
    );
  });

  test('anti-forgery-token-invalid: a form without the cookie changes nothing, even with a valid token', async () => {
    expect(await refused(() => send(server, { ...held, cookie: '' }, { action: 'skip' }))).toEqual(invalid);
  });

  test('anti-forgery-token-invalid: the cookie value of another sign-in under the name of this one changes nothing', async () => {
    const other = await begin(server, 'bob');
    const cookie = `${held.cookie.split('=')[0]}=${other.cookie.split('=')[1]}`;
    expect(await refused(() => send(server, { ...held, cookie }, { action: 'skip' }))).toEqual(invalid);
  });

  test('anti-forgery-token-invalid: cookie and token of the same sign-in are invalid in another sandbox', async () => {
    const prefix = `/s/${otherSandboxId}`;
    const other = await beginPrompt(server, 'ada', prefix);
    const foreign = { ...held, address: other.address };
    expect(held.address.split('/').at(-1)).toBe(other.address.split('/').at(-1));
    expect(await refused(() => send(server, foreign, { action: 'skip' }))).toEqual(invalid);
    const renamed = { ...foreign, cookie: `${other.cookie.split('=')[0]}=${held.cookie.split('=')[1]}` };
    expect(await refused(() => send(server, renamed, { action: 'skip' }))).toEqual(invalid);
  });

  test('anti-forgery-token-invalid: a beacon requires the token', async () => {
    expect(await refused(() => post(held.address, 'action=left', { cookie: held.cookie }))).toEqual(invalid);
  });

  test.for(['', 'nudgelab-PORT-default-s2=; x=y', 'nudgelab-PORT-default-s2', 'nudgelab-default-s2='])(
    'sign-in-not-found: the URL of a sign-in shows nothing with the cookie %j',
    async (given) => {
      const cookie = given.replace('PORT', String(server.port));
      const headers: Record<string, string> = cookie === '' ? {} : { cookie };
      expect(await refused(() => server.ask(held.address, { headers }))).toEqual({
        status: 404,
        code: 'sign-in-not-found',
        grew: 0,
      });
    },
  );

  test('session: the cookie is found among other cookies', async () => {
    const cookie = `a=b; nudgelab-${server.port}-default-s22=x; ${held.cookie}; z="q;w"`;
    expect(pageIn(await server.ask(held.address, { headers: { cookie } })).name).toBe('prompt');
  });

  test('session: the cookie has the name, value and path of this sign-in, is HttpOnly and has no Domain', async () => {
    const { headers } = await post(`/s/${otherSandboxId}/sign-in`, 'username=bob@example.test');
    const id = server.sandboxes.get(otherSandboxId).signIns.list({ limit: 1 })[0]?.id;
    expect(headers['set-cookie']).toMatch(
      new RegExp(
        `^nudgelab-${server.port}-${otherSandboxId}-${id}=[\\w-]{22}; Path=/s/${otherSandboxId}/sign-in/${id}; HttpOnly; SameSite=Lax$`,
      ),
    );
  });

  test('session: each sign-in has its own cookie and token', async () => {
    const sealed = [await begin(server, 'bob'), await begin(server, 'bob'), await begin(server, 'ada')];
    expect(new Set(sealed.flatMap(({ cookie, formToken }) => [cookie.split('=')[1], formToken])).size).toBe(6);
  });
});

describe('foreign origins', () => {
  const foreign = { status: 403, code: 'origin-not-allowed', grew: 0 };
  const begins = ['/sign-in', 'username=ada@example.test'] as const;

  test.for<Record<string, string>>([
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('origin-not-allowed: %j is rejected', async (headers) => {
    expect(await refused(() => post(...begins, headers))).toEqual(foreign);
    const skip = `formToken=${held.formToken}&action=skip`;
    expect(await refused(() => post(held.address, skip, { ...headers, cookie: held.cookie }))).toEqual(foreign);
  });

  test('origin-not-allowed: a form from the other name of the server is rejected', async () => {
    expect(await refused(() => post(...begins, { origin: `http://127.0.0.1:${server.port}` }))).toEqual(foreign);
  });

  test('origin-not-allowed: a form from the same origin is accepted', async () => {
    const answer = await post(...begins, { origin: server.baseUrl, 'sec-fetch-site': 'same-origin' });
    expect(answer.status).toBe(200);
  });
});

describe('request bodies', () => {
  test('unsupported-media-type: JSON is rejected as a form', async () => {
    const type = { 'content-type': 'application/json' };
    expect(await refused(() => post('/sign-in', '{"username":"ada@example.test"}', type))).toMatchObject({
      status: 415,
      code: 'unsupported-media-type',
      grew: 0,
    });
  });

  test('unsupported-media-type: a compressed body or one without a type is rejected', async () => {
    const compressed = await refused(() => post('/sign-in', 'x', { 'content-encoding': 'gzip' }));
    const untyped = await refused(() => server.ask('/sign-in', { method: 'POST', body: 'username=ada' }));
    expect([compressed.status, untyped.status]).toEqual([415, 415]);
  });

  test('payload-too-large: a form that exceeds the limit by one byte is rejected, with or without Content-Length', async () => {
    const body = `username=${'a'.repeat(formBodyBytesMax - 'username='.length + 1)}`;
    expect(await refused(() => post('/sign-in', body))).toEqual({ status: 413, code: 'payload-too-large', grew: 0 });
    const response = await fetch(`${server.baseUrl}/sign-in`, {
      method: 'POST',
      headers: formType,
      body: new Blob([body]).stream(),
      duplex: 'half',
    });
    expect(response.status).toBe(413);
  });

  test('payload-too-large: a form of exactly the limit is accepted', async () => {
    const body = `username=${'a'.repeat(formBodyBytesMax - 'username='.length)}`;
    expect(await refused(() => post('/sign-in', body))).toMatchObject({ status: 400, code: null, grew: 0 });
  });

  test('bad-request: an unknown action is rejected, including names of Object properties', async () => {
    for (const action of ['', 'delete', 'constructor', '__proto__', 'toString']) {
      expect(await refused(() => send(server, held, { action }))).toEqual({
        status: 400,
        code: 'bad-request',
        grew: 0,
      });
    }
  });

  test('bad-request: the form is shown again for an unknown passkey type or a missing device', async () => {
    const own = await beginPrompt(server, 'bob');
    await send(server, own, { action: 'next' });
    for (const fields of [
      { passkeyType: 'abacus' },
      { passkeyType: '' },
      {},
      { passkeyType: 'keychain', deviceId: ' ' },
      { passkeyType: 'keychain', deviceId: 'd'.repeat(257) },
    ]) {
      const before = entries();
      const answer = await send(server, own, { action: 'finish', ...fields } as Record<string, string>);
      expect([answer.status, pageIn(answer).name, entries() - before]).toEqual([400, 'setup', 0]);
      expect(pageIn(answer).error).not.toBeNull();
    }
  });
});

describe('script injection in fields', () => {
  const script = `"><script>alert(1)</script>'&amp;`;

  test('escaping: a repeated username is escaped', async () => {
    const { text, status } = await post('/sign-in', new URLSearchParams({ username: script }).toString());
    expect([status, foreignScripts(text), text.includes('&#60;script&#62;')]).toEqual([400, [], true]);
  });

  test('escaping: the display name of a user and the device of an attempt are escaped', async () => {
    const { directory } = server.sandbox;
    await directory.putUser('eve', { userPrincipalName: 'eve<script>@example.test', displayName: script });
    await directory.setNextSignIn('eve', { deviceId: script });
    const begun = await post('/sign-in', new URLSearchParams({ username: 'eve<script>@example.test' }).toString());
    const form = pageIn(begun).forms[0];
    const own = {
      address: form?.address ?? '',
      cookie: String(begun.headers['set-cookie']).split(';')[0] ?? '',
      formToken: form?.fields.find(({ name }) => name === 'formToken')?.value ?? '',
    };
    await send(server, own, { action: 'password', password: 'correct horse' });
    await send(server, own, { action: 'code', code: '123456' });
    const setup = await send(server, own, { action: 'next' });
    expect([begun.text, setup.text].map(foreignScripts)).toEqual([[], []]);
    expect(pageIn(setup).name).toBe('setup');
    const again = await send(server, own, { action: 'finish', passkeyType: 'keychain', deviceId: script });
    expect([again.status, pageIn(again).name]).toEqual([200, 'setup-name']);
    await send(server, own, { action: 'name-passkey', name: 'My keychain' });
    expect(directory.user('eve').passkeys).toEqual([
      { type: 'keychain', deviceId: script, credentialId: expect.stringMatching(/^[\w-]+$/) },
    ]);
  });

  test('escaping: no value of a user reaches a header', async () => {
    const value = 'x\r\nSet-Cookie: a=b\r\n\r\n';
    const { headers } = await post('/sign-in', new URLSearchParams({ username: value }).toString());
    expect(JSON.stringify(headers)).not.toContain('a=b');
  });
});

describe('security headers of every page', () => {
  test('headers: inline scripts, frames, caching and foreign form targets are forbidden', async () => {
    const { headers, text } = await server.ask('/sign-in');
    const policy = String(headers['content-security-policy']);
    expect(policy.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      'img-src data:',
      "script-src 'self'",
      "style-src 'self'",
    ]);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(text).not.toMatch(/<style|style=|\son\w+=|javascript:/i);
    expect(foreignScripts(text)).toEqual([]);
    expect(text).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
  });

  test('headers: error pages have the same headers', async () => {
    const [page, problem] = [await server.ask('/sign-in'), await server.ask('/sign-in/s999')];
    expect([page.status, problem.status]).toEqual([200, 404]);
    const ofSignIn = ['accept-ch', 'content-length', 'date', 'set-cookie'];
    const lasting = ({ headers }: typeof page) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !ofSignIn.includes(name)));
    expect(lasting(problem)).toEqual(lasting(page));
    expect(lasting(problem)).toHaveProperty('content-security-policy');
  });
});

describe('paths and methods', () => {
  test.for([
    ['/sign-in/s999', 'sign-in-not-found'],
    ['/sign-in/constructor', 'sign-in-not-found'],
    ['/sign-in/s2/more', 'not-found'],
    ['/s/nowhere/sign-in', 'sandbox-not-found'],
    ['/s/nowhere/sign-in/s2', 'sandbox-not-found'],
    [`/s/${otherSandboxId}/sign-in/s999`, 'sign-in-not-found'],
  ])('paths: %s is 404 with %s, as a page', async ([path = '', code]) => {
    const answer = await server.ask(path);
    expect([answer.status, errorCodeIn(answer)]).toEqual([404, code]);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test.for(['PUT', 'DELETE', 'PATCH'])(
    'method-not-allowed: %s is rejected with the allowed methods',
    async (method) => {
      const answers = [await server.ask('/sign-in', { method }), await server.ask(held.address, { method })];
      expect(answers.map((answer) => [answer.status, errorCodeIn(answer), answer.headers['allow']])).toEqual(
        Array.from({ length: 2 }, () => [405, 'method-not-allowed', 'GET, HEAD, POST']),
      );
    },
  );

  test('headers: HEAD returns those of GET and no body', async () => {
    const [head, get] = [await server.ask('/sign-in', { method: 'HEAD' }), await server.ask('/sign-in')];
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', get.headers['content-length']]);
  });
});
