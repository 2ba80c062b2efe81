import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { oidcServer, startMs } from './oidc-server.ts';
import { appBrowser, RelyingParty } from './relying-party.ts';

const path = 'v1.0/policies/authenticationMethodsPolicy';
const both = 'openid Policy.Read.All Policy.ReadWrite.AuthenticationMethod';
const administrator = { id: 'root', roles: ['Authentication Policy Administrator'] };

async function patch(issuer: string, token: string): Promise<number> {
  const response = await fetch(`${issuer}/${path}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  return response.status;
}

describe('access to the policy API', () => {
  it('delegated: permissions come from the scopes and the role from the directory; writing requires both', async () => {
    const { issuer } = await oidcServer({ users: [{ id: 'ada' }, administrator] });
    const party = await RelyingParty.discover(issuer);
    const getStatus = async (userName: string, scope: string) => {
      const request = await party.ask({ scope });
      const tokens = await party.redeem(await appBrowser().signIn(request.url, userName), request);
      return patch(issuer, tokens.access_token);
    };
    expect(await getStatus('root@example.test', both)).toBe(200);
    expect(await getStatus('root@example.test', 'openid Policy.Read.All')).toBe(403);
    expect(await getStatus('ada@example.test', both)).toBe(403);
  });

  it('app-only: the roles of the client apply without a user, and other operations are rejected', async () => {
    const { issuer } = await oidcServer({
      clients: [
        { id: 'writer', kind: 'service', secret: 's', appRoles: ['Policy.ReadWrite.AuthenticationMethod'] },
        { id: 'reader', kind: 'service', secret: 's', appRoles: ['Policy.Read.All'] },
      ],
    });
    const getStatus = async (id: string) => {
      const { config } = await RelyingParty.discover(issuer, { id, secret: 's' });
      const { access_token: token } = await client.clientCredentialsGrant(config, { scope: `${issuer}/.default` });
      return patch(issuer, token);
    };
    expect([await getStatus('writer'), await getStatus('reader')]).toEqual([200, 403]);
  });

  it('app-only: the scope in the response matches the token; a permission that the client does not have is rejected', async () => {
    const appRoles = ['Policy.Read.All', 'read:document'];
    const { issuer } = await oidcServer({ clients: [{ id: 'reader', kind: 'service', secret: 's', appRoles }] });
    const { config } = await RelyingParty.discover(issuer, { id: 'reader', secret: 's' });
    const answerTo = async (parameters: Record<string, string>) => {
      const { scope, access_token: token } = await client.clientCredentialsGrant(config, parameters);
      return { scope, roles: decodeJwt(token)['roles'] };
    };
    expect(await answerTo({})).toEqual({ scope: appRoles.join(' '), roles: appRoles });
    expect(await answerTo({ scope: 'read:document' })).toEqual({ scope: 'read:document', roles: ['read:document'] });
    expect(await answerTo({ scope: `${issuer}/.default` })).toEqual({ scope: appRoles.join(' '), roles: appRoles });
    const foreign = ['write:document', 'Policy.Read.All Policy.ReadWrite.AuthenticationMethod', 'openid'];
    for (const scope of [
      ...foreign,
      'unknown',
      'unknown words',
      'read:document unknown',
      'x.default',
      'Policy.Read.Al',
    ]) {
      await expect(answerTo({ scope })).rejects.toMatchObject({ error: 'invalid_scope', status: 400 });
    }
  });

  it('a scope that a client may not delegate is rejected', async () => {
    const { issuer } = await oidcServer({
      clients: [{ id: 'modest', kind: 'public', anyLoopbackRedirect: true, permissions: ['Policy.Read.All'] }],
    });
    const party = await RelyingParty.discover(issuer, { id: 'modest' });
    const page = await appBrowser().load((await party.ask({ scope: both })).url);
    expect(new URL(page.address).searchParams.get('error')).toBe('invalid_scope');
  });
});

describe('control API tokens', () => {
  it('have the same issuer and key: the published keys verify them, and introspection recognizes them', async () => {
    const { issuer, serverUrl } = await oidcServer();
    const mint = (body: unknown) =>
      fetch(`${serverUrl}/_control/v1/sandboxes/default/tokens`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then((response) => response.json() as Promise<{ access_token: string }>);
    const keys = createRemoteJWKSet(new URL(`${issuer}/oauth2/jwks`));
    const { config } = await RelyingParty.discover(issuer, { id: 'test-web', secret: 'test-secret' });
    for (const [body, sub] of [
      [{ user: 'ada', permissions: ['Policy.Read.All'] }, 'ada'],
      [{ app: 'nightly', permissions: ['Policy.Read.All'] }, 'nightly'],
      [{}, 'administrator'],
    ] as const) {
      const { access_token: token } = await mint(body);
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer,
        audience: issuer,
        typ: 'at+jwt',
        currentDate: new Date(startMs),
      });
      expect({ sub: payload.sub, alg: protectedHeader.alg }).toEqual({ sub, alg: 'ES256' });
      expect(await client.tokenIntrospection(config, token)).toMatchObject({ active: true, iss: issuer });
    }
  });
});

describe('token faults', () => {
  it.each([
    ['expired', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'],
    ['not-yet-valid', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'],
    ['wrong-issuer', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
    ['wrong-audience', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
    ['bad-signature', 'OAUTH_INVALID_RESPONSE'],
    ['nonce-mismatch', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
  ])('%s: a client rejects the ID token for this reason once, then accepts the next one', async (fault, code) => {
    const { issuer, sandbox } = await oidcServer();
    await sandbox.faults.set([{ kind: 'token', fault, times: 1 }]);
    const party = await RelyingParty.discover(issuer);
    await expect(party.signIn()).rejects.toMatchObject({ code });
    expect((await party.signIn()).claims()?.sub).toBe('ada');
  });

  it.each(['expired', 'not-yet-valid', 'wrong-issuer', 'wrong-audience', 'bad-signature'])(
    '%s: the policy API rejects the access token',
    async (fault) => {
      const { issuer, sandbox } = await oidcServer();
      await sandbox.faults.set([{ kind: 'token', fault, client: 'test-service' }]);
      const { config } = await RelyingParty.discover(issuer, { id: 'test-service', secret: 'test-secret' });
      const { access_token: token } = await client.clientCredentialsGrant(config);
      expect(await patch(issuer, token)).toBe(401);
      await sandbox.faults.clear();
      expect(await patch(issuer, (await client.clientCredentialsGrant(config)).access_token)).toBe(200);
    },
  );
});
