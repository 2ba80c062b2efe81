import { X509Certificate } from 'node:crypto';
import { decodeProtectedHeader, importX509, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { parseTenantAddress } from '../../../src/server/oidc/tenant-form/tenant-addresses.ts';
import { nonEmpty } from '../../non-empty.ts';
import { answerAt, appBrowser } from './relying-party.ts';
import {
  getAuthorizeUrl,
  postForm,
  readJson,
  signInAt,
  tenantDomain,
  tenantId,
  tenantServer,
} from './tenant-server.ts';

/** Names of a tenant that the server knows, and those that it does not know. */
const known = [tenantId, tenantId.toUpperCase(), tenantDomain, 'common', 'organizations'];
const unknown = ['consumers', 'fabrikam.example', '00000000-0000-0000-0000-000000000001'];

/** Every address of the tenant form with the response to a request that is otherwise incomplete. */
const addresses = [
  ['CL10', 'GET', '/v2.0/.well-known/openid-configuration', 200, 'document'],
  ['CL10', 'GET', '/v2.0/.well-known/openid-configuration?appid=a', 200, 'document'],
  ['CL10', 'GET', '/.well-known/openid-configuration', 200, 'document'],
  ['CL11', 'GET', '/oauth2/v2.0/authorize', 400, 'page'],
  ['CL11', 'POST', '/oauth2/v2.0/authorize', 303, 'page'],
  ['CL12', 'POST', '/oauth2/v2.0/token', 400, 'invalid_request'],
  ['CL13', 'POST', '/oauth2/v2.0/devicecode', 400, 'invalid_request'],
  ['CL14', 'GET', '/oauth2/v2.0/logout', 200, 'page'],
  ['CL14', 'POST', '/oauth2/v2.0/logout', 303, 'page'],
  ['CL15', 'GET', '/discovery/v2.0/keys', 200, 'document'],
  ['CL15', 'GET', '/discovery/keys', 200, 'document'],
  ['CL16', 'GET', '/discovery/instance', 400, 'invalid_instance'],
  ['CL26', 'POST', '/oauth2/v2.0/par', 400, 'invalid_request'],
] as const;

const television = { id: 'television', kind: 'public', grants: ['device_code'] };

function send(method: string, url: string): Promise<Response> {
  return fetch(url, { method, redirect: 'manual', ...(method === 'POST' ? { body: new URLSearchParams() } : {}) });
}

describe.each(known)('addresses of the tenant named %s', (tenant) => {
  it.each(addresses)('%s: %s /{tenant}%s has status %i (%s)', async (_id, method, path, status, kind) => {
    const { at } = await tenantServer({ clients: [television] });
    const response = await send(method, `${at(tenant)}${path}`);
    expect(response.status).toBe(status);
    const text = await response.text();
    if (kind === 'page') expect(response.headers.get('content-type')).toMatch(/^text\//);
    else if (kind !== 'document') expect(JSON.parse(text)).toMatchObject({ error: kind, error_codes: [] });
  });
});

describe.each(unknown)('addresses of the unknown tenant %s', (tenant) => {
  it.each(addresses)('%s: %s /{tenant}%s has status 400', async (id, method, path) => {
    const { at } = await tenantServer({ settings: { dialect: 'entra' } });
    const response = await send(method, `${at(tenant)}${path}`);
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    const text = await response.text();
    expect(text).toContain(tenant);
    if (id === 'CL11' || id === 'CL14') {
      expect(text).toContain('data-error="tenant-not-found"');
      expect(text).toContain('AADSTS90002');
    } else {
      const isTokenShaped = ['CL12', 'CL13', 'CL26'].includes(id);
      const error = isTokenShaped ? 'invalid_request' : 'invalid_tenant';
      expect(JSON.parse(text)).toMatchObject({ error, error_codes: [90002] });
    }
  });
});

describe('addresses of the first version and of other protocols', () => {
  it.each(['/oauth2/authorize', '/oauth2/token', '/oauth2/devicecode'])('/{tenant}%s names v2.0', async (path) => {
    const { at } = await tenantServer();
    for (const tenant of [...known, ...unknown]) {
      for (const method of ['GET', 'POST']) {
        const response = await send(method, `${at(tenant)}${path}`);
        const body = (await response.json()) as { readonly error_description: string };
        expect([response.status, body]).toMatchObject([404, { error: 'invalid_request' }]);
        expect(body.error_description).toContain('/oauth2/v2.0');
      }
    }
  });

  it.each([
    ['/saml2', 'SAML 2.0'],
    ['/wsfed', 'WS-Federation'],
    ['/federationmetadata/2007-06/federationmetadata.xml', 'federation metadata'],
    ['/oauth2/v2.0/tokn', '; did you mean "/oauth2/v2.0/token"?'],
    ['/oauth2/x', 'no endpoint "/oauth2/x".'],
  ])('CL85: the error of /{tenant}%s contains %s', async (path, named) => {
    const { at } = await tenantServer();
    for (const tenant of known) {
      const { status, body } = await readJson(`${at(tenant)}${path}`);
      expect([status, body['error_description']]).toEqual([404, expect.stringContaining(named)]);
    }
  });

  it('a final slash changes nothing', async () => {
    const { at } = await tenantServer();
    for (const tenant of known) {
      const url = `${at(tenant)}/v2.0/.well-known/openid-configuration`;
      expect(await readJson(`${url}/`)).toEqual(await readJson(url));
    }
  });

  it.each(['v1.0', 'beta', 'oauth2', 'sign-in', 's', '_control', '.well-known', 'device', 'api'])(
    '%s is no tenant',
    async (segment) => {
      expect(parseTenantAddress(`/${segment}/oauth2/v2.0/token`)).toBeNull();
      expect(parseTenantAddress(`/${segment}/v2.0/.well-known/openid-configuration`)).toBeNull();
    },
  );

  it('only pages are below the path of a sandbox, and only for its own tenant', async () => {
    const { serverUrl } = await tenantServer({ id: 'demo' });
    const below = `${serverUrl}/s/demo/${tenantId}`;
    expect((await send('POST', `${below}/oauth2/v2.0/token`)).status).toBe(404);
    expect((await send('GET', `${below}/discovery/v2.0/keys`)).status).toBe(404);
    const foreign = await send('GET', `${serverUrl}/s/demo/fabrikam.example/oauth2/v2.0/authorize`);
    expect([foreign.status, await foreign.text()]).toEqual([400, expect.stringContaining('tenant-not-found')]);
  });
});

describe('CL10: discovery', () => {
  it.each([
    [tenantId, tenantId, tenantId],
    [tenantDomain, tenantId, tenantId],
    ['common', '{tenantid}', 'common'],
    ['organizations', '{tenantid}', 'organizations'],
  ])('under %s, the issuer names %s and the addresses name %s', async (tenant, inIssuer, inUrls) => {
    const { at, serverUrl } = await tenantServer({ clients: [television] });
    const { body } = await readJson(`${at(tenant)}/v2.0/.well-known/openid-configuration`);
    const { host } = new URL(serverUrl);
    expect(body).toMatchObject({
      issuer: `${serverUrl}/${inIssuer}/v2.0`,
      authorization_endpoint: `${at(inUrls)}/oauth2/v2.0/authorize`,
      token_endpoint: `${at(inUrls)}/oauth2/v2.0/token`,
      device_authorization_endpoint: `${at(inUrls)}/oauth2/v2.0/devicecode`,
      end_session_endpoint: `${at(inUrls)}/oauth2/v2.0/logout`,
      jwks_uri: `${at(inUrls)}/discovery/v2.0/keys`,
      pushed_authorization_request_endpoint: `${at(inUrls)}/oauth2/v2.0/par`,
      userinfo_endpoint: `${serverUrl}/oidc/userinfo`,
      response_modes_supported: ['query', 'fragment', 'form_post'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      http_logout_supported: true,
      frontchannel_logout_supported: true,
      request_uri_parameter_supported: false,
      tenant_region_scope: null,
      cloud_instance_name: host,
      msgraph_host: host,
    });
    for (const name of ['introspection_endpoint', 'revocation_endpoint', 'registration_endpoint'])
      expect(body).not.toHaveProperty(name);
  });

  it.each(['openid-configuration', 'oauth-authorization-server'])(
    'the plain form has /.well-known/%s at the issuer, and inserted before its path',
    async (name) => {
      const { issuer, serverUrl } = await tenantServer({ id: 'demo' });
      const { body } = await readJson(`${issuer}/.well-known/${name}`);
      expect(body).toMatchObject({ issuer, subject_types_supported: ['public'] });
      const inserted = await readJson(`${serverUrl}/.well-known/${name}/s/demo?appid=x`);
      expect(inserted).toMatchObject({ status: 200, body });
      expect((await send('GET', `${serverUrl}/.well-known/${name}/s/other`)).status).toBe(404);
    },
  );

  it.each(['device', 'device-lab', 'oauth2', 'auth', 'discovery', 'v2', 'common'])(
    'CL87: a sandbox with the id %s has correct URLs in both forms',
    async (id) => {
      const { at, serverUrl, issuer, sandbox } = await tenantServer({ id });
      const { body } = await readJson(`${at()}/v2.0/.well-known/openid-configuration`);
      const urls = Object.entries(body).filter(([name]) => name.endsWith('_endpoint') || name === 'jwks_uri');
      for (const [name, url] of nonEmpty(urls)) {
        expect([name, String(url).replace(`${serverUrl}/`, '').split('/')[0]]).toEqual([
          name,
          name === 'userinfo_endpoint' ? 'oidc' : tenantId,
        ]);
      }
      const plain = await readJson(`${issuer}/.well-known/openid-configuration`);
      expect(plain.body['authorization_endpoint']).toBe(`${issuer}/oauth2/authorize`);
      const { status } = await signInAt(at());
      expect([status, sandbox.signIns.list({ limit: 9 }).length]).toEqual([200, 1]);
    },
  );
});

describe('CL15: keys', () => {
  it('are RSA keys with the certificate by which tokens verify', async () => {
    const { at, serverUrl } = await tenantServer();
    const { body } = await readJson(`${at()}/discovery/v2.0/keys`);
    const keys = body['keys'] as readonly Record<string, unknown>[];
    for (const key of nonEmpty(keys))
      expect(key).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256', issuer: `${serverUrl}/${tenantId}/v2.0` });
    const [{ x5c, x5t, kid } = {}] = keys;
    const [der = ''] = x5c as readonly string[];
    const certificate = new X509Certificate(Buffer.from(der, 'base64'));
    expect(certificate.fingerprint.replaceAll(':', '').toLowerCase()).toBe(
      Buffer.from(String(x5t), 'base64url').toString('hex'),
    );
    const { body: tokens } = await signInAt(at());
    const key = await importX509(certificate.toString(), 'RS256');
    for (const name of ['id_token', 'access_token']) {
      const { protectedHeader } = await jwtVerify(String(tokens[name]), key, {
        currentDate: new Date(1_772_600_767_000),
      });
      expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid, x5t });
    }
    const again = await readJson(`${at('common')}/discovery/keys`);
    expect(again.body['keys']).toEqual(keys);
  });

  it('are found by each name in the header of a token: kid and x5t', async () => {
    const { at } = await tenantServer();
    const { body: tokens } = await signInAt(at());
    const { body } = await readJson(`${at()}/discovery/v2.0/keys`);
    const keys = body['keys'] as readonly Record<string, unknown>[];
    const ids = nonEmpty(keys).map(({ kid }) => kid);
    expect(new Set(ids).size).toBe(ids.length);
    for (const name of ['id_token', 'access_token']) {
      const { kid, x5t } = decodeProtectedHeader(String(tokens[name]));
      const named = [kid, x5t].map((id) => keys.find((key) => key['kid'] === id));
      expect(named.map((key) => [key?.['n'], key?.['x5t']])).toEqual([
        [keys[0]?.['n'], x5t],
        [keys[0]?.['n'], x5t],
      ]);
    }
  });
});

describe('CL16: instance discovery', () => {
  const path = (parameters: Readonly<Record<string, string>>) =>
    `/discovery/instance?${new URLSearchParams({ 'api-version': '1.1', ...parameters })}`;

  it.each([
    [tenantId, tenantId],
    [tenantDomain, tenantId],
    ['common', 'common'],
  ])('for an endpoint of %s, it names the discovery document of %s', async (tenant, named) => {
    const { at, serverUrl } = await tenantServer();
    const { host } = new URL(serverUrl);
    for (const requested of ['common', tenantId]) {
      const authorization_endpoint = `${at(tenant)}/oauth2/v2.0/authorize`;
      expect(await readJson(`${at(requested)}${path({ authorization_endpoint })}`)).toMatchObject({
        status: 200,
        body: {
          tenant_discovery_endpoint: `${at(named)}/v2.0/.well-known/openid-configuration`,
          'api-version': '1.1',
          metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
        },
      });
    }
  });

  it.each([
    [{}, 'invalid_instance'],
    [{ authorization_endpoint: 'nothing' }, 'invalid_instance'],
    [{ authorization_endpoint: 'https://login.elsewhere.example/common/oauth2/v2.0/authorize' }, 'invalid_instance'],
  ])('%j: %s', async (parameters, error) => {
    const { at } = await tenantServer();
    expect(await readJson(`${at('common')}${path(parameters)}`)).toMatchObject({ status: 400, body: { error } });
  });
});

describe('selection of the sandbox', () => {
  it('the names of all tenants select the default sandbox, and other names the sandbox of the tenant', async () => {
    const { at, sandbox, sandboxes } = await tenantServer();
    const other = await sandboxes.fork('default', 'other');
    for (const tenant of known) await signInAt(at(tenant));
    expect(sandbox.signIns.list({ limit: 99 }).length).toBe(known.length);
    expect(other.signIns.list({ limit: 9 })).toEqual([]);
  });

  it('a tenant id is derived from ids of facts that are no GUIDs, so sandboxes with equal facts differ', async () => {
    const tenant = { id: 'contoso', campaign: { state: 'disabled' } };
    const ids = await Promise.all(
      ['one', 'two'].map(async (id) => (await tenantServer({ id, tenant })).sandbox.tokens.tenantIssuer.split('/')[3]),
    );
    expect(new Set(ids).size).toBe(2);
    for (const id of nonEmpty(ids)) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('an address of another name of this machine redirects pages to the name of the issuer', async () => {
    const { at, issuer } = await tenantServer({ id: 'demo' });
    const url = getAuthorizeUrl(at()).replace('localhost', '127.0.0.1');
    const response = await send('GET', url);
    expect(response.status).toBe(307);
    expect(response.headers.get('location')).toBe(getAuthorizeUrl(`${issuer}/${tenantId}`));
  });

  it('a request by POST continues by GET in the same form', async () => {
    const { at, issuer } = await tenantServer({ id: 'demo' });
    const { search, pathname } = new URL(getAuthorizeUrl(at()));
    const response = await fetch(`${new URL(at()).origin}${pathname}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(search),
    });
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      getAuthorizeUrl(`${issuer}/${tenantId}`),
    ]);
    const page = await appBrowser().signIn(response.headers.get('location') ?? '');
    expect(answerAt(page)).toHaveProperty('code');
  });

  it('the log of requests lists them with their sandbox', async () => {
    const { at, serverUrl } = await tenantServer({ id: 'demo' });
    await postForm(`${at()}/oauth2/v2.0/token`, { client_id: 'test-public' });
    const { body } = await readJson(`${serverUrl}/_control/v1/sandboxes/demo/requests`);
    expect(JSON.stringify(body)).toContain(`/${tenantId}/oauth2/v2.0/token`);
  });
});
