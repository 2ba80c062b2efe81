import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { toDate } from '../../../src/core/clock.ts';
import type { SandboxInput } from '../../../src/sandbox/sandbox.ts';
import { nonEmpty } from '../../non-empty.ts';
import { type OidcServer, oidcServer, startMs } from './oidc-server.ts';
import { answerAt, appBrowser, RelyingParty } from './relying-party.ts';
import { postForm, readJson } from './tenant-server.ts';

const discover = async ({ issuer }: OidcServer) => (await readJson(`${issuer}/.well-known/openid-configuration`)).body;

const service = { grant_type: 'client_credentials', client_id: 'test-service', client_secret: 'test-secret' };

describe('the first findings about clients', () => {
  it('CL1: an error that a page may read has its origin and credentials, and never a star', async () => {
    const { issuer } = await oidcServer({
      clients: [{ id: 'spa', kind: 'public', redirectUris: ['https://spa.example/callback'] }],
    });
    const headers = { origin: 'https://spa.example' };
    for (const path of nonEmpty(['token', 'introspect', 'revoke', 'par'])) {
      const answer = await postForm(`${issuer}/oauth2/${path}`, { client_id: 'spa', scope: 'none' }, headers);
      expect([path, answer.status]).toEqual([path, 400]);
      expect([
        answer.headers.get('access-control-allow-origin'),
        answer.headers.get('access-control-allow-credentials'),
      ]).toEqual(['https://spa.example', 'true']);
    }
  });

  it('CL2: the first list of keys already verifies the first RS256 token', async () => {
    const { issuer } = await oidcServer();
    const { keys } = (await readJson(`${issuer}/oauth2/jwks`)).body as { readonly keys: readonly { kid: string }[] };
    const party = await RelyingParty.discover(issuer, {
      id: 'test-rs256',
      metadata: { id_token_signed_response_alg: 'RS256' },
    });
    const { id_token: token = '' } = await party.signIn();
    expect(keys.map(({ kid }) => kid)).toContain(decodeProtectedHeader(token).kid);
  });

  it('CL3: every authentication method in discovery can be used by a client, and every one of a client is there', async () => {
    const names = 'token_endpoint_auth_methods_supported';
    expect((await discover(await oidcServer()))[names]).not.toContain('client_secret_jwt');
    const clients = [
      {
        id: 'job',
        kind: 'service',
        secret: 'a secret of more than 32 bytes, for tests',
        authMethods: ['client_secret_jwt'],
      },
    ] as SandboxInput['clients'];
    expect((await discover(await oidcServer({ clients })))[names]).toContain('client_secret_jwt');
  });

  it('CL4: $select of the policy is honored, and a 404 has the path as sent', async () => {
    const { issuer } = await oidcServer();
    const { body } = await postForm(`${issuer}/oauth2/token`, service);
    const headers = { authorization: `Bearer ${body['access_token']}` };
    const policy = await readJson(`${issuer}/v1.0/policies/authenticationMethodsPolicy?$select=displayName`, {
      headers,
    });
    expect(Object.keys(policy.body)).toEqual(['@odata.context', 'displayName']);
    const wrong = await readJson(`${issuer}/v1.0/policies/AuthenticationMethodsPolicies`, { headers });
    expect(wrong).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining("the segment 'AuthenticationMethodsPolicies'") } },
    });
    expect(JSON.stringify(wrong.body)).not.toContain('authenticationmethodspolic');
  });

  it('CL5: the response to client credentials names the roles of its token', async () => {
    const { issuer } = await oidcServer();
    const { body } = await postForm(`${issuer}/oauth2/token`, service);
    const { payload } = await verify(issuer, String(body['access_token']));
    expect(Object.keys(body).toSorted()).toEqual(['access_token', 'expires_in', 'scope', 'token_type']);
    expect(nonEmpty(String(body['scope']).split(' '))).toEqual(payload['roles']);
  });

  it('CL7: response types belong to the client, not to the server', async () => {
    const clients = ['code', 'id_token'].map((type) => ({
      id: type,
      kind: 'public',
      anyLoopbackRedirect: true,
      responseTypes: [type],
    })) as SandboxInput['clients'];
    const { issuer } = await oidcServer({ clients });
    for (const id of ['code', 'id_token']) {
      const party = await RelyingParty.discover(issuer, { id });
      for (const response_type of ['code', 'id_token']) {
        const answer = answerAt(await appBrowser().signIn((await party.ask({ response_type })).url));
        expect([id, response_type, 'error' in answer]).toEqual([id, response_type, id !== response_type]);
      }
    }
  });

  it('CL8: a resource server that admits only the type JWT accepts the tokens of a client with that type', async () => {
    const job = { kind: 'service', secret: 'test-secret', appRoles: ['Policy.Read.All'] };
    const { issuer } = await oidcServer({
      clients: [
        { id: 'job', ...job },
        { id: 'old', ...job, accessToken: { typ: 'JWT' } },
      ] as SandboxInput['clients'],
    });
    const issue = async (client_id: string) =>
      String((await postForm(`${issuer}/oauth2/token`, { ...service, client_id })).body['access_token']);
    await expect(verify(issuer, await issue('job'), 'JWT')).rejects.toMatchObject({ claim: 'typ' });
    expect((await verify(issuer, await issue('old'), 'JWT')).protectedHeader.typ).toBe('JWT');
    expect((await verify(issuer, await issue('job'), 'at+jwt')).protectedHeader.typ).toBe('at+jwt');
  });

  it('CL53: without configuration, the plain form signs ID tokens and access tokens by ES256', async () => {
    const { issuer } = await oidcServer({
      clients: [{ id: 'spa', kind: 'public', anyLoopbackRedirect: true }],
    });
    const tokens = await (await RelyingParty.discover(issuer, { id: 'spa' })).signIn();
    const used = [tokens.id_token ?? '', tokens.access_token].map((token) => decodeProtectedHeader(token).alg);
    expect(used).toEqual(['ES256', 'ES256']);
  });

  it('CL86: a client with private_key_jwt needs no secret, and cannot be given another method without one', async () => {
    const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
    const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
    const job = { id: 'job', kind: 'service', jwks: { keys: [{ kty, crv, x, y }] } };
    const serve = (authMethods: readonly string[]) =>
      oidcServer({ clients: [{ ...job, authMethods }] as unknown as NonNullable<SandboxInput['clients']> });
    const { sandbox } = await serve(['private_key_jwt']);
    expect(sandbox.recorder.state().clients.map(({ secret }) => secret)).toEqual([undefined]);
    for (const method of ['client_secret_basic', 'client_secret_post', 'client_secret_jwt'])
      await expect(serve(['private_key_jwt', method])).rejects.toMatchObject({
        problems: expect.arrayContaining([expect.objectContaining({ location: 'clients.0.secret' })]),
      });
  });
});

/** Verifies a token as a resource server does, by the published keys. */
function verify(issuer: string, token: string, typ?: string) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/oauth2/jwks`));
  return jwtVerify(token, keys, { issuer, currentDate: toDate(startMs), ...(typ === undefined ? {} : { typ }) });
}

describe('the sign-in log', () => {
  it('DIR71, A78: a silent sign-in of an application and a refresh have rows that are not interactive', async () => {
    const { issuer, sandbox } = await oidcServer();
    const party = await RelyingParty.discover(issuer);
    const browser = appBrowser();
    const tokens = await party.signIn(browser, { scope: 'openid offline_access' });
    const silent = await party.ask({ prompt: 'none' });
    await party.redeem(await browser.load(silent.url), silent);
    await client.refreshTokenGrant(party.config, tokens.refresh_token ?? '');
    const reader = await sandbox.tokens.issue({ app: 'reader', permissions: ['AuditLog.Read.All'] });
    const filter = encodeURIComponent("isInteractive eq false or signInEventTypes/any(t: t eq 'interactiveUser')");
    const { body } = await readJson(`${issuer}/beta/auditLogs/signIns?$filter=${filter}`, {
      headers: { authorization: `Bearer ${reader.access_token}` },
    });
    const rows = body['value'] as readonly Record<string, unknown>[];
    expect(rows.map(({ isInteractive }) => isInteractive)).toEqual([false, false, true]);
  });
});

describe('what libraries stumble over', () => {
  it('CL89: the response to a revocation is 200 without a body, for a token that exists and one that does not', async () => {
    const { issuer } = await oidcServer();
    const { body } = await postForm(`${issuer}/oauth2/token`, service);
    const { client_id, client_secret } = service;
    for (const token of [String(body['access_token']), 'none']) {
      const response = await fetch(`${issuer}/oauth2/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ client_id, client_secret, token }),
      });
      expect([response.status, await response.text()]).toEqual([200, '']);
    }
  });
});

describe('what is not simulated', () => {
  it('CL84: discovery and responses have nothing of session management', async () => {
    const server = await oidcServer();
    expect(await discover(server)).not.toHaveProperty('check_session_iframe');
    const party = await RelyingParty.discover(server.issuer);
    const shown = await appBrowser().signIn((await party.ask()).url);
    expect(Object.keys(answerAt(shown)).toSorted()).toEqual(['code', 'iss', 'state']);
    expect((await fetch(`${server.issuer}/oauth2/check_session`)).status).toBe(404);
  });

  it('CL68: web_message is no response mode: it is rejected in a redirect, and discovery does not list it', async () => {
    const server = await oidcServer();
    const { response_modes_supported: modes } = await discover(server);
    expect(modes).toEqual(['form_post', 'fragment', 'query']);
    const party = await RelyingParty.discover(server.issuer);
    const { url } = await party.ask({ response_mode: 'web_message', prompt: 'none' });
    const shown = await appBrowser().load(url);
    expect(answerAt(shown)).toMatchObject({ error: 'unsupported_response_mode', iss: server.issuer });
    expect(new URL(shown.address).origin).toBe(party.redirectUri.replace('/callback', ''));
  });

  it('CL68: a signed statement of another server is no client authentication', async () => {
    const { issuer } = await oidcServer();
    const config = (await RelyingParty.discover(issuer, { id: 'test-service', secret: 'test-secret' })).config;
    const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    await expect(client.genericGrantRequest(config, grant, { assertion: 'a.b.c' })).rejects.toMatchObject({
      error: 'unsupported_grant_type',
    });
  });
});
