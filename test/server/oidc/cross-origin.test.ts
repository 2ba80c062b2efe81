import { describe, expect, it } from 'vitest';
import { oidcServer } from './oidc-server.ts';

const clients = [
  {
    id: 'spa',
    kind: 'public',
    redirectUris: ['https://spa.example/callback'],
    corsOrigins: ['https://other.spa.example:8443'],
  },
  { id: 'shop', secret: 'shop-secret', redirectUris: ['https://shop.example/callback'], appRoles: ['Policy.Read.All'] },
];

const open = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server', '/oauth2/jwks'];
const forClients = ['/oauth2/token', '/oauth2/userinfo', '/oauth2/introspect', '/oauth2/revoke', '/oauth2/par'];

/** Returns the CORS headers of a response. A missing header is `null`. */
function getCors({ headers }: Response) {
  const of = (name: string) => headers.get(`access-control-allow-${name}`);
  return { origin: of('origin'), credentials: of('credentials'), vary: /\borigin\b/i.test(headers.get('vary') ?? '') };
}

const allowed = (origin: string) => ({ origin, credentials: 'true', vary: true });
const refused = { origin: null, credentials: null, vary: true };

const post = (url: string, origin: string | undefined, body: Record<string, string>) =>
  fetch(url, {
    method: 'POST',
    headers: origin === undefined ? {} : { origin },
    body: new URLSearchParams(body),
  });

describe.each([['default'], ['other']])('CL60: cross-origin requests, sandbox %s', (id) => {
  it.each(open)(
    '%s: pages of any origin may read it, with or without cookies, and requests without an origin are accepted',
    async (path) => {
      const { issuer } = await oidcServer({ id, clients });
      for (const origin of ['https://spa.example', 'https://elsewhere.example', 'null']) {
        expect(getCors(await fetch(`${issuer}${path}`, { headers: { origin } }))).toEqual(allowed(origin));
      }
      expect(getCors(await fetch(`${issuer}${path}`))).toMatchObject({ origin: '*', credentials: null });
    },
  );

  it.each(forClients)(
    '%s: pages of the client’s origins may read its errors, with or without cookies',
    async (path) => {
      const { issuer } = await oidcServer({ id, clients });
      for (const origin of ['https://spa.example', 'https://other.spa.example:8443']) {
        const response = await post(`${issuer}${path}`, origin, { client_id: 'spa', token: 'none', grant_type: 'x' });
        expect(getCors(response)).toEqual(allowed(origin));
        expect(response.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
      }
    },
  );

  it.each(forClients)('%s: a page of a foreign origin is rejected and cannot read the response', async (path) => {
    const { issuer } = await oidcServer({ id, clients });
    for (const origin of ['https://elsewhere.example', 'http://spa.example', 'https://spa.example:444', 'null']) {
      const response = await post(`${issuer}${path}`, origin, { client_id: 'spa', token: 'none', grant_type: 'x' });
      expect([response.status, getCors(response)]).toEqual([400, refused]);
      const body = (await response.json()) as { readonly error: string; readonly error_description: string };
      expect(body.error).toBe('invalid_request');
      expect(body.error_description).toContain(`Origin ${origin} is not allowed for the client: add it to corsOrigins`);
    }
  });
});

interface RequestEntry {
  readonly path: string;
  readonly finding?: string;
}

describe('CL61: a page of a foreign origin', () => {
  const elsewhere = 'https://elsewhere.example';
  const advice = (origin: string) => expect.stringMatching(`Origin ${origin} .* add it to corsOrigins`);
  const ask = (issuer: string, origin: string, form: Record<string, string> = {}) =>
    post(`${issuer}/oauth2/token`, origin, { client_id: 'spa', grant_type: 'x', ...form });

  it.each(['default', 'other'])(
    'is reported once per origin, and with each of its requests, sandbox %s',
    async (id) => {
      const { issuer, findings, serverUrl } = await oidcServer({ id, clients });
      for (const origin of [elsewhere, elsewhere, 'null', 'https://spa.example']) await ask(issuer, origin);
      expect(findings).toEqual([
        { sandbox: id, message: advice(elsewhere) },
        { sandbox: id, message: advice('null') },
      ]);
      const response = await fetch(`${serverUrl}/_control/v1/sandboxes/${id}/requests?control=false`);
      const { requests } = (await response.json()) as { readonly requests: readonly RequestEntry[] };
      const reasons = requests.filter(({ path }) => path.endsWith('/token')).map(({ finding = null }) => finding);
      expect(reasons).toEqual([advice(elsewhere), advice(elsewhere), advice('null'), null]);
    },
  );

  it('is reported if it belongs to another client', async () => {
    const { issuer, findings } = await oidcServer({ clients });
    const secret = { client_secret: 'shop-secret', grant_type: 'client_credentials' };
    await ask(issuer, 'https://spa.example', { client_id: 'shop', ...secret });
    expect(findings).toEqual([{ sandbox: 'default', message: advice('https://spa.example') }]);
  });

  it('is reported in a limited length', async () => {
    const { issuer, findings } = await oidcServer({ clients });
    await ask(issuer, `https://${'x'.repeat(4_000)}.example`);
    expect(findings.map(({ message }) => message.length)).toEqual([512]);
  });

  it('is not reported for a preflight, and not for documents that any page may read', async () => {
    const { issuer, findings } = await oidcServer({ clients });
    const preflight = { origin: elsewhere, 'access-control-request-method': 'POST' };
    expect((await fetch(`${issuer}/oauth2/token`, { method: 'OPTIONS', headers: preflight })).status).toBe(204);
    for (const path of open) await fetch(`${issuer}${path}`, { headers: { origin: elsewhere } });
    expect(findings).toEqual([]);
  });
});

describe.each([
  '/v1.0/policies/authenticationMethodsPolicy',
  '/beta/policies/authenticationMethodsPolicy',
  '/v1.0/users',
  '/v1.0/nowhere',
  '/oauth2/userinfo',
])('CL42, CL60: a page with a bound token at %s', (path) => {
  const origin = 'https://spa.example';

  it('may send its proof, and may read the challenge and the nonce', async () => {
    const { issuer } = await oidcServer({ clients });
    const requested = {
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization,dpop',
    };
    const preflight = await fetch(`${issuer}${path}`, { method: 'OPTIONS', headers: { origin, ...requested } });
    const allowedHeaders = (preflight.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/, ?/);
    if (path !== '/v1.0/nowhere') {
      expect(preflight.status).toBe(204);
      expect(allowedHeaders).toEqual(expect.arrayContaining(['authorization', 'dpop']));
    }
    const refused = await fetch(`${issuer}${path}`, { headers: { origin, authorization: 'DPoP none' } });
    expect(refused.status).toBeGreaterThan(399);
    expect(['*', origin]).toContain(refused.headers.get('access-control-allow-origin'));
    const exposed = (refused.headers.get('access-control-expose-headers') ?? '').split(/, ?/);
    expect(exposed).toEqual(expect.arrayContaining(['WWW-Authenticate', 'DPoP-Nonce']));
  });
});

it('a page of one client cannot send requests for another client', async () => {
  const { issuer } = await oidcServer({ clients });
  const ask = { client_id: 'shop', client_secret: 'shop-secret', grant_type: 'client_credentials' };
  const response = await post(`${issuer}/oauth2/token`, 'https://spa.example', ask);
  expect([response.status, getCors(response)]).toEqual([400, refused]);
  expect(await response.json()).toMatchObject({
    error: 'invalid_request',
    error_description: expect.stringContaining('corsOrigins'),
  });
  const own = await post(`${issuer}/oauth2/token`, 'https://shop.example', ask);
  expect([own.status, getCors(own)]).toEqual([200, allowed('https://shop.example')]);
});

it('a dynamically registered client has the origins of its redirect URIs', async () => {
  const { issuer } = await oidcServer({ clients });
  const origin = 'https://registered.example';
  const ask = (client: string) => post(`${issuer}/oauth2/token`, origin, { client_id: client, grant_type: 'x' });
  expect(getCors(await ask('spa'))).toEqual(refused);
  const registered = await fetch(`${issuer}/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [`${origin}/callback`], token_endpoint_auth_method: 'none' }),
  });
  const { client_id: client } = (await registered.json()) as { readonly client_id: string };
  expect(getCors(await ask(client))).toEqual(allowed(origin));
  expect(getCors(await ask('spa'))).toEqual(refused);
});

describe('CL60: preflights', () => {
  const preflight = (url: string, origin: string, headers: string) =>
    fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': headers,
      },
    });

  it('a preflight returns 204 with the methods of the path and the requested headers that are allowed', async () => {
    const { issuer } = await oidcServer({ clients });
    const requestedHeaders = 'authorization, content-type, dpop, x-client-sku, client-request-id, x-evil';
    const response = await preflight(`${issuer}/oauth2/token`, 'https://spa.example', requestedHeaders);
    expect([response.status, getCors(response)]).toEqual([204, allowed('https://spa.example')]);
    expect(response.headers.get('access-control-allow-methods')).toBe('POST');
    expect(response.headers.get('access-control-allow-headers')).toBe(
      'authorization, content-type, dpop, x-client-sku, client-request-id',
    );
    expect(response.headers.get('access-control-max-age')).toBe('600');
  });

  it('CL60: a page may send the header by which its library names itself', async () => {
    const { issuer } = await oidcServer({ clients });
    const named = ['X-Acme-User-Agent', 'x-acme-user-agent-extended'];
    const other = [
      'x-acme-agent',
      'x-user-agent-',
      'user-agents',
      'x--user-agent',
      `x-acme-user-agent-${'a'.repeat(65)}`,
    ];
    for (const path of ['/oauth2/token', '/.well-known/openid-configuration']) {
      const response = await preflight(`${issuer}${path}`, 'https://spa.example', [...other, ...named].join(', '));
      expect(response.headers.get('access-control-allow-headers')).toBe(named.join(', '));
    }
  });

  it('a preflight from an origin of no client returns 204 without CORS headers', async () => {
    const { issuer } = await oidcServer({ clients });
    const response = await preflight(`${issuer}/oauth2/token`, 'https://elsewhere.example', 'content-type');
    expect(response.status).toBe(204);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('preflights are not affected by faults, and the page can read the fault of the request', async () => {
    const { issuer, sandbox } = await oidcServer({ clients });
    await sandbox.faults.set([{ kind: 'server-error', endpoint: 'token', status: 503, times: 1 }]);
    const origin = 'https://spa.example';
    expect((await preflight(`${issuer}/oauth2/token`, origin, 'content-type')).status).toBe(204);
    const failed = await post(`${issuer}/oauth2/token`, origin, { client_id: 'spa', grant_type: 'x' });
    expect([failed.status, getCors(failed)]).toEqual([503, allowed(origin)]);
    const method = await fetch(`${issuer}/oauth2/token`, { method: 'PUT', headers: { origin } });
    expect([method.status, getCors(method)]).toEqual([405, allowed(origin)]);
  });
});

it.each(['/oauth2/authorize', '/oauth2/end_session', '/sign-in'])(
  '%s: pages of other origins cannot read it',
  async (path) => {
    const { issuer } = await oidcServer({ clients });
    const response = await fetch(`${issuer}${path}?client_id=spa`, { headers: { origin: 'https://spa.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  },
);
