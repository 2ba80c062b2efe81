import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { stopwatch } from '../../../src/core/clock.ts';
import { isGuid } from '../../../src/core/ids.ts';
import { nonEmpty } from '../../non-empty.ts';
import { startMs } from './oidc-server.ts';
import { answerAt, appBrowser, application, RelyingParty } from './relying-party.ts';
import {
  getAuthorizeUrl,
  postForm,
  readJson,
  redeemCode,
  signInAt,
  signOutAt,
  tenantDomain,
  tenantId,
  tenantServer,
} from './tenant-server.ts';

const nowSeconds = Math.floor(startMs / 1000);
const policyPath = 'v1.0/policies/authenticationMethodsPolicy';

const people = [
  { id: 'ada', displayName: 'Ada', directory: { givenName: 'Ada', surname: 'Byron' } },
  { id: 'gus', type: 'guest', userPrincipalName: 'gus@fabrikam.example', displayName: 'Gus' },
];

const bearer = (token: unknown) => ({ headers: { authorization: `Bearer ${token}` } });

describe('tokens of the tenant form', () => {
  it('the ID token has the claims of the tenant', async () => {
    const { at, sandbox } = await tenantServer({ users: people });
    const { body } = await signInAt(at());
    const claims = decodeJwt(String(body['id_token']));
    expect(claims).toMatchObject({
      iss: `${at()}/v2.0`,
      ver: '2.0',
      aud: 'test-public',
      tid: tenantId,
      oid: 'ada',
      preferred_username: 'ada@example.test',
      name: 'Ada',
      given_name: 'Ada',
      family_name: 'Byron',
      email: 'ada@example.test',
      nonce: 'n',
      iat: nowSeconds,
      nbf: nowSeconds,
      exp: nowSeconds + 3_600,
    });
    expect(claims.sub).toMatch(/^[\w-]{43}$/);
    expect(claims).not.toHaveProperty('idp');
    expect(isGuid(String(claims['uti']))).toBe(true);
    expect(sandbox.tokens.tenantIssuer).toBe(claims.iss);
  });

  it('the access token has the claims of the tenant, and the APIs accept it', async () => {
    const { at, issuer } = await tenantServer({ users: people });
    const { body } = await signInAt(at(), { scope: 'openid profile Policy.Read.All' });
    const claims = decodeJwt(String(body['access_token']));
    expect(claims).toMatchObject({
      iss: `${at()}/v2.0`,
      ver: '2.0',
      tid: tenantId,
      oid: 'ada',
      azp: 'test-public',
      azpacr: '0',
      scp: 'openid profile Policy.Read.All',
      wids: [],
      iat: nowSeconds,
      nbf: nowSeconds,
    });
    expect(claims['uti']).toBe(claims.jti);
    for (const name of ['client_id', 'scope', 'preferred_username', 'upn', 'nonce'])
      expect(claims).not.toHaveProperty(name);
    expect((await fetch(`${issuer}/${policyPath}`, bearer(body['access_token']))).status).not.toBe(401);
  });

  it.each([
    ['site', { client_secret: 'secret' }, '1'],
    ['test-service', { client_secret: 'test-secret' }, '1'],
  ])('the token of the application %s itself has roles and its own object id', async (client_id, form, azpacr) => {
    const { at, issuer } = await tenantServer({
      clients: [
        { id: 'site', secret: 'secret', appRoles: ['Policy.Read.All'], anyLoopbackRedirect: true },
        { id: 'test-service', kind: 'service', secret: 'test-secret', appRoles: ['Policy.Read.All'] },
      ],
      settings: { directory: { wireIds: 'guid', verifiedDomains: [tenantDomain] } },
    });
    const { body } = await postForm(`${at()}/oauth2/v2.0/token`, {
      client_id,
      grant_type: 'client_credentials',
      scope: `${issuer}/.default`,
      client_info: '1',
      ...form,
    });
    expect(body).toMatchObject({ expires_in: 3_600, ext_expires_in: 3_600, scope: 'Policy.Read.All' });
    expect(body).not.toHaveProperty('client_info');
    const claims = decodeJwt(String(body['access_token']));
    expect(claims).toMatchObject({ azp: client_id, azpacr, roles: ['Policy.Read.All'], tid: tenantId });
    expect([claims.sub, isGuid(String(claims.sub)), 'scp' in claims]).toEqual([claims['oid'], true, false]);
    expect((await fetch(`${issuer}/${policyPath}`, bearer(body['access_token']))).status).toBe(200);
  });

  it('guests name their home tenant, and members do not', async () => {
    const { at } = await tenantServer({ users: people });
    const page = await appBrowser().signIn(getAuthorizeUrl(at()), 'gus@fabrikam.example');
    const { body } = await redeemCode(at(), answerAt(page)['code'] ?? '');
    for (const name of ['id_token', 'access_token'])
      expect(decodeJwt(String(body[name]))['idp']).toMatch(/^https:\/\/sts\.invalid\/[0-9a-f-]{36}\/$/);
  });

  it('object ids are those of the directory API', async () => {
    const { at } = await tenantServer({
      settings: { directory: { wireIds: 'guid', verifiedDomains: [tenantDomain] } },
    });
    const { body, answer } = await signInAt(at(), { scope: 'openid User.Read', client_info: '1' });
    const { oid } = decodeJwt(String(body['id_token']));
    const me = await readJson(`${at().replace(`/${tenantId}`, '')}/v1.0/me`, bearer(body['access_token']));
    expect([me.status, me.body['id']]).toEqual([200, oid]);
    const account = JSON.parse(Buffer.from(String(body['client_info']), 'base64url').toString());
    expect(account).toEqual({ uid: oid, utid: tenantId });
    expect(answer['client_info']).toBe(body['client_info']);
  });

  it.each(['query', 'fragment', 'form_post'])('CL17: the response by %s has client_info if requested', async (mode) => {
    const { at } = await tenantServer();
    const read = async (parameters: Readonly<Record<string, string>>) => {
      const page = await appBrowser().signIn(getAuthorizeUrl(at(), { response_mode: mode, ...parameters }));
      return mode === 'form_post' ? page.text.includes('name="client_info"') : 'client_info' in answerAt(page);
    };
    expect([await read({ client_info: '1' }), await read({})]).toEqual([true, false]);
  });

  it('subjects differ between clients and forms, and are the same in every token for one client', async () => {
    const { at, issuer, serverUrl } = await tenantServer();
    const { body } = await signInAt(at());
    const { sub } = decodeJwt(String(body['id_token']));
    const page = await appBrowser().signIn(getAuthorizeUrl(at(), { client_id: 'test-rs256' }));
    const other = await redeemCode(at(), answerAt(page)['code'] ?? '', { client_id: 'test-rs256' });
    expect(decodeJwt(String(other.body['id_token'])).sub).not.toBe(sub);
    const again = await signInAt(at('common'));
    expect(decodeJwt(String(again.body['id_token']))).toMatchObject({ sub, iss: `${at()}/v2.0`, tid: tenantId });
    const userinfo = await readJson(`${serverUrl}/oidc/userinfo`, bearer(body['access_token']));
    expect(userinfo).toMatchObject({ status: 200, body: { sub, name: 'Ada', oid: 'ada' } });
    const byPost = await readJson(`${serverUrl}/oidc/userinfo`, { method: 'POST', ...bearer(body['access_token']) });
    expect(byPost.body).toEqual(userinfo.body);
    expect((await (await RelyingParty.discover(issuer)).signIn()).claims()?.sub).toBe('ada');
  });

  it.each([
    ['public', 'ada', 'ada'],
    ['pairwise', null, null],
  ])('the setting subject: %s applies to both forms', async (subject, plain, tenant) => {
    const { at, issuer } = await tenantServer({ settings: { identity: { subject } } });
    const { body } = await signInAt(at());
    const expectSubject = (sub: unknown, expected: string | null) =>
      expected === null ? expect(sub).toMatch(/^[\w-]{43}$/) : expect(sub).toBe(expected);
    expectSubject(decodeJwt(String(body['id_token'])).sub, tenant);
    const tokens = await (await RelyingParty.discover(issuer)).signIn();
    expectSubject(tokens.claims()?.sub, plain);
    expectSubject(decodeJwt(tokens.access_token).sub, plain);
    const me = await readJson(`${issuer}/oauth2/userinfo`, bearer(tokens.access_token));
    expect(me.body['sub']).toBe(tokens.claims()?.sub);
  });

  it('an ID token is not accepted as an access token', async () => {
    const { at, issuer } = await tenantServer();
    const { body } = await signInAt(at());
    expect((await fetch(`${issuer}/${policyPath}`, bearer(body['id_token']))).status).toBe(401);
  });

  it('CL43: introspection and revocation accept access tokens of the tenant form', async () => {
    const { at, issuer } = await tenantServer();
    const { body } = await signInAt(at());
    const form = { client_id: 'test-public', token: String(body['access_token']) };
    const { iss, sub, aud } = decodeJwt(form.token);
    expect((await postForm(`${issuer}/oauth2/introspect`, form)).body).toMatchObject({ active: true, iss, sub, aud });
    expect((await fetch(`${issuer}/oauth2/revoke`, { method: 'POST', body: new URLSearchParams(form) })).status).toBe(
      200,
    );
    expect((await postForm(`${issuer}/oauth2/introspect`, form)).body).toEqual({ active: false });
  });

  it('refresh tokens give new tokens of the same form and user', async () => {
    const { at } = await tenantServer();
    const { body } = await signInAt(at());
    const refreshed = await postForm(`${at('organizations')}/oauth2/v2.0/token`, {
      client_id: 'test-public',
      grant_type: 'refresh_token',
      refresh_token: String(body['refresh_token']),
      client_info: '1',
    });
    expect(refreshed).toMatchObject({ status: 200, body: { client_info: body['client_info'], ext_expires_in: 3_600 } });
    const [before, after] = [body, refreshed.body].map((tokens) => decodeJwt(String(tokens['id_token'])));
    expect(after).toMatchObject({ sub: before?.sub, iss: before?.iss });
  });

  it('parameters of client libraries are accepted', async () => {
    const { at } = await tenantServer();
    const further = {
      'x-client-SKU': 'msal.js.node',
      'x-client-VER': '5.0.0',
      'client-request-id': '3b9c1d2e-0000-4000-8000-123456789abc',
      'return-client-request-id': 'true',
      claims: '{"access_token":{"xms_cc":{"values":["CP1"]}}}',
      instance_aware: 'true',
      haschrome: '1',
      mkt: 'en-US',
      msafed: '0',
      lc: '1033',
    };
    expect((await signInAt(at(), further)).status).toBe(200);
  });

  it('claims of the ID token are honored beside those of the access token', async () => {
    const { at } = await tenantServer();
    const claims = JSON.stringify({ access_token: { xms_cc: null }, id_token: { name: null } });
    const { body } = await signInAt(at(), { scope: 'openid', claims });
    expect(decodeJwt(String(body['id_token']))).toMatchObject({ name: 'Ada' });
  });

  it.each([
    ['fabrikam.example', 'password'],
    ['example.test', 'name'],
    ['organizations', 'name'],
  ])('domain_hint %s leads to the %s page', async (domain_hint, expected) => {
    const users = [{ id: 'ada' }, { id: 'ben' }, { id: 'gus', userPrincipalName: 'gus@fabrikam.example' }];
    const { at } = await tenantServer({ users });
    const browser = appBrowser();
    const hinted = await browser.load(getAuthorizeUrl(at(), { domain_hint }));
    const byName = await browser.load(getAuthorizeUrl(at(), { login_hint: 'gus@fabrikam.example' }));
    expect(hinted.page?.name).toBe(expected === 'password' ? byName.page?.name : 'name');
    expect(hinted.text.includes('gus@fabrikam.example')).toBe(expected === 'password');
  });
});

describe('both forms are one sandbox', () => {
  const tenantFirst = [true, false];

  it.each(tenantFirst)(
    'a session is single sign-on in the other form (tenant form first: %s)',
    async (isTenantFirst) => {
      const { at, issuer, sandbox } = await tenantServer({ id: 'demo' });
      const browser = appBrowser();
      const party = await RelyingParty.discover(issuer);
      const inTenant = async () => (await signInAt(at(), {}, browser)).body;
      const inPlain = async () => (await party.signIn(browser)).claims();
      if (isTenantFirst) await inTenant();
      else await inPlain();
      const silent = isTenantFirst
        ? await browser.load((await party.ask({ prompt: 'none' })).url)
        : await browser.load(getAuthorizeUrl(at(), { prompt: 'none' }));
      expect(answerAt(silent)).toHaveProperty('code');
      const [latest] = sandbox.signIns.list({ limit: 1 });
      const { verdict } = await sandbox.signIns.detail(latest?.id ?? '');
      expect(verdict?.rules.find(({ id }) => id === 'R13.1')).toMatchObject({ outcome: 'stopped' });
    },
  );

  it.each(tenantFirst)('a sign-out in one form ends both (in the tenant form: %s)', async (isInTenant) => {
    const { at, issuer } = await tenantServer({ id: 'demo' });
    const browser = appBrowser();
    const { body } = await signInAt(at(), {}, browser);
    const party = await RelyingParty.discover(issuer);
    const request = await party.ask();
    const tokens = await party.redeem(await browser.load(request.url), request);
    const hint = isInTenant ? String(body['id_token']) : (tokens.id_token ?? '');
    const endpoint = isInTenant ? `${at()}/oauth2/v2.0/logout` : `${issuer}/oauth2/end_session`;
    const parameters = new URLSearchParams({
      id_token_hint: hint,
      post_logout_redirect_uri: application,
      state: 'out',
    });
    expect(answerAt(await signOutAt(`${endpoint}?${parameters}`, browser))).toEqual({ state: 'out' });
    expect(answerAt(await browser.load(getAuthorizeUrl(at(), { prompt: 'none' })))).toMatchObject({
      error: 'login_required',
    });
    expect(answerAt(await browser.load((await party.ask({ prompt: 'none' })).url))).toMatchObject({
      error: 'login_required',
    });
  });

  it('CL35: a device signs in at the address of its tenant', async () => {
    const clients = [{ id: 'television', name: 'Television', kind: 'public', grants: ['device_code'] }];
    const { at, issuer } = await tenantServer({ id: 'demo', clients });
    const { body: device } = await postForm(`${at()}/oauth2/v2.0/devicecode`, {
      client_id: 'television',
      scope: 'openid profile',
    });
    expect(device).toMatchObject({ verification_uri: `${issuer}/device`, expires_in: 900, interval: 5 });
    expect(device).not.toHaveProperty('verification_uri_complete');
    expect(device['message']).toContain(device['user_code']);
    const browser = appBrowser();
    const page = await browser.load(String(device['verification_uri']));
    const compared = await browser.press(page, 'Next', { Code: String(device['user_code']) });
    let shown = await browser.press(compared, 'Continue');
    shown = await browser.press(shown, 'Next', { Username: 'ada@example.test' });
    shown = await browser.press(shown, 'Sign in', { Password: 'correct horse' });
    shown = await browser.press(shown, 'Verify', { Code: '123456' });
    expect(shown.page?.name).toBe('device-done');
    const form = { client_id: 'television', device_code: String(device['device_code']), client_info: '1' };
    const { status, body } = await postForm(`${at()}/oauth2/v2.0/token`, { ...form, grant_type: 'device_code' });
    expect(status).toBe(200);
    expect(decodeJwt(String(body['id_token']))).toMatchObject({ tid: tenantId, oid: 'ada' });
    expect(body).toHaveProperty('client_info');
  });

  it('CL26: a pushed request is used once at the address of its tenant', async () => {
    const { at } = await tenantServer({ id: 'demo' });
    const { searchParams } = new URL(getAuthorizeUrl(at()));
    const pushed = await postForm(`${at()}/oauth2/v2.0/par`, Object.fromEntries(searchParams));
    expect(pushed).toMatchObject({ status: 201, body: { expires_in: 60 } });
    const url = `${at()}/oauth2/v2.0/authorize?${new URLSearchParams({ client_id: 'test-public', request_uri: String(pushed.body['request_uri']) })}`;
    const answer = answerAt(await appBrowser().signIn(url));
    expect((await redeemCode(at(), answer['code'] ?? '')).status).toBe(200);
    expect((await appBrowser().load(url)).status).toBe(400);
  });

  it.each([
    ['server-error', { kind: 'server-error', endpoint: 'token', status: 503 }, 503],
    ['too-many-requests', { kind: 'too-many-requests', endpoint: 'token', retryAfterSeconds: 7 }, 429],
  ])('the fault %s affects the token endpoint of the tenant', async (_name, fault, status) => {
    const { at, serverUrl } = await tenantServer();
    const put = await fetch(`${serverUrl}/_control/v1/sandboxes/default/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ faults: [fault] }),
    });
    expect(await put.text().then((text) => [put.status, text])).toEqual([200, expect.any(String)]);
    expect((await postForm(`${at()}/oauth2/v2.0/token`, { client_id: 'test-public' })).status).toBe(status);
    expect((await readJson(`${at()}/discovery/v2.0/keys`)).status).toBe(200);
  });

  it('CL18: a fault of the device authorization endpoint has the error of the tenant form', async () => {
    const { sandbox, at, issuer } = await tenantServer({
      clients: [{ id: 'television', kind: 'public', grants: ['device_code'] }],
    });
    const begin = (url: string) => postForm(url, { client_id: 'television', scope: 'openid' });
    await sandbox.faults.set([{ kind: 'server-error', endpoint: 'device-authorization', status: 503, times: 2 }]);
    const failed = await begin(`${at()}/oauth2/v2.0/devicecode`);
    expect([failed.status, failed.body]).toEqual([
      503,
      expect.objectContaining({ error: 'temporarily_unavailable', error_codes: [], trace_id: expect.any(String) }),
    ]);
    const plain = await begin(`${issuer}/oauth2/device`);
    expect([plain.status, Object.keys(plain.body)]).toEqual([503, ['error', 'error_description']]);
    expect((await begin(`${at()}/oauth2/v2.0/devicecode`)).status).toBe(200);
  });

  it('delays and connection resets affect the token endpoint of the tenant', async () => {
    const { at, serverUrl } = await tenantServer();
    const set = async (fault: object) => {
      const put = await fetch(`${serverUrl}/_control/v1/sandboxes/default/faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ faults: [fault] }),
      });
      expect(put.status).toBe(200);
    };
    await set({ kind: 'connection-reset', endpoint: 'token', when: 'before-answer' });
    await expect(postForm(`${at()}/oauth2/v2.0/token`, {})).rejects.toThrow();
    await set({ kind: 'delay', endpoint: 'token', delayMs: 300 });
    const elapsedMs = stopwatch();
    await postForm(`${at()}/oauth2/v2.0/token`, {});
    expect(elapsedMs()).toBeGreaterThan(290);
  });

  it('a faulty token has the header and the key of the tenant form', async () => {
    const { at, serverUrl } = await tenantServer();
    await fetch(`${serverUrl}/_control/v1/sandboxes/default/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ faults: [{ kind: 'token', fault: 'wrong-issuer', client: 'test-public' }] }),
    });
    const { body } = await signInAt(at());
    for (const name of ['id_token', 'access_token'])
      expect(decodeJwt(String(body[name])).iss).toBe(`${at()}/v2.0/another`);
  });

  it('metrics name patterns without the tenant', async () => {
    const { at, serverUrl } = await tenantServer();
    await signInAt(at());
    await readJson(`${at()}/discovery/v2.0/keys`);
    await readJson(`${at(tenantDomain)}/v2.0/.well-known/openid-configuration`);
    const metrics = await (await fetch(`${serverUrl}/_metrics`)).text();
    for (const route of nonEmpty([
      'oauth2/v2.0/authorize',
      'oauth2/v2.0/token',
      'discovery/v2.0/keys',
      'v2.0/.well-known/*',
    ]))
      expect(metrics).toContain(`"/:tenant/${route}"`);
    expect(metrics).not.toContain(tenantId);
    expect(metrics).not.toContain(tenantDomain);
  });
});
