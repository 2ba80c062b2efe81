import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../../non-empty.ts';
import { oidcServer } from './oidc-server.ts';

type Setup = NonNullable<Parameters<typeof oidcServer>[0]>;

const redirectUris = ['https://app.example/callback'];
const path = '/.well-known/openid-configuration';

/** Sandboxes whose documents differ. */
const setups: readonly (readonly [title: string, setup: Setup])[] = [
  ['no clients', {}],
  ['a sandbox below a path', { id: 'team' }],
  ['a port of its own', { id: 'team', hasOwnPort: true }],
  ['devices', { clients: [{ id: 'tv', kind: 'public', redirectUris, grants: ['device_code'] }] }],
  [
    'response types with tokens',
    { clients: [{ id: 'web', secret: 's', redirectUris, responseTypes: ['code', 'id_token', 'code id_token'] }] },
  ],
  [
    'authentication methods',
    { clients: [{ id: 'job', kind: 'service', secret: 's'.repeat(32), authMethods: ['client_secret_jwt'] }] },
  ],
  ['proofs of possession', { clients: [{ id: 'spa', kind: 'public', redirectUris, dpop: 'required' }] }],
  [
    'notices of a sign-out',
    {
      clients: [
        { id: 'web', secret: 's', redirectUris, frontchannelLogoutUri: 'https://app.example/out' },
        { id: 'api', secret: 's', redirectUris, backchannelLogoutUri: 'https://app.example/back' },
      ],
    },
  ],
  [
    'claims and roles of users',
    {
      clients: [
        { id: 'shop', secret: 's', redirectUris, claims: { idToken: [{ name: 'region', value: 'north' }] } },
        {
          id: 'desk',
          secret: 's',
          redirectUris,
          claims: { accessToken: [{ name: 'email', value: 'x@example.test' }] },
        },
      ],
    },
  ],
  ['pairwise subjects', { settings: { identity: { subject: 'pairwise' } } }],
];

async function read(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  const headers = [...response.headers].filter(([name]) => name !== 'date');
  return { status: response.status, headers, text: await response.text() };
}

describe('discovery before the provider is loaded', () => {
  it.each(nonEmpty(setups))('%s: status, headers and bytes are those of the provider', async (_, setup) => {
    const { issuer, portUrl } = await oidcServer(setup);
    const url = `${setup.hasOwnPort === true ? portUrl.replace(/\/$/, '') : issuer}${path}`;
    const early = await read(url);
    expect(early.status).toBe(200);
    // A query leads a request to the provider, which answers from then on.
    expect(await read(`${url}?provider`)).toEqual(early);
    expect(await read(url)).toEqual(early);
  });

  it('a page of an application is answered by the provider, and the request log has both', async () => {
    const { issuer, serverUrl } = await oidcServer();
    await read(`${issuer}${path}`);
    const { headers } = await read(`${issuer}${path}`, { headers: { origin: 'https://app.example' } });
    expect(headers).toContainEqual(['access-control-allow-origin', expect.any(String)]);
    const log = await fetch(`${serverUrl}/_control/v1/sandboxes/default/requests?path=${path}`);
    const { requests } = (await log.json()) as { readonly requests: readonly object[] };
    expect(requests).toHaveLength(2);
    expect(requests[0]).toMatchObject({ path, status: 200 });
  });
});
