import fc from 'fast-check';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { clientAuthMethods, listAuthMethods } from '../../../src/contract/client-auth-methods.ts';
import { clientPermissions } from '../../../src/contract/client-permissions.ts';
import { oidcServer } from './oidc-server.ts';
import { answerAt, appBrowser, application, RelyingParty } from './relying-party.ts';

const api = { id: 'orders', uris: ['api://orders'], scopes: ['read', 'write'], appRoles: ['All', 'Audit'] };
const given = [...clientPermissions.slice(0, 4), 'api://orders/read', 'api://orders/write'];
const roles = [...clientPermissions.slice(0, 4), 'api://orders/All', 'api://orders/Audit'];
const clients = [
  { id: 'orders-api', secret: 's', redirectUris: [application], resource: api },
  {
    id: 'shop',
    kind: 'public',
    anyLoopbackRedirect: true,
    permissions: given,
    responseTypes: ['code', 'code id_token'],
  },
  { id: 'batch', kind: 'service', secret: 's', appRoles: roles },
];
const openid = ['profile', 'email', 'offline_access'];

/** Scopes of one resource, in any order, with OpenID Connect scopes among them. */
const anyScopes = fc
  .tuple(
    fc.subarray(openid),
    fc.oneof(
      fc.subarray(given.slice(0, 4)),
      fc.subarray(given.slice(4)),
      fc.constantFrom(['.default'], ['api://orders/.default']),
    ),
  )
  .chain(([own, permissions]) => fc.shuffledSubarray(['openid', ...own, ...permissions], { minLength: 1 }))
  .map((words) => (words.includes('openid') ? words : ['openid', ...words]))
  .map((words) => words.join(' '));

function withoutUris(scope = ''): string {
  return scope.replaceAll('api://orders/', '');
}

describe('properties of tokens', () => {
  it('CL32 scope of the response equals scp of the token, also after a refresh', async () => {
    const { issuer } = await oidcServer({ clients });
    const party = await RelyingParty.discover(issuer, { id: 'shop' });
    const browser = appBrowser();
    await fc.assert(
      fc.asyncProperty(anyScopes, async (scope) => {
        const tokens = await party.signIn(browser, { scope });
        expect(decodeJwt(tokens.access_token)['scp']).toBe(withoutUris(tokens.scope));
        const next = await client.refreshTokenGrant(party.config, tokens.refresh_token ?? '');
        expect([next.scope, decodeJwt(next.access_token)['scp']]).toEqual([tokens.scope, withoutUris(tokens.scope)]);
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    ['an authorization request', false],
    ['a pushed request', true],
  ])('CL32 the response lists the scopes in the order of %s', async (_kind, isPushed) => {
    const { issuer } = await oidcServer({ clients });
    const party = await RelyingParty.discover(issuer, { id: 'shop' });
    const browser = appBrowser();
    const named = anyScopes.filter((scope) => !scope.includes('.default'));
    await fc.assert(
      fc.asyncProperty(named, async (scope) => {
        const { url, checks } = await party.ask({ scope });
        const sent = isPushed ? await client.buildAuthorizationUrlWithPAR(party.config, url.searchParams) : url;
        const tokens = await party.redeem(await browser.signIn(sent), { url, checks });
        expect(tokens.scope).toBe(scope);
      }),
      { numRuns: 15 },
    );
  });

  it('CL33 scope of the response equals roles of the token', async () => {
    const { issuer } = await oidcServer({ clients });
    const { config } = await RelyingParty.discover(issuer, { id: 'batch', secret: 's' });
    const anyRoles = fc.oneof(
      fc.shuffledSubarray(roles.slice(0, 4)),
      fc.shuffledSubarray(roles.slice(4)),
      fc.constantFrom([`${issuer}/.default`], ['api://orders/.default']),
    );
    await fc.assert(
      fc.asyncProperty(anyRoles, async (words) => {
        const tokens = await client.clientCredentialsGrant(config, { scope: words.join(' ') });
        const { roles: held } = decodeJwt(tokens.access_token);
        expect(withoutUris(tokens.scope).split(' ')).toEqual(held);
      }),
      { numRuns: 25 },
    );
  });

  it('CL22 the ID tokens of front and back agree on the user, the session and all claims of the scopes', async () => {
    const { issuer } = await oidcServer({ clients });
    const party = await RelyingParty.discover(issuer, { id: 'shop' });
    const browser = appBrowser();
    await fc.assert(
      fc.asyncProperty(anyScopes, fc.string({ minLength: 1, maxLength: 20 }), async (scope, nonce) => {
        const request = await party.ask({ scope, nonce, response_type: 'code id_token' });
        const { id_token: front = '', code = '' } = answerAt(await browser.signIn(request.url));
        const tokens = await client.genericGrantRequest(party.config, 'authorization_code', {
          code,
          redirect_uri: application,
          code_verifier: request.checks.pkceCodeVerifier ?? '',
        });
        const { c_hash: _code, ...atFront } = decodeJwt(front);
        const { at_hash: _token, ...atBack } = decodeJwt(String(tokens.id_token));
        expect(atFront).toEqual(atBack);
      }),
      { numRuns: 15 },
    );
  });
});

describe('properties of discovery', () => {
  const anyClient = fc.record({
    kind: fc.constantFrom('web', 'service', 'public'),
    hasJwt: fc.boolean(),
    hasDevice: fc.boolean(),
    responseTypes: fc.subarray(['code', 'id_token', 'code id_token'], { minLength: 1 }),
  });

  it('CL40 names exactly what the clients of the sandbox and registered ones can use', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyClient, { maxLength: 4 }), async (kinds) => {
        const list = kinds.map(({ kind, hasJwt, hasDevice, responseTypes }, index) => ({
          id: `client-${index}`,
          kind,
          ...(kind === 'public' ? {} : { secret: 'a secret of at least 32 characters' }),
          ...(hasJwt && kind !== 'public' ? { authMethods: ['client_secret_jwt'] as const } : {}),
          ...(kind === 'service' ? {} : { redirectUris: [application], responseTypes }),
          ...(hasDevice && kind !== 'service' ? { grants: ['device_code'] } : {}),
        }));
        const server = await oidcServer({ clients: list });
        const response = await fetch(`${server.issuer}/.well-known/openid-configuration`);
        const document = (await response.json()) as Readonly<Record<string, readonly string[] | undefined>>;
        await server.close();
        // Registered clients use a code, and authenticate by any method but a shared key.
        const registered = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'];
        const methods = new Set([
          ...registered,
          ...list.flatMap((one) => listAuthMethods(one as Parameters<typeof listAuthMethods>[0])),
        ]);
        const types = new Set(['code', ...list.flatMap((one) => one.responseTypes ?? [])]);
        const hasDevices = list.some(({ grants }) => grants !== undefined);
        expect({
          methods: document['token_endpoint_auth_methods_supported']?.toSorted(),
          algorithms: document['token_endpoint_auth_signing_alg_values_supported']?.includes('HS256'),
          types: document['response_types_supported']?.toSorted(),
          device: document['device_authorization_endpoint'] !== undefined,
          grant: document['grant_types_supported']?.includes('urn:ietf:params:oauth:grant-type:device_code'),
        }).toEqual({
          methods: clientAuthMethods.filter((method) => methods.has(method)).toSorted(),
          algorithms: methods.has('client_secret_jwt'),
          types: [...types].toSorted(),
          device: hasDevices,
          grant: hasDevices,
        });
      }),
      { numRuns: 12 },
    );
  });
});

describe('life of codes, requests and tokens on the virtual clock', () => {
  it.each([
    ['a code', 300],
    ['a pushed request', 60],
    ['a refresh token', 90 * 86_400],
  ] as const)('%s ends to the second', async (kind, seconds) => {
    for (const [isPast, outcome] of [
      [false, 'granted'],
      [true, 'refused'],
    ] as const) {
      const { issuer, sandbox } = await oidcServer();
      const wait = () => sandbox.clock.advance({ ms: (isPast ? seconds : seconds - 1) * 1000 });
      const result = await use[kind](await RelyingParty.discover(issuer, setups[kind]), wait);
      expect([kind, isPast, result]).toEqual([kind, isPast, outcome]);
    }
  });

  it('set back: access tokens and refresh tokens of the future are rejected, until their time has come', async () => {
    const { issuer, sandbox } = await oidcServer();
    const startMs = sandbox.clock.nowMs();
    const party = await RelyingParty.discover(issuer);
    await sandbox.clock.advance({ days: 2 });
    const future = await RelyingParty.discover(issuer, { nowMs: sandbox.clock.nowMs() });
    const { access_token: token } = await future.signIn(appBrowser());
    const getStatus = async () =>
      (await fetch(`${issuer}/oauth2/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await getStatus()).toBe(200);
    await sandbox.clock.set({ nowMs: startMs });
    expect(await getStatus()).toBe(401);
    expect((await party.signIn(appBrowser())).claims()?.sub).toBe('ada');
    await sandbox.clock.set({ nowMs: startMs + 2 * 86_400_000 });
    expect(await getStatus()).toBe(200);
  });
});

const setups = {
  'a code': {},
  'a pushed request': { id: 'test-web', secret: 'test-secret' },
  'a refresh token': {},
};

type Use = (party: RelyingParty, wait: () => Promise<void>) => Promise<'granted' | 'refused'>;

const use: Readonly<Record<keyof typeof setups, Use>> = {
  'a code': async (party, wait) => {
    const request = await party.ask();
    const { code = '' } = answerAt(await appBrowser().signIn(request.url));
    await wait();
    return settle(
      client.genericGrantRequest(party.config, 'authorization_code', {
        code,
        redirect_uri: application,
        code_verifier: request.checks.pkceCodeVerifier ?? '',
      }),
    );
  },
  'a pushed request': async ({ config }, wait) => {
    const pushed = { redirect_uri: application, response_type: 'code', scope: 'openid' };
    const url = await client.buildAuthorizationUrlWithPAR(config, pushed);
    await wait();
    const { page } = await appBrowser().load(url);
    return page?.name === 'name' ? 'granted' : 'refused';
  },
  'a refresh token': async (party, wait) => {
    const { refresh_token: token = '' } = await party.signIn(appBrowser(), { scope: 'openid offline_access' });
    await wait();
    return settle(
      client.genericGrantRequest(party.config, 'refresh_token', { refresh_token: token, scope: 'offline_access' }),
    );
  },
};

async function settle(answer: Promise<unknown>): Promise<'granted' | 'refused'> {
  try {
    await answer;
    return 'granted';
  } catch {
    return 'refused';
  }
}
