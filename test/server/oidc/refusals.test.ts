import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../../non-empty.ts';
import { oidcServer } from './oidc-server.ts';
import { answerAt, appBrowser, RelyingParty } from './relying-party.ts';

/** Expects an error page of the server with the given code, without a redirect. */
async function refused(change: (url: URL) => void, code: string): Promise<void> {
  const { issuer, sandbox, faults } = await oidcServer();
  const { url } = await (await RelyingParty.discover(issuer)).ask();
  change(url);
  const displayed = await appBrowser().load(url);
  expect(displayed).toMatchObject({ status: 400, page: { name: 'problem' } });
  expect(displayed.text).toContain(`data-error="${code}"`);
  expect(displayed.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(displayed.text).not.toContain('<script');
  expect({ faults, signIns: sandbox.signIns.list({ limit: 1 }) }).toEqual({ faults: [], signIns: [] });
}

describe('authorization requests that return an error page and never redirect', () => {
  it('client-not-found: an unknown client is rejected', async () => {
    await refused(({ searchParams }) => searchParams.set('client_id', 'nobody'), 'client-not-found');
  });

  it('client-not-found: the page lists the clients, suggests the nearest one, and escapes what was sent', async () => {
    const clients = [{ id: 'shop', kind: 'public', anyLoopbackRedirect: true }];
    const { issuer } = await oidcServer({ clients });
    const load = (id: string) => appBrowser().load(`${issuer}/oauth2/authorize?client_id=${encodeURIComponent(id)}`);
    expect((await load('shpo')).text).toContain('did you mean &#34;shop&#34;? Its clients are shop.');
    const hostile = (await load('<script>alert(1)</script>')).text;
    expect(hostile).toContain('Its clients are shop.');
    expect(hostile).not.toContain('<script>alert');
  });

  it.each([
    'https://evil.example/callback',
    'http://localhost.evil.example/',
    'http://evil.example@localhost/',
    'http://localhost@evil.example/',
    'http://localhost/#fragment',
    'javascript:alert(1)',
    'http://localhost\\@evil.example/',
  ])('redirect-uri-mismatch: the redirect URI %s is rejected', async (address) => {
    await refused(({ searchParams }) => searchParams.set('redirect_uri', address), 'redirect-uri-mismatch');
  });

  it('authorization-invalid: a missing redirect URI is rejected', async () => {
    await refused(({ searchParams }) => searchParams.delete('redirect_uri'), 'authorization-invalid');
  });

  it('authorization-invalid: a duplicate parameter that contains a script is rejected and escaped', async () => {
    await refused(({ searchParams }) => {
      searchParams.append('client_id', '<script>alert(1)</script>');
    }, 'authorization-invalid');
  });

  it('redirect-uri-mismatch: a registered redirect URI is compared exactly', async () => {
    const { issuer } = await oidcServer({
      clients: [{ id: 'exact', kind: 'public', redirectUris: ['https://app.example/callback'] }],
    });
    const browser = appBrowser();
    for (const redirectUri of [
      'https://app.example/callback/',
      'https://app.example/callback?a=b',
      'http://127.0.0.1:4700/callback',
    ]) {
      const { url } = await (await RelyingParty.discover(issuer, { id: 'exact', redirectUri })).ask();
      expect(await browser.load(url)).toMatchObject({ status: 400, page: { name: 'problem' } });
    }
  });
});

describe('authorization errors that are returned to the application', () => {
  it.each([
    [{ code_challenge: '' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ max_age: 'long' }, 'invalid_request'],
    [{ claims: '{"id_token":{"acr":{"essential":true,"value":"unheard-of"}}}' }, 'access_denied'],
  ])('%j: %s', async (parameters, error) => {
    const { issuer } = await oidcServer();
    const { url, checks } = await (await RelyingParty.discover(issuer)).ask(parameters);
    expect(answerAt(await appBrowser().signIn(url))).toMatchObject({ error, state: checks.expectedState, iss: issuer });
  });
});

describe('rejected codes and tokens', () => {
  it('a wrong PKCE verifier, a modified state or a foreign nonce is rejected', async () => {
    const { issuer } = await oidcServer();
    const party = await RelyingParty.discover(issuer);
    const request = await party.ask();
    const displayed = await appBrowser().signIn(request.url);
    const checks = { ...request.checks, pkceCodeVerifier: client.randomPKCECodeVerifier() };
    await expect(party.redeem(displayed, { ...request, checks })).rejects.toMatchObject({ error: 'invalid_grant' });
    const address = displayed.address.replace(/state=[^&]*/, 'state=another');
    await expect(party.redeem({ address }, request)).rejects.toMatchObject({ code: 'OAUTH_INVALID_RESPONSE' });
  });

  it('reusing a code revokes the tokens of its first use', async () => {
    const { issuer, sandbox } = await oidcServer();
    const party = await RelyingParty.discover(issuer);
    const request = await party.ask({ scope: 'openid Policy.Read.All' });
    const displayed = await appBrowser().signIn(request.url);
    const { access_token: token } = await party.redeem(displayed, request);
    expect(await sandbox.tokens.verify(token)).toMatchObject({ kind: 'delegated', subject: 'ada' });
    await expect(party.redeem(displayed, request)).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(sandbox.tokens.verify(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(sandbox.tokens.remembered(token)).toBeNull();
  });

  it('a public client can introspect its own tokens and no others', async () => {
    const { issuer } = await oidcServer();
    const own = await RelyingParty.discover(issuer);
    const web = await RelyingParty.discover(issuer, { id: 'test-web', secret: 'test-secret' });
    const [ofPublic, ofWeb] = [await own.signIn(), await web.signIn()];
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const heard = async ({ config }: RelyingParty, tokens: typeof ofWeb) =>
        (await client.tokenIntrospection(config, tokens[kind] ?? '')).active;
      expect([await heard(own, ofPublic), await heard(own, ofWeb)]).toEqual([true, false]);
      expect([await heard(web, ofPublic), await heard(web, ofWeb)]).toEqual([true, true]);
    }
  });

  it('a refresh token is valid once; reusing it revokes all tokens derived from it', async () => {
    const { issuer } = await oidcServer();
    const party = await RelyingParty.discover(issuer);
    const first = await party.signIn();
    const second = await client.refreshTokenGrant(party.config, first.refresh_token ?? '');
    expect(second.refresh_token).not.toBe(first.refresh_token);
    for (const { refresh_token: token } of [first, second]) {
      await expect(client.refreshTokenGrant(party.config, token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    }
  });

  it.each([
    ['a consent', { prompt: 'consent' }, ['keep', 'other', 'stay', 'passkey', 'constructor', null]],
    ['the choice of an account', { prompt: 'select_account' }, ['grant', 'refuse']],
  ] as const)(
    'bad-request: a modified form of %s is rejected, and the step remains open',
    async (_what, parameters, actions) => {
      const { issuer, sandbox } = await oidcServer();
      const browser = appBrowser();
      const party = await RelyingParty.discover(issuer);
      await party.signIn(browser);
      const displayed = await browser.load((await party.ask(parameters)).url);
      const formToken = /name="formToken" value="([^"]+)"/.exec(displayed.text)?.[1] ?? '';
      const held = sandbox.signIns.list({ limit: 10 });
      for (const action of nonEmpty(actions)) {
        const answer = await fetch(displayed.address, {
          method: 'POST',
          redirect: 'manual',
          headers: { origin: new URL(issuer).origin, cookie: browser.jar.getCookieStringSync(displayed.address) },
          body: new URLSearchParams({ formToken, username: 'ben@example.test', ...(action !== null && { action }) }),
        });
        expect([action, answer.status]).toEqual([action, 400]);
        expect(await answer.text()).toContain('data-error="bad-request"');
      }
      expect(sandbox.signIns.list({ limit: 10 })).toEqual(held);
      expect((await browser.load(displayed.address)).page?.name).toBe(displayed.page?.name);
    },
  );

  it('an interaction of another browser, or a completed one, cannot be used', async () => {
    const { issuer } = await oidcServer();
    const { url } = await (await RelyingParty.discover(issuer)).ask();
    const began = await appBrowser().load(url);
    const uid = new URL(began.address).searchParams.get('interaction');
    expect(await appBrowser().load(`${issuer}/oauth2/authorize/${uid}`)).toMatchObject({ status: 400 });
    expect(await appBrowser().load(`${issuer}/sign-in?interaction=another`)).toMatchObject({
      status: 404,
      page: { name: 'problem' },
    });
  });

  it('interaction-unknown: a user cannot sign in for the browser of another user, who would then use that account', async () => {
    const { issuer, sandbox } = await oidcServer();
    const { url } = await (await RelyingParty.discover(issuer)).ask();
    const [attacker, victim] = [appBrowser(), appBrowser()];
    const began = await attacker.load(url);
    const displayed = await victim.load(began.address);
    expect(displayed).toMatchObject({ status: 404, page: { name: 'problem' } });
    expect(displayed.text).toContain('data-error="interaction-unknown"');
    const forged = await fetch(began.address, {
      method: 'POST',
      headers: { origin: new URL(issuer).origin },
      body: new URLSearchParams({ username: 'ada@example.test' }),
    });
    expect([forged.status, sandbox.signIns.list({ limit: 1 })]).toEqual([404, []]);
  });

  it('two application sign-ins run in parallel in one browser, and completed ones leave no cookie', async () => {
    const { issuer } = await oidcServer();
    const party = await RelyingParty.discover(issuer);
    const browser = appBrowser();
    const [first, second] = [await party.ask(), await party.ask()];
    const [left, right] = [await browser.load(first.url), await browser.load(second.url)];
    const isBinding = (key: string) => !key.includes('-session');
    const bound = () =>
      browser.jar
        .getCookiesSync(left.address)
        .map(({ key }) => key)
        .filter(isBinding);
    expect(bound()).toHaveLength(2);
    for (const [shown, request] of [
      [left, first],
      [right, second],
    ] as const) {
      const back = await browser.signIn(shown.address);
      expect((await party.redeem(back, request)).claims()?.sub).toBe('ada');
    }
    expect(bound()).toEqual([]);
  });

  it('sandboxes are isolated: the token of one is invalid in another', async () => {
    const { sandboxes, sandbox, serverUrl } = await oidcServer();
    const { planSandbox } = await import('../../../src/sandbox/sandbox.ts');
    await sandboxes.create('other', planSandbox({}));
    const { access_token: token } = await sandbox.tokens.issue({ permissions: ['Policy.Read.All'] });
    const headers = { authorization: `Bearer ${token}` };
    const path = 'v1.0/policies/authenticationMethodsPolicy';
    expect((await fetch(`${serverUrl}/${path}`, { headers })).status).toBe(200);
    expect((await fetch(`${serverUrl}/s/other/${path}`, { headers })).status).toBe(401);
  });
});

describe('protocol endpoints', () => {
  it.each([
    ['GET', '/oauth2/token', 405],
    ['POST', '/oauth2/jwks', 405],
    ['POST', '/.well-known/openid-configuration', 405],
    ['DELETE', '/.well-known/oauth-authorization-server', 405],
    ['GET', '/oauth2/nothing', 404],
    ['GET', '/s/nobody/.well-known/openid-configuration', 404],
  ])('%s %s: %i in the format of the protocol', async (method, path, status) => {
    const { serverUrl } = await oidcServer();
    const response = await fetch(`${serverUrl}${path}`, { method });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: expect.any(String), error_description: expect.any(String) });
  });

  it.each(['/oauth2/token', '/s/nobody/.well-known/openid-configuration'])(
    'the error of GET %s is not stored by caches',
    async (path) => {
      const { serverUrl } = await oidcServer();
      expect((await fetch(`${serverUrl}${path}`)).headers.get('cache-control')).toBe('no-store');
    },
  );

  it('payload-too-large: an endless body is not read', async () => {
    const { issuer } = await oidcServer();
    const form = `grant_type=${'x'.repeat(100_000)}`;
    for (const path of ['introspect', 'revoke', 'register', 'token', 'par', 'userinfo']) {
      for (const body of [form, new Blob([form]).stream()]) {
        const response = await fetch(`${issuer}/oauth2/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body,
          duplex: 'half',
        } as RequestInit);
        expect([path, response.status]).toEqual([path, 413]);
        expect(await response.json()).toMatchObject({
          error: 'invalid_request',
          error_description: expect.any(String),
        });
      }
    }
  });

  it('a body without Content-Length is read like any other', async () => {
    const { issuer } = await oidcServer();
    const response = await fetch(`${issuer}/oauth2/token`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${btoa('test-service:test-secret')}`,
      },
      body: new Blob(['grant_type=client_credentials']).stream(),
      duplex: 'half',
    } as RequestInit);
    expect([response.status, await response.json()]).toMatchObject([200, { token_type: 'Bearer' }]);
  });

  it.each([
    ['test-web:test-secret', 'grant_type=password&username=ada&password=x', 'unsupported_grant_type'],
    [
      'test-web:test-secret',
      'grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code',
      'unsupported_grant_type',
    ],
    ['test-web:test-secret', 'grant_type=implicit', 'unsupported_grant_type'],
    ['test-service:test-secret', 'grant_type=authorization_code&code=x&redirect_uri=x', 'unauthorized_client'],
    ['test-service:test-secret', 'grant_type=refresh_token&refresh_token=x', 'unauthorized_client'],
    ['test-web:test-secret', 'grant_type=client_credentials', 'unauthorized_client'],
    [null, 'client_id=test-public&grant_type=client_credentials', 'unauthorized_client'],
    ['test-web:test-secret', 'grant_type=refresh_token', 'invalid_request'],
    ['test-web:test-secret', 'scope=openid', 'invalid_request'],
    [null, 'grant_type=authorization_code', 'invalid_request'],
  ])('the token endpoint returns %s, %s with %s (RFC 6749, 5.2)', async (client, body, error) => {
    const { issuer } = await oidcServer();
    const response = await fetch(`${issuer}/oauth2/token`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(client === null ? {} : { authorization: `Basic ${btoa(client)}` }),
      },
      body,
    });
    expect([response.status, await response.json()]).toMatchObject([400, { error }]);
  });

  it.each(['authorize', 'end_session'])(
    'unsupported-media-type: a request to %s by POST with another media type than a form is rejected',
    async (endpoint) => {
      const { issuer, faults } = await oidcServer();
      const response = await fetch(`${issuer}/oauth2/${endpoint}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_id: 'test-web' }),
      });
      expect([response.status, faults]).toEqual([415, []]);
      expect(await response.text()).toContain('data-error="unsupported-media-type"');
    },
  );

  it('cookies are limited to this sandbox, hidden from scripts, and rejected if forged', async () => {
    const { issuer } = await oidcServer({ id: 'demo' });
    const party = await RelyingParty.discover(issuer);
    const browser = appBrowser();
    await party.signIn(browser);
    const cookies = browser.jar.getCookiesSync(`${issuer}/oauth2/authorize`);
    expect(cookies.map(({ key }) => key)).toContain(`nudgelab-${new URL(issuer).port}-demo-session`);
    for (const cookie of cookies) {
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'lax' });
      expect(cookie.path).toMatch(/^\/s\/demo\/(oauth2|$)/);
    }
    const forged = appBrowser();
    for (const { key, value, path } of cookies) {
      const other = key.endsWith('.sig') ? `${value.slice(1)}A` : value;
      forged.jar.setCookieSync(`${key}=${other}; path=${path}`, issuer);
    }
    expect(answerAt(await forged.load((await party.ask({ prompt: 'none' })).url))).toMatchObject({
      error: 'login_required',
    });
  });
});

describe('CL36 grants that are not simulated', () => {
  it.each([
    'password',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'urn:openid:params:grant-type:ciba',
    'anything',
  ])('%s: unsupported_grant_type, and the description lists them', async (grantType) => {
    const { issuer } = await oidcServer();
    const body = new URLSearchParams({ grant_type: grantType, client_id: 'test-public' });
    const response = await fetch(`${issuer}/oauth2/token`, { method: 'POST', body });
    const { error, error_description: description } = (await response.json()) as Record<string, string>;
    expect([response.status, error]).toEqual([400, 'unsupported_grant_type']);
    for (const name of ['password', 'on-behalf-of', 'token exchange', 'CIBA']) expect(description).toContain(name);
  });
});

describe('CL41 registration with jwks_uri', () => {
  it('is rejected with the reason, and no client is made', async () => {
    const { issuer } = await oidcServer();
    const response = await fetch(`${issuer}/oauth2/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: ['http://localhost:9/callback'],
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: 'https://keys.example/jwks',
      }),
    });
    const { error, error_description: description, client_id: id } = (await response.json()) as Record<string, string>;
    expect([response.status, error, id]).toEqual([400, 'invalid_client_metadata', undefined]);
    expect(description).toContain('jwks_uri');
  });
});
