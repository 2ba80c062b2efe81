import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { CookieJar } from 'tough-cookie';
import { describe, expect, it } from 'vitest';
import type { SandboxInput } from '../../../src/sandbox/sandbox.ts';
import { ApplicationBrowser } from './application-browser.ts';
import { oidcServer } from './oidc-server.ts';
import { answerAt, RelyingParty } from './relying-party.ts';
import { readJson } from './tenant-server.ts';

const redirectUri = 'http://shop.internal/callback';
const secret = 'a secret of a test';

/** Server with one web client that has the given keys. */
function serverFor(keys: object) {
  const clients = [{ id: 'shop', kind: 'web', secret, redirectUris: [redirectUri], ...keys }];
  return oidcServer({ clients } as SandboxInput);
}

function shopBrowser() {
  return new ApplicationBrowser({ application: new URL(redirectUri).origin, jar: new CookieJar() });
}

const discoverShop = (issuer: string) => RelyingParty.discover(issuer, { id: 'shop', secret, redirectUri });

describe('CL20, CL21, CL22, CL23: response types of the authorization endpoint', () => {
  it.each(['code id_token', 'id_token code'])(
    '%s: the fragment has a code and an ID token with its hash, and both tokens name the same user',
    async (responseType) => {
      const { issuer } = await serverFor({ responseTypes: ['code', 'code id_token'] });
      const party = await discoverShop(issuer);
      const request = await party.ask({ response_type: responseType });
      const shown = await shopBrowser().signIn(request.url);
      expect(new URL(shown.address).search).toBe('');
      const answer = answerAt(shown);
      expect(answer).toMatchObject({ iss: issuer, state: request.checks.expectedState });
      const front = decodeJwt(answer['id_token'] ?? '');
      expect(front).toMatchObject({ sub: 'ada', aud: 'shop', nonce: request.checks.expectedNonce });
      expect(front['c_hash']).toEqual(expect.any(String));
      client.useCodeIdTokenResponseType(party.config);
      const tokens = await client.authorizationCodeGrant(party.config, new URL(shown.address), request.checks);
      expect(tokens.claims()).toMatchObject({ sub: front.sub, iss: front.iss });
    },
  );

  it('id_token: the response has the claims of its scopes and no code, also at a host without https', async () => {
    const { issuer } = await serverFor({ responseTypes: ['id_token'] });
    const party = await discoverShop(issuer);
    const shown = await shopBrowser().signIn((await party.ask({ response_type: 'id_token' })).url);
    const answer = answerAt(shown);
    expect(answer).not.toHaveProperty('code');
    expect(decodeJwt(answer['id_token'] ?? '')).toMatchObject({ sub: 'ada', name: 'Ada' });
  });

  it('form_post: a page submits the response to the redirect URI and allows no other target', async () => {
    const { issuer } = await serverFor({ responseTypes: ['id_token'] });
    const party = await discoverShop(issuer);
    const request = await party.ask({ response_type: 'id_token', response_mode: 'form_post' });
    const shown = await shopBrowser().signIn(request.url);
    expect([shown.status, shown.page?.name]).toEqual([200, 'hand-over']);
    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.headers.get('content-security-policy')).toContain("form-action 'self' http://shop.internal;");
    expect(shown.text).toContain(`action="${redirectUri}"`);
    expect(shown.text).toMatch(/name="id_token" value="[\w.-]+"/);
  });

  it('CL23: the page that submits an error has the status of any other such page', async () => {
    const { issuer } = await serverFor({ responseTypes: ['code'] });
    const party = await discoverShop(issuer);
    for (const parameters of [{ prompt: 'create' }, { prompt: 'none' }, { response_type: 'id_token' }]) {
      const { url } = await party.ask({ ...parameters, response_mode: 'form_post' });
      const shown = await shopBrowser().load(url);
      expect([shown.status, shown.page?.name, shown.headers.get('cache-control')]).toEqual([
        200,
        'hand-over',
        'no-store',
      ]);
      expect(shown.text).toMatch(/name="error" value="[a-z_]+"/);
    }
  });

  it.each([
    [{}, { response_type: 'code id_token' }, 'unsupported_response_type'],
    [{}, { response_type: 'id_token' }, 'unsupported_response_type'],
    [{ responseTypes: ['id_token'] }, { response_type: 'code' }, 'unsupported_response_type'],
    [{ responseTypes: ['id_token'] }, { response_type: 'id_token token' }, 'unsupported_response_type'],
    [{ responseTypes: ['id_token'] }, { response_type: 'token' }, 'unsupported_response_type'],
    [{ responseTypes: ['id_token'] }, { response_type: 'id_token', response_mode: 'query' }, 'invalid_request'],
    [{ responseTypes: ['id_token'] }, { response_type: 'id_token', nonce: '' }, 'invalid_request'],
    [{ requirePar: true }, {}, 'invalid_request'],
    [{ requirePkce: true }, { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    [{}, { code_challenge_method: 'plain' }, 'invalid_request'],
    [{}, { request: 'eyJ.eyJ.', scope: 'openid' }, 'request_not_supported'],
    [{}, { prompt: 'create' }, 'invalid_request'],
    [{}, { prompt: 'none login' }, 'invalid_request'],
  ])('a client with %j that requests %j gets %s at its redirect URI', async (keys, parameters, error) => {
    const { issuer } = await serverFor(keys);
    const { url } = await (await discoverShop(issuer)).ask(parameters as Record<string, string>);
    for (const [name, value] of [...url.searchParams]) if (value === '') url.searchParams.delete(name);
    const shown = await shopBrowser().load(url);
    expect(answerAt(shown)).toMatchObject({ error, iss: issuer });
  });

  it('CL21: the error of an ID token in the query is in the fragment', async () => {
    const { issuer } = await serverFor({ responseTypes: ['code', 'id_token', 'code id_token'] });
    const party = await discoverShop(issuer);
    for (const type of ['id_token', 'code id_token']) {
      const { url } = await party.ask({ response_type: type, response_mode: 'query' });
      const { search, hash } = new URL((await shopBrowser().load(url)).address);
      expect([search, hash]).toEqual(['', expect.stringContaining('error=invalid_request')]);
    }
    const { url } = await party.ask({ response_mode: 'query', prompt: 'create' });
    expect(new URL((await shopBrowser().load(url)).address).search).toContain('error=invalid_request');
  });

  it('CL24: discovery lists the prompts, and a request to create a user is rejected with the reason', async () => {
    const { issuer } = await serverFor({});
    const { body } = await readJson(`${issuer}/.well-known/openid-configuration`);
    expect(body['prompt_values_supported']).toEqual(['none', 'login', 'consent', 'select_account']);
    const { url } = await (await discoverShop(issuer)).ask({ prompt: 'create' });
    expect(answerAt(await shopBrowser().load(url))).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('users are created by fixtures and by the control API'),
    });
  });

  it('discovery lists the response types and grants that any client can use, and no other', async () => {
    const metadata = async (keys: object): Promise<Record<string, unknown>> => {
      const { issuer } = await serverFor(keys);
      return (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Record<string, unknown>;
    };
    const plain = await metadata({});
    expect(plain['response_types_supported']).toEqual(['code']);
    expect(plain['grant_types_supported']).not.toContain('urn:ietf:params:oauth:grant-type:device_code');
    expect(plain).not.toHaveProperty('device_authorization_endpoint');
    const more = await metadata({ responseTypes: ['code', 'code id_token'], grants: ['device_code'] });
    expect(more['response_types_supported']).toEqual(['code', 'code id_token']);
    expect(more['grant_types_supported']).toContain('urn:ietf:params:oauth:grant-type:device_code');
    expect(more).toHaveProperty('device_authorization_endpoint');
  });
});

describe('CL6, CL26: requests by POST and pushed requests', () => {
  it('authorize and end_session accept the parameters as a form', async () => {
    const { issuer } = await oidcServer();
    const { url } = await (await RelyingParty.discover(issuer)).ask();
    const post = (path: string, body: string) =>
      fetch(`${issuer}${path}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        redirect: 'manual',
      });
    const answer = await post('/oauth2/authorize', url.search.slice(1));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, url.href]);
    const left = await post('/oauth2/end_session', 'client_id=test-public');
    expect([left.status, left.headers.get('location')]).toEqual([
      303,
      `${issuer}/oauth2/end_session?client_id=test-public`,
    ]);
    const long = await post('/oauth2/authorize', `state=${'x'.repeat(9_000)}`);
    expect(long.status).toBe(413);
  });

  it('a pushed request is used once, within a minute, by the client that pushed it', async () => {
    const { issuer, sandbox } = await serverFor({ requirePar: true });
    const party = await discoverShop(issuer);
    const push = async () => {
      const { url } = await party.ask();
      const pushed = await client.buildAuthorizationUrlWithPAR(party.config, Object.fromEntries(url.searchParams));
      return pushed;
    };
    const first = await push();
    expect(answerAt(await shopBrowser().signIn(first))).toHaveProperty('code');
    const again = await shopBrowser().load(first);
    expect([again.status, again.page?.name]).toEqual([400, 'problem']);
    const late = await push();
    await sandbox.clock.advance({ minutes: 2 });
    expect((await shopBrowser().load(late)).status).toBe(400);
  });
});
