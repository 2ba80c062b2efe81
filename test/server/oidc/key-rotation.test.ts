import { createLocalJWKSet, createRemoteJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { keyRotationsMax } from '../../../src/core/limits.ts';
import { nonEmpty } from '../../non-empty.ts';
import { type OidcServer, oidcServer, startMs } from './oidc-server.ts';
import { appBrowser, RelyingParty } from './relying-party.ts';

interface ListedKey {
  readonly kid: string;
  readonly alg: string;
  readonly status: string;
  readonly retiredAt: string | null;
}

async function rotate({ serverUrl }: OidcServer, body: object = {}): Promise<readonly ListedKey[]> {
  const response = await fetch(`${serverUrl}/_control/v1/sandboxes/default/keys/rotate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { readonly keys: readonly ListedKey[] }).keys;
}

async function readKeys(issuer: string): Promise<JSONWebKeySet> {
  return (await (await fetch(`${issuer}/oauth2/jwks`)).json()) as JSONWebKeySet;
}

async function listIds(issuer: string, alg = 'ES256'): Promise<readonly (string | undefined)[]> {
  return (await readKeys(issuer)).keys.filter((key) => key.alg === alg).map(({ kid }) => kid);
}

async function getToken(issuer: string): Promise<string> {
  const { config } = await RelyingParty.discover(issuer, { id: 'test-service', secret: 'test-secret' });
  return (await client.clientCredentialsGrant(config)).access_token;
}

async function readPolicy(issuer: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${issuer}/v1.0/policies/authenticationMethodsPolicy`, { headers })).status;
}

const dayMs = 86_400_000;

describe('keys of a sandbox', () => {
  it('CL50 both keys are published before any token is requested, and without private parts', async () => {
    const { issuer } = await oidcServer();
    const { keys } = await readKeys(issuer);
    expect(keys.map(({ alg, use }) => [alg, use])).toEqual([
      ['ES256', 'sig'],
      ['RS256', 'sig'],
    ]);
    for (const key of keys) expect(Object.keys(key).filter((name) => ['d', 'p', 'q'].includes(name))).toEqual([]);
  });

  it('CL51 a rotation by the control API: the new key signs at once, and earlier tokens stay valid until they expire', async () => {
    const server = await oidcServer();
    const { issuer, sandbox } = server;
    const [early] = await listIds(issuer);
    const token = await getToken(issuer);
    const listed = await rotate(server);
    expect(listed.map(({ alg, status }) => [alg, status])).toEqual([
      ['ES256', 'active'],
      ['ES256', 'retired'],
      ['RS256', 'active'],
      ['RS256', 'retired'],
    ]);
    const [fresh, ...others] = await listIds(issuer);
    expect([fresh === early, others]).toEqual([false, [early]]);
    expect(decodeProtectedHeader(await getToken(issuer)).kid).toBe(fresh);
    expect(await readPolicy(issuer, token)).toBe(200);
    await sandbox.clock.advance({ minutes: 59 });
    expect([await readPolicy(issuer, token), await listIds(issuer)]).toEqual([200, [fresh, early]]);
    await sandbox.clock.advance({ minutes: 1 });
    expect([await readPolicy(issuer, token), await listIds(issuer)]).toEqual([401, [fresh]]);
  });

  it('CL51 a rotation of one algorithm leaves the other key', async () => {
    const server = await oidcServer();
    const before = await listIds(server.issuer);
    await rotate(server, { alg: 'RS256' });
    expect(await listIds(server.issuer)).toEqual(before);
    expect(await listIds(server.issuer, 'RS256')).toHaveLength(2);
  });

  it('CL51 an unknown algorithm is rejected', async () => {
    const { serverUrl } = await oidcServer();
    const response = await fetch(`${serverUrl}/_control/v1/sandboxes/default/keys/rotate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"alg":"HS256"}',
    });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: 'bad-request' } }]);
  });

  it('CL51 keyRotationDays: the next key is published a day ahead, then signs, and the earlier one is retired', async () => {
    const { issuer, sandbox } = await oidcServer({ settings: { identity: { keyRotationDays: 10 } } });
    const [first] = await listIds(issuer);
    await sandbox.clock.advance({ days: 9, ms: -1 + 1 });
    const [active, next] = await listIds(issuer);
    expect([active, next === undefined]).toEqual([first, false]);
    const token = await getToken(issuer);
    expect(decodeProtectedHeader(token).kid).toBe(first);
    await sandbox.clock.advance({ hours: 23, minutes: 30 });
    const late = await getToken(issuer);
    await sandbox.clock.advance({ minutes: 30 });
    expect(await listIds(issuer)).toEqual([next, first]);
    expect(decodeProtectedHeader(await getToken(issuer)).kid).toBe(next);
    expect(await readPolicy(issuer, late)).toBe(200);
    await sandbox.clock.advance({ hours: 1 });
    expect(await listIds(issuer)).toEqual([next]);
  });

  it('CL51 keyAheadHours 0: the next key is published when it signs', async () => {
    const settings = { identity: { keyRotationDays: 1, keyAheadHours: 0 } };
    const { issuer, sandbox } = await oidcServer({ settings });
    await sandbox.clock.advance({ hours: 23, minutes: 59 });
    expect(await listIds(issuer)).toHaveLength(1);
    await sandbox.clock.advance({ minutes: 1 });
    expect(await listIds(issuer)).toHaveLength(2);
  });

  it('CL51 keys follow the clock back, and tokens of the future are rejected', async () => {
    const { issuer, sandbox } = await oidcServer({ settings: { identity: { keyRotationDays: 1, keyAheadHours: 0 } } });
    const before = await listIds(issuer);
    await sandbox.clock.advance({ days: 3 });
    const token = await getToken(issuer);
    const [after] = await listIds(issuer);
    await sandbox.clock.set({ nowMs: startMs });
    expect([await listIds(issuer), await readPolicy(issuer, token)]).toEqual([before, 401]);
    await sandbox.clock.set({ nowMs: startMs + 3 * dayMs });
    expect([(await listIds(issuer))[0], await readPolicy(issuer, token)]).toEqual([after, 200]);
  });

  it('CL51 a long-lived token of the control API keeps its key published', async () => {
    const server = await oidcServer();
    const [early] = await listIds(server.issuer);
    const { access_token: token } = await server.sandbox.tokens.issue({
      permissions: ['Policy.Read.All'],
      expiresInSeconds: (30 * dayMs) / 1000,
    });
    await rotate(server);
    await server.sandbox.clock.advance({ days: 29 });
    expect(await listIds(server.issuer)).toContain(early);
    expect(await readPolicy(server.issuer, token)).toBe(200);
    await server.sandbox.clock.advance({ days: 1 });
    expect(await listIds(server.issuer)).not.toContain(early);
  });

  it('CL51 a restart and a restore keep the keys; a reset returns to the first ones', async () => {
    const server = await oidcServer();
    const [first] = await listIds(server.issuer);
    await rotate(server);
    await rotate(server);
    const ids = await listIds(server.issuer);
    expect(ids).toHaveLength(3);
    expect(ids.at(-1)).toBe(first);
    const reset = await fetch(`${server.serverUrl}/_control/v1/sandboxes/default/reset`, { method: 'POST' });
    expect(reset.status).toBeLessThan(300);
    expect(await listIds(server.issuer)).toEqual([first]);
    await rotate(server);
    expect(ids).not.toContain((await listIds(server.issuer))[0]);
  });

  it('CL51 the number of stored keys is limited, the first one stays for a reset, and published ones stay', async () => {
    const { sandbox } = await oidcServer();
    const { tokens, recorder } = sandbox;
    const first = await tokens.keys.key('ES256');
    for (let count = 0; count < keyRotationsMax + 5; count += 1) {
      await tokens.rotateKeys('ES256');
      await tokens.keys.key('ES256');
    }
    const stored = await recorder.store.keptUnder(sandbox.id, 'token-signing-key-');
    const ofAlgorithm = [...stored.keys()].filter((name) => /-\d+\.\d+$/.test(name) && !name.includes('rs256'));
    expect(ofAlgorithm).toHaveLength(keyRotationsMax);
    expect(recorder.state().keyRotations).toHaveLength(keyRotationsMax);
    const published = await tokens.keys.published();
    expect(published.length).toBeGreaterThan(20);
    for (const { key } of nonEmpty(published)) expect((await tokens.keys.find(key.id))?.id).toBe(key.id);
    expect(await recorder.store.kept(sandbox.id, 'token-signing-key')).toContain(first.publicJwk.x);
  });

  it('CL51 jwksMaxAgeSeconds sets how long clients may cache the keys; the default is 0', async () => {
    const getHeader = async (issuer: string) => (await fetch(`${issuer}/oauth2/jwks`)).headers.get('cache-control');
    expect(await getHeader((await oidcServer()).issuer)).toBe('max-age=0');
    const settings = { identity: { jwksMaxAgeSeconds: 600 } };
    expect(await getHeader((await oidcServer({ settings })).issuer)).toBe('max-age=600');
  });

  it('CL51 an ID token of the earlier key still ends the session after a rotation', async () => {
    const server = await oidcServer();
    const party = await RelyingParty.discover(server.issuer);
    const browser = appBrowser();
    const { id_token: hint = '' } = await party.signIn(browser);
    await rotate(server);
    const url = client.buildEndSessionUrl(party.config, { id_token_hint: hint });
    expect((await browser.load(url)).status).toBe(200);
  });
});

describe('fault of the keys', () => {
  it('missing-active: the published keys verify no new token, once', async () => {
    const server = await oidcServer();
    await rotate(server);
    await server.sandbox.faults.set([{ kind: 'keys', fault: 'missing-active', times: 1 }]);
    const token = await getToken(server.issuer);
    const verify = async () => {
      const keys = createLocalJWKSet(await readKeys(server.issuer));
      return jwtVerify(token, keys, { currentDate: new Date(startMs) });
    };
    await expect(verify()).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect((await verify()).payload.sub).toBe('test-service');
  });

  it('empty: the list has no keys until the fault is removed', async () => {
    const { issuer, sandbox } = await oidcServer();
    await sandbox.faults.set([{ kind: 'keys', fault: 'empty' }]);
    expect((await readKeys(issuer)).keys).toEqual([]);
    await sandbox.faults.clear();
    expect((await readKeys(issuer)).keys).toHaveLength(2);
  });
});

describe('formats of tokens', () => {
  const api = { id: 'orders', uris: ['api://orders'], scopes: ['read'] };
  const [common, web] = [{ redirectUris: ['http://localhost:9/callback'] }, { kind: 'web', secret: 'secret' }];

  it.each([
    ['the default', [{}, {}], 'Policy.Read.All', ['at+jwt', 'ES256']],
    ['that of the client', [{ typ: 'JWT', alg: 'RS256' }, {}], 'Policy.Read.All', ['JWT', 'RS256']],
    ['that of the API', [{ typ: 'JWT' }, { alg: 'RS256' }], 'api://orders/read', ['at+jwt', 'RS256']],
    ['the default of an API, not that of the client', [{ typ: 'JWT' }, {}], 'api://orders/read', ['at+jwt', 'ES256']],
  ])(
    'CL52 %s: type and algorithm of the access token; ID tokens are JWT',
    async (_case, [own, ofApi], scope, [typ, alg]) => {
      const { issuer } = await oidcServer({
        clients: [
          { id: 'shop', ...web, ...common, permissions: ['Policy.Read.All', 'api://orders/read'], accessToken: own },
          { id: 'orders-api', ...web, ...common, resource: api, accessToken: ofApi },
        ],
      });
      const party = await RelyingParty.discover(issuer, { id: 'shop', secret: 'secret' });
      const tokens = await party.signIn(appBrowser(), { scope: `openid ${scope}` });
      const keys = createRemoteJWKSet(new URL(`${issuer}/oauth2/jwks`));
      const { protectedHeader } = await jwtVerify(tokens.access_token, keys, { currentDate: new Date(startMs) });
      expect(protectedHeader).toMatchObject({ typ, alg, kid: expect.any(String) });
      expect(decodeProtectedHeader(tokens.id_token ?? '')).toMatchObject({ typ: 'JWT', alg: 'ES256' });
      const isBuiltIn = scope === 'Policy.Read.All';
      expect(await readPolicy(issuer, tokens.access_token)).toBe(isBuiltIn ? 200 : 401);
    },
  );

  it('CL52 an ID token is no access token, whatever the type of access tokens', async () => {
    const clients = [
      { id: 'orders', ...web, ...common, resource: { ...api, id: 'orders' }, accessToken: { typ: 'JWT' } },
    ];
    const { issuer } = await oidcServer({ clients });
    const party = await RelyingParty.discover(issuer, { id: 'orders', secret: 'secret' });
    const { id_token: token = '' } = await party.signIn(appBrowser());
    expect(await readPolicy(issuer, token)).toBe(401);
    expect(await client.tokenIntrospection(party.config, token)).toEqual({ active: false });
  });
});
