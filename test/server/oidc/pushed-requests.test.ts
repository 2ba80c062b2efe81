import { describe, expect, it } from 'vitest';
import { type OidcServer, oidcServer } from './oidc-server.ts';

const redirectUri = 'https://shop.example/callback';
const clients = ['shop', 'other'].map((id) => ({ id, secret: 'a-secret', redirectUris: [redirectUri] }));
const request = { client_id: 'shop', response_type: 'code', scope: 'openid', redirect_uri: redirectUri };

const secondMs = 1_000;

async function push({ issuer }: OidcServer, further: Readonly<Record<string, string>> = {}) {
  const body = new URLSearchParams({ ...request, client_secret: 'a-secret', ...further });
  const response = await fetch(`${issuer}/oauth2/par`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, string | number>> };
}

/** Sends an authorization request. Returns its status, and the error of the page or of the redirect. */
async function authorize({ issuer }: OidcServer, parameters: Readonly<Record<string, string>>) {
  const response = await fetch(`${issuer}/oauth2/authorize?${new URLSearchParams(parameters)}`, {
    redirect: 'manual',
    headers: { accept: 'application/json' },
  });
  const location = response.headers.get('location');
  const error = location === null ? await response.text() : new URL(location, issuer).searchParams.get('error');
  return { status: response.status, error, location };
}

describe('CL26: pushed authorization requests', () => {
  it('a pushed request is valid for 60 s of the virtual clock', async () => {
    const server = await oidcServer({ clients });
    const { status, body } = await push(server);
    expect([status, body['expires_in']]).toEqual([201, 60]);
    const uri = String(body['request_uri']);
    await server.sandbox.clock.advance({ ms: 59 * secondMs });
    expect(await authorize(server, { client_id: 'shop', request_uri: uri })).toMatchObject({
      status: 303,
      error: null,
    });
    const late = String((await push(server)).body['request_uri']);
    await server.sandbox.clock.advance({ ms: 60 * secondMs });
    const refused = await authorize(server, { client_id: 'shop', request_uri: late });
    expect(refused.location?.startsWith(redirectUri) ?? false).toBe(false);
    expect(refused.error).toContain('request_uri');
  });

  it('a pushed request is bound to its client', async () => {
    const server = await oidcServer({ clients });
    const { body } = await push(server);
    const refused = await authorize(server, { client_id: 'other', request_uri: String(body['request_uri']) });
    expect(refused.location?.startsWith(redirectUri) ?? false).toBe(false);
    expect(refused.status).toBe(400);
  });

  it('a client that must push its requests cannot send plain ones', async () => {
    const server = await oidcServer({ clients: clients.map((client) => ({ ...client, requirePar: true })) });
    const { error, location } = await authorize(server, { ...request, state: 's' });
    expect([error, location?.startsWith(redirectUri)]).toEqual(['invalid_request', true]);
  });

  it.each([
    ['request', 'e30.e30.e30', 'request_not_supported'],
    ['request_uri', 'https://shop.example/request.jwt', 'request_uri_not_supported'],
  ])('a request object as %s is rejected', async (name, value, expected) => {
    const server = await oidcServer({ clients });
    expect((await authorize(server, { ...request, [name]: value })).error).toContain(expected);
  });

  it.each([
    ['without client authentication', { client_secret: '' }, 401, 'invalid_client'],
    ['with another request inside', { request_uri: 'urn:example:one' }, 400, 'request_uri_not_supported'],
    ['with an address that is not registered', { redirect_uri: 'https://elsewhere.example/' }, 400, 'invalid_request'],
  ])('a push %s is rejected', async (_title, further, status, error) => {
    const server = await oidcServer({ clients });
    const response = await push(server, further);
    expect([response.status, response.body['error']]).toEqual([status, error]);
  });
});
