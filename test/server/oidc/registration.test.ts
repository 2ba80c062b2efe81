import { type AddressInfo, createServer } from 'node:net';
import { generateKeyPair, SignJWT } from 'jose';
import * as client from 'openid-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { oidcServer } from './oidc-server.ts';
import { answerAt, appBrowser, application, RelyingParty } from './relying-party.ts';

async function register(issuer: string, metadata: unknown): Promise<Response> {
  return fetch(`${issuer}/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
}

describe('dynamic registration', () => {
  it.each(['ES256', 'RS256'] as const)('a client registered for %s signs in its users', async (algorithm) => {
    const { issuer } = await oidcServer();
    const config = await client.dynamicClientRegistration(
      new URL(issuer),
      { redirect_uris: [application], client_name: 'New', id_token_signed_response_alg: algorithm },
      undefined,
      { execute: [client.allowInsecureRequests] },
    );
    const { client_id: id, client_secret: secret = '' } = config.clientMetadata();
    const metadata = { id_token_signed_response_alg: algorithm };
    const party = await RelyingParty.discover(issuer, { id, secret: String(secret), metadata });
    expect((await party.signIn()).claims()).toMatchObject({ aud: id, sub: 'ada' });
  });

  it('a client can be read, changed and deleted with its registration token', async () => {
    const { issuer } = await oidcServer();
    const registered = (await (await register(issuer, { redirect_uris: [application] })).json()) as Record<
      string,
      string
    >;
    const { registration_client_uri: uri = '', registration_access_token: token } = registered;
    const headers = { authorization: `Bearer ${token}` };
    expect(await (await fetch(uri, { headers })).json()).toMatchObject({ client_id: registered['client_id'] });
    expect((await fetch(uri, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
    expect((await fetch(uri, { method: 'DELETE', headers })).status).toBe(204);
    const party = await RelyingParty.discover(issuer, { id: registered['client_id'] ?? '' });
    expect(await appBrowser().load((await party.ask()).url)).toMatchObject({ status: 400 });
  });

  it.each([
    { redirect_uris: ['not an address'] },
    { redirect_uris: ['https://app.example/#fragment'] },
    { redirect_uris: [application], id_token_signed_response_alg: 'none' },
    { redirect_uris: [application], token_endpoint_auth_method: 'unheard-of' },
    'no object',
  ])('%j is rejected', async (metadata) => {
    const { issuer } = await oidcServer();
    const response = await register(issuer, metadata);
    expect(response.status).toBe(400);
    expect(await response.json()).toHaveProperty('error');
  });
});

describe('browser applications', () => {
  it('applications may send requests from the origins of their redirect URIs only', async () => {
    const { issuer } = await oidcServer();
    const preflight = await fetch(`${issuer}/oauth2/token`, {
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    const call = (origin: string) =>
      fetch(`${issuer}/oauth2/token`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=refresh_token&refresh_token=none&client_id=test-public',
      });
    expect((await call('http://localhost:5173')).headers.get('access-control-allow-origin')).toBe(
      'http://localhost:5173',
    );
    expect((await call('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('response_mode=form_post: a page without inline scripts submits the response, and a button does so without scripts', async () => {
    const { issuer } = await oidcServer();
    const party = await RelyingParty.discover(issuer);
    const { url, checks } = await party.ask({ response_mode: 'form_post' });
    const displayed = await appBrowser().signIn(url);
    expect(displayed.page?.name).toBe('hand-over');
    expect(displayed.headers.get('content-security-policy')).toMatch(
      /script-src 'self'.*|form-action 'self' http:\/\/localhost:9/,
    );
    const [source = ''] = /\/_assets\/[^"]*\.js/.exec(displayed.text) ?? [];
    expect(await (await fetch(new URL(source, issuer))).text()).toContain('submit');
    const fields = Object.fromEntries(displayed.page?.forms[0]?.fields.map(({ name, value }) => [name, value]) ?? []);
    expect(fields).toMatchObject({ code: expect.any(String), state: checks.expectedState, iss: issuer });
    expect(displayed.page?.forms[0]?.address).toBe(application);
  });

  it('header syntax in a parameter does not create a header', async () => {
    const { issuer } = await oidcServer();
    const party = await RelyingParty.discover(issuer);
    const state = 'a\r\nSet-Cookie: evil=1';
    const displayed = await appBrowser().signIn((await party.ask({ state })).url);
    expect(answerAt(displayed)).toMatchObject({ state });
    expect(displayed.headers.get('set-cookie') ?? '').not.toContain('evil=1');
  });

  it.each(['jwks_uri', 'sector_identifier_uri'])('the server sends no request to the %s of a client', async (name) => {
    const { issuer } = await oidcServer();
    let connections = 0;
    const outside = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    outside.listen(0, '127.0.0.1', resolve);
    await promise;
    onTestFinished(() => void outside.close());
    const { port } = outside.address() as AddressInfo;
    const answer = await register(issuer, {
      redirect_uris: [application],
      [name]: `https://127.0.0.1:${port}/from-outside`,
      ...(name === 'jwks_uri' ? { token_endpoint_auth_method: 'private_key_jwt' } : { subject_type: 'pairwise' }),
    });
    if (answer.ok) {
      const { client_id: id } = (await answer.json()) as { client_id: string };
      await fetch(`${issuer}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: 'any',
          client_id: id,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: await signedAssertion(id, `${issuer}/oauth2/token`),
        }),
      });
    }
    expect(answer.status).toBeLessThan(500);
    expect(connections).toBe(0);
  });
});

/** Creates a client assertion, signed with the client’s own key. */
async function signedAssertion(clientId: string, audience: string): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256');
  return new SignJWT({ jti: 'one' })
    .setProtectedHeader({ alg: 'ES256', kid: 'key-1' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('5 minutes')
    .sign(privateKey);
}
