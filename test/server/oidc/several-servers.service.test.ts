import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import * as client from 'openid-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toDate } from '../../../src/core/clock.ts';
import { PostgresStore } from '../../../src/journal/stores/postgres.store.ts';
import { planSandbox } from '../../../src/sandbox/sandbox.ts';
import { Sandboxes } from '../../../src/sandbox/sandboxes.ts';
import { type RunningServer, startServer } from '../../../src/server/start.ts';
import { setPostgres } from '../../journal/set-postgres.ts';
import { nonEmpty } from '../../non-empty.ts';
import { startMs } from './oidc-server.ts';
import { appBrowser, RelyingParty } from './relying-party.ts';
import { readJson, signInAt, tenantDomain, tenantId } from './tenant-server.ts';

interface Instance {
  readonly sandboxes: Sandboxes;
  readonly server: RunningServer;
  /** Base URL of the sandbox at its own port. */
  readonly portUrl: string;
}

const policyPath = '/v1.0/policies/authenticationMethodsPolicy';
const clients = [
  { id: 'test-public', kind: 'public', anyLoopbackRedirect: true },
  {
    id: 'shop',
    kind: 'public',
    anyLoopbackRedirect: true,
    backchannelLogoutUri: 'https://shop.example/backchannel',
  },
];

/** Opens a store whose process never hears that another process has announced its addresses. */
async function openDeafStore(address: string): Promise<PostgresStore> {
  const store = await PostgresStore.open(address);
  const { sharing } = store;
  const listen = sharing.listen.bind(sharing);
  sharing.listen = (listener) => listen({ ...listener, addressed: () => undefined });
  return store;
}

describe.each([
  ['that hear each other', (address: string) => PostgresStore.open(address)],
  ['of which each misses the announcements of the other', openDeafStore],
] as const)('two servers on one PostgreSQL %s', (_title, openStore) => {
  const postgres = setPostgres();
  let instances: Instance[] = [];

  beforeEach(async () => {
    const address = await postgres.database();
    for (const _ of ['a', 'b']) {
      const sandboxes = await Sandboxes.open(await openStore(address));
      const server = await startServer({ sandboxes, port: 0, boundPorts: [{ sandboxId: 'x', port: 0 }] });
      instances.push({ sandboxes, server, portUrl: server.boundUrls[0]?.baseUrl ?? '' });
    }
    await instances[0]?.sandboxes.create(
      'x',
      planSandbox({
        tenant: { id: tenantId, campaign: { state: 'disabled' } },
        users: [{ id: 'ada', displayName: 'Ada' }],
        settings: { directory: { verifiedDomains: [tenantDomain] } },
        clients,
        clock: { nowMs: startMs, running: false },
      }),
    );
  });
  afterEach(async () => {
    for (const { server, sandboxes } of instances) {
      await server.close();
      await sandboxes.close().catch(() => undefined);
    }
    instances = [];
  });

  const get = (which: number): Instance => {
    const instance = instances[which];
    if (instance === undefined) throw new TypeError('no such server');
    return instance;
  };
  const issuer = (which: number): string => `${get(which).server.baseUrl}/s/x`;

  async function control(which: number, path: string, body?: object, origin = get(which).server.baseUrl) {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const headers = { 'content-type': 'application/json' };
    return (await readJson(`${origin}/_control/v1/sandboxes/x${path}`, { ...init, headers })).body;
  }

  async function readPolicy(baseUrl: string, token: unknown): Promise<number> {
    return (await readJson(`${baseUrl}${policyPath}`, { headers: { authorization: `Bearer ${String(token)}` } }))
      .status;
  }

  const listKeys = async (which: number): Promise<readonly unknown[]> =>
    ((await readJson(`${issuer(which)}/oauth2/jwks`)).body['keys'] as { readonly kid: string }[]).map(({ kid }) => kid);

  it('CL51: a rotation at one server changes the keys of the other, and earlier tokens stay valid at both', async () => {
    const before = await listKeys(1);
    expect(await listKeys(0)).toEqual(before);
    const party = await RelyingParty.discover(issuer(0));
    const earlier = await party.signIn(appBrowser(), { scope: 'openid Policy.Read.All' });
    const rotated = await control(0, '/keys/rotate', {});
    const { kid: active } = (rotated['keys'] as { readonly kid: string }[])[0] ?? { kid: '' };
    expect(before).not.toContain(active);
    const after = await listKeys(1);
    expect(after).toEqual(await listKeys(0));
    expect(after).toEqual(expect.arrayContaining([...before, active]));
    const second = await RelyingParty.discover(issuer(1));
    const later = await second.signIn(appBrowser(), { scope: 'openid Policy.Read.All' });
    expect(decodeProtectedHeader(later.access_token).kid).toBe(active);
    for (const [which, token] of nonEmpty([
      [0, later],
      [1, earlier],
    ] as const)) {
      expect(await readPolicy(issuer(which), token.access_token)).toBe(200);
      await jwtVerify(token.access_token, createRemoteJWKSet(new URL(`${issuer(which)}/oauth2/jwks`)), {
        currentDate: toDate(startMs),
      });
    }
  });

  it('CL51: both servers rotate in turn, and each publishes the keys of the other', async () => {
    await control(0, '/keys/rotate', { alg: 'RS256' });
    await control(1, '/keys/rotate', { alg: 'RS256' });
    const keys = await listKeys(0);
    expect(keys).toEqual(await listKeys(1));
    expect(new Set(keys).size).toBe(4);
    const { body } = await signInAt(`${get(1).server.baseUrl}/${tenantId}`, { scope: 'openid Policy.Read.All' });
    expect(await readPolicy(issuer(0), body['access_token'])).toBe(200);
  });

  it.each([tenantId, tenantDomain, tenantDomain.toUpperCase()])(
    'CL10: the server that did not create the sandbox finds it by its tenant %s',
    async (tenant) => {
      const { body } = await readJson(`${get(1).server.baseUrl}/${tenant}/v2.0/.well-known/openid-configuration`);
      expect(body['issuer']).toBe(`${get(1).server.baseUrl}/${tenantId}/v2.0`);
    },
  );

  it('CL10: a changed domain selects the sandbox at the other server, and the former one no longer does', async () => {
    const status = async (which: number, tenant: string) =>
      (await readJson(`${get(which).server.baseUrl}/${tenant}/v2.0/.well-known/openid-configuration`)).status;
    expect([await status(0, tenantDomain), await status(1, tenantDomain)]).toEqual([200, 200]);
    const settings = { directory: { verifiedDomains: ['fabrikam.example'] } };
    const patched = await readJson(`${get(0).server.controlUrl}/sandboxes/x/tenant/settings`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(settings),
    });
    expect(patched.status).toBe(200);
    for (const which of [1, 0]) {
      expect([await status(which, tenantDomain), await status(which, 'fabrikam.example')]).toEqual([400, 200]);
    }
  });

  it('DIR3: a token of the control API at the own port of one server is valid at every address of both', async () => {
    const { access_token: token } = await control(
      0,
      '/tokens',
      { app: 'tool', permissions: ['Policy.Read.All'] },
      get(0).portUrl,
    );
    const statuses: [string, number][] = [];
    for (const url of [get(0).portUrl, issuer(0), issuer(1), get(1).portUrl]) {
      statuses.push([url, await readPolicy(url, token)]);
    }
    expect(statuses.map(([, status]) => status)).toEqual([200, 200, 200, 200]);
  });

  it('a token of a sign-in at the own port of one server is valid at the other, and so is its refresh token', async () => {
    const party = await RelyingParty.discover(get(0).portUrl);
    const tokens = await party.signIn(appBrowser(), { scope: 'openid offline_access Policy.Read.All' });
    for (const url of [issuer(1), get(1).portUrl]) expect(await readPolicy(url, tokens.access_token)).toBe(200);
    const other = await RelyingParty.discover(get(1).portUrl);
    const refreshed = await client.refreshTokenGrant(other.config, tokens.refresh_token ?? '');
    expect(await readPolicy(get(0).portUrl, refreshed.access_token)).toBe(200);
  });

  it('CL82: the outbox of one server has the logout tokens of the other', async () => {
    const browser = appBrowser();
    const party = await RelyingParty.discover(issuer(0), { id: 'shop' });
    await party.signIn(browser);
    await browser.press(await browser.load(`${issuer(0)}/oauth2/end_session`), 'Sign out');
    const tokens = (await control(1, '/logout-tokens'))['logoutTokens'];
    expect(tokens).toMatchObject([{ client: 'shop', user: 'ada' }]);
    expect((await control(0, '/logout-tokens'))['logoutTokens']).toEqual(tokens);
  });
});
