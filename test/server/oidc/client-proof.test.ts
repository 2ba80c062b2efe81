import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { oidcServer, startMs } from './oidc-server.ts';

const secret = 'a secret of more than 32 bytes, for tests';
const appRoles = ['Policy.Read.All'];
const startSeconds = startMs / 1000;

async function discovered(issuer: string): Promise<Record<string, readonly string[]>> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  return (await response.json()) as Record<string, readonly string[]>;
}

describe('discovery document', () => {
  it('every listed algorithm has a published key, even in the first response', async () => {
    const { issuer } = await oidcServer();
    const { keys } = (await (await fetch(`${issuer}/oauth2/jwks`)).json()) as {
      readonly keys: { readonly alg: string }[];
    };
    const named = (await discovered(issuer))['id_token_signing_alg_values_supported'];
    expect(keys.map(({ alg }) => alg)).toEqual(named);
    expect(named).toEqual(['ES256', 'RS256']);
    const again = (await (await fetch(`${issuer}/oauth2/jwks`)).json()) as unknown;
    expect(again).toEqual({ keys });
  });

  it('lists no client authentication method that no client uses', async () => {
    const { issuer } = await oidcServer();
    const {
      token_endpoint_auth_methods_supported: methods,
      token_endpoint_auth_signing_alg_values_supported: algorithms,
    } = await discovered(issuer);
    expect(methods).toEqual(['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']);
    expect(algorithms).toEqual(['RS256', 'PS256', 'ES256']);
  });

  it('lists client_secret_jwt and HS256 once a client of the fixture uses them', async () => {
    const { issuer } = await oidcServer({
      clients: [{ id: 'job', kind: 'service', secret, authMethods: ['client_secret_jwt'], appRoles }],
    });
    const {
      token_endpoint_auth_methods_supported: methods,
      token_endpoint_auth_signing_alg_values_supported: algorithms,
    } = await discovered(issuer);
    expect(methods).toContain('client_secret_jwt');
    expect(algorithms).toEqual(['HS256', 'RS256', 'PS256', 'ES256']);
  });
});

/** Requests an access token for the client itself. */
async function askFor(
  issuer: string,
  body: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<[number, string]> {
  const response = await fetch(`${issuer}/oauth2/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ grant_type: 'client_credentials', ...body }),
  });
  const { error = '' } = (await response.json()) as { readonly error?: string };
  return [response.status, error];
}

const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const assertion = (issuer: string, claims: JWTPayload = {}) =>
  new SignJWT({
    iss: 'job',
    sub: 'job',
    aud: `${issuer}/oauth2/token`,
    jti: crypto.randomUUID(),
    iat: startSeconds,
    exp: startSeconds + 60,
    ...claims,
  });

describe('client authentication is limited to the method in the fixture', () => {
  const basic = { authorization: `Basic ${btoa(`job:${encodeURIComponent(secret)}`)}` };

  it.each([
    [['client_secret_basic'], [200, 401, 401]],
    [['client_secret_post'], [401, 200, 401]],
    [['client_secret_jwt'], [401, 401, 200]],
    [
      ['client_secret_basic', 'client_secret_post'],
      [200, 200, 401],
    ],
    [
      ['client_secret_basic', 'client_secret_jwt'],
      [200, 401, 200],
    ],
    [
      ['client_secret_post', 'client_secret_jwt'],
      [401, 200, 200],
    ],
  ])('%j: the statuses by header, by body and by assertion are %j', async (authMethods, statuses) => {
    const { issuer } = await oidcServer({ clients: [{ id: 'job', kind: 'service', secret, authMethods, appRoles }] });
    const signed = await assertion(issuer).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
    const answers = [
      await askFor(issuer, {}, basic),
      await askFor(issuer, { client_id: 'job', client_secret: secret }),
      await askFor(issuer, { client_assertion_type: type, client_assertion: signed }),
    ];
    expect(answers.map(([status]) => status)).toEqual(statuses);
    for (const [status, error] of answers) expect(error).toBe(status === 200 ? '' : 'invalid_client');
    expect(await askFor(issuer, { client_id: 'job' })).toEqual([401, 'invalid_client']);
  });

  it.each(['ES256', 'RS256', 'PS256'])(
    'private_key_jwt with %s is accepted from a library, without a secret',
    async (alg) => {
      const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
      const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg, kid: 'one', use: 'sig' }] };
      const { issuer } = await oidcServer({
        clients: [{ id: 'job', kind: 'service', authMethods: ['private_key_jwt'], jwks, appRoles }],
      });
      // The sandbox clock is frozen while the client clock runs, so the client stays behind.
      const skew = startSeconds - Math.floor(Date.now() / 1000) - 20;
      const config = await client.discovery(
        new URL(issuer),
        'job',
        { [client.clockSkew]: skew },
        client.PrivateKeyJwt({ key: privateKey, kid: 'one' }),
        { execute: [client.allowInsecureRequests] },
      );
      expect((await client.clientCredentialsGrant(config)).scope).toBe('Policy.Read.All');
    },
  );

  it('an assertion is valid once, for this server, within its lifetime, and only with the key of the client', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const foreign = await generateKeyPair('ES256');
    const jwks = { keys: [await exportJWK(publicKey)] };
    const { issuer, sandbox } = await oidcServer({
      clients: [{ id: 'job', kind: 'service', authMethods: ['private_key_jwt'], jwks, appRoles }],
    });
    const sign = (claims: JWTPayload, key = privateKey) =>
      assertion(issuer, claims).setProtectedHeader({ alg: 'ES256' }).sign(key);
    const ask = (signed: string) => askFor(issuer, { client_assertion_type: type, client_assertion: signed });
    const good = await sign({});
    expect(await ask(good)).toEqual([200, '']);
    expect(await ask(good)).toEqual([401, 'invalid_client']);
    for (const claims of [{ aud: 'https://elsewhere.example' }, { iss: 'other' }, { exp: startSeconds - 1 }])
      expect(await ask(await sign(claims))).toEqual([401, 'invalid_client']);
    expect(await ask(await sign({}, foreign.privateKey))).toEqual([401, 'invalid_client']);
    const bySecret = await assertion(issuer).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
    expect(await ask(bySecret)).toEqual([401, 'invalid_client']);
    const late = await sign({});
    await sandbox.clock.advance({ minutes: 2 });
    expect(await ask(late)).toEqual([401, 'invalid_client']);
  });
});
