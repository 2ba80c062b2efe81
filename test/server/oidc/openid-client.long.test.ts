import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { oidcServer, startMs } from './oidc-server.ts';
import { answerAt, appBrowser, RelyingParty } from './relying-party.ts';

const startSeconds = startMs / 1000;

describe('openid-client, by configuration only', () => {
  it.each([
    ['default', { id: 'test-public' }, 'ES256'],
    ['default', { id: 'test-web', secret: 'test-secret' }, 'ES256'],
    ['default', { id: 'test-rs256', metadata: { id_token_signed_response_alg: 'RS256' } }, 'RS256'],
    ['demo', { id: 'test-public' }, 'ES256'],
  ])('sandbox %s, client %j: a sign-in returns a verified ID token, signed by %s', async (id, setup, algorithm) => {
    const { issuer, serverUrl } = await oidcServer({ id });
    const party = await RelyingParty.discover(issuer, setup);
    const tokens = await party.signIn();
    expect(issuer).toBe(id === 'default' ? serverUrl : `${serverUrl}/s/demo`);
    expect(tokens.claims()).toMatchObject({
      iss: issuer,
      aud: setup.id,
      sub: 'ada',
      name: 'Ada',
      preferred_username: 'ada@example.test',
      iat: startSeconds,
      exp: startSeconds + 3_600,
      auth_time: startSeconds,
      acr: 'urn:nudgelab:acr:mfa',
      amr: ['pwd', 'sms', 'mfa'],
    });
    const [header = ''] = (tokens.id_token ?? '').split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: algorithm });
  });

  it.each([
    ['not completed', { completed: false }, 'password', ['pwd']],
    ['none', { method: null }, 'password', ['pwd']],
    ['of another provider', { provider: 'external' }, 'mfa', ['pwd', 'mfa']],
    ['of the home tenant', { provider: 'home-tenant' }, 'mfa', ['pwd', 'mfa']],
    ['a voice call', { method: 'voice' }, 'mfa', ['pwd', 'tel', 'mfa']],
  ] as const)('acr and amr report the second factor that was used: %s', async (_what, mfa, acr, amr) => {
    const { issuer, sandbox } = await oidcServer({ users: [{ id: 'ada', methods: ['sms', 'voice'] }] });
    await sandbox.directory.setNextSignIn('ada', { mfa });
    const party = await RelyingParty.discover(issuer);
    expect((await party.signIn()).claims()).toMatchObject({ acr: `urn:nudgelab:acr:${acr}`, amr });
  });

  it.each([
    ['acr_values', { acr_values: 'urn:nudgelab:acr:mfa' }, ['code']],
    [
      'an essential claim',
      { claims: JSON.stringify({ id_token: { acr: { essential: true, value: 'urn:nudgelab:acr:mfa' } } }) },
      ['error', 'error_description'],
    ],
  ])('a password-only session requires the second factor once if requested by %s', async (_what, asks, silently) => {
    const { issuer, sandbox } = await oidcServer();
    const party = await RelyingParty.discover(issuer);
    const browser = appBrowser();
    await sandbox.directory.setNextSignIn('ada', { mfa: { completed: false } });
    expect((await party.signIn(browser)).claims()).toMatchObject({ acr: 'urn:nudgelab:acr:password', amr: ['pwd'] });
    const either = await party.ask({ acr_values: 'urn:nudgelab:acr:mfa urn:nudgelab:acr:password' });
    expect(answerAt(await browser.load(either.url))).toHaveProperty('code');
    const silent = await browser.load((await party.ask({ ...asks, prompt: 'none' })).url);
    expect(Object.keys(answerAt(silent))).toEqual(expect.arrayContaining(silently));
    const request = await party.ask(asks);
    expect((await browser.load(request.url)).page?.name).toBe('name');
    const tokens = await party.redeem(await browser.signIn(request.url), request);
    expect(tokens.claims()).toMatchObject({ acr: 'urn:nudgelab:acr:mfa', amr: ['pwd', 'sms', 'mfa'] });
    expect(answerAt(await browser.load((await party.ask(asks)).url))).toHaveProperty('code');
  });

  it.each([
    [{ value: 'urn:nudgelab:acr:password' }, 'password'],
    [{ values: ['urn:nudgelab:acr:password'] }, 'password'],
    [{ values: ['urn:nudgelab:acr:password', 'urn:nudgelab:acr:mfa'] }, 'mfa'],
    [{ value: 'urn:nudgelab:acr:mfa' }, 'mfa'],
  ])('an essential acr of %j is reached by a second factor and reported as requested', async (request, reached) => {
    const { issuer } = await oidcServer();
    const browser = appBrowser();
    const party = await RelyingParty.discover(issuer);
    const claims = JSON.stringify({ id_token: { acr: { essential: true, ...request } } });
    // The cases are a sign-in, its session, and a request that may not show a page.
    for (const prompt of [{}, {}, { prompt: 'none' }]) {
      const tokens = await party.signIn(browser, { claims, ...prompt });
      expect(tokens.claims()).toMatchObject({ acr: `urn:nudgelab:acr:${reached}`, amr: ['pwd', 'sms', 'mfa'] });
    }
    // The assurance level of the session has not changed.
    expect((await party.signIn(browser)).claims()?.['acr']).toBe('urn:nudgelab:acr:mfa');
  });

  it('acr_values that a sign-in does not reach are not an error: the ID token reports the reached value', async () => {
    const { issuer, sandbox } = await oidcServer();
    const party = await RelyingParty.discover(issuer);
    const browser = appBrowser();
    for (const _turn of ['first', 'again']) {
      await sandbox.directory.setNextSignIn('ada', { mfa: { completed: false } });
      const tokens = await party.signIn(browser, { acr_values: 'urn:nudgelab:acr:mfa' });
      expect(tokens.claims()?.['acr']).toBe('urn:nudgelab:acr:password');
    }
  });

  it('userinfo, introspection, refresh and revocation use the same token', async () => {
    const { issuer } = await oidcServer();
    const party = await RelyingParty.discover(issuer, { id: 'test-web', secret: 'test-secret' });
    const tokens = await party.signIn(undefined, { scope: 'openid profile email' });
    expect(await client.fetchUserInfo(party.config, tokens.access_token, 'ada')).toEqual({
      sub: 'ada',
      name: 'Ada',
      preferred_username: 'ada@example.test',
      email: 'ada@example.test',
      email_verified: true,
    });
    const introspected = await client.tokenIntrospection(party.config, tokens.access_token);
    expect(introspected).toMatchObject({ active: true, sub: 'ada', client_id: 'test-web', exp: startSeconds + 3_600 });
    const refreshed = await client.refreshTokenGrant(party.config, tokens.refresh_token ?? '');
    expect(refreshed.access_token).not.toBe(tokens.access_token);
    await client.tokenRevocation(party.config, refreshed.access_token);
    expect(await client.tokenIntrospection(party.config, refreshed.access_token)).toEqual({ active: false });
    await expect(client.fetchUserInfo(party.config, refreshed.access_token, 'ada')).rejects.toMatchObject({
      status: 401,
    });
  });

  it('client credentials: a service gets its own permissions, and one with a wrong secret is rejected', async () => {
    const { issuer } = await oidcServer();
    const service = await RelyingParty.discover(issuer, { id: 'test-service', secret: 'test-secret' });
    const { access_token: token } = await client.clientCredentialsGrant(service.config);
    expect(await client.tokenIntrospection(service.config, token)).toMatchObject({
      active: true,
      client_id: 'test-service',
      roles: ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'],
    });
    const stranger = await RelyingParty.discover(issuer, { id: 'test-service', secret: 'wrong' });
    await expect(client.clientCredentialsGrant(stranger.config)).rejects.toMatchObject({
      status: 401,
      cause: [{ parameters: { error: 'invalid_client' } }],
    });
  });

  it('pushed authorization requests are accepted', async () => {
    const { issuer } = await oidcServer();
    const party = await RelyingParty.discover(issuer);
    const request = await party.ask();
    const url = await client.buildAuthorizationUrlWithPAR(party.config, request.url.searchParams);
    const tokens = await party.redeem(await appBrowser().signIn(url), request);
    expect(tokens.claims()?.sub).toBe('ada');
  });
});
