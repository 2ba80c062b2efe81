import { exportJWK, generateKeyPair, importPKCS8, type JWTPayload, SignJWT } from 'jose';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import type { SandboxInput } from '../../../src/sandbox/sandbox.ts';
import { nonEmpty } from '../../non-empty.ts';
import { makeClientCertificate } from './client-certificate.ts';
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

  it('CL40: lists no client authentication method that no client uses', async () => {
    const { issuer } = await oidcServer();
    const {
      token_endpoint_auth_methods_supported: methods,
      token_endpoint_auth_signing_alg_values_supported: algorithms,
    } = await discovered(issuer);
    expect(methods).toEqual(['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt']);
    expect(algorithms).toEqual(['RS256', 'PS256', 'ES256']);
  });

  it('CL40: lists client_secret_jwt and HS256 once a client of the fixture uses them', async () => {
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

  it('CL41: an assertion is valid once, for this server, within its lifetime, and only with the key of the client', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const foreign = await generateKeyPair('ES256');
    const jwks = { keys: [await exportJWK(publicKey)] };
    const { issuer, sandbox } = await oidcServer({
      clients: [{ id: 'job', kind: 'service', authMethods: ['private_key_jwt'], jwks, appRoles }],
      settings: { identity: { assertionToleranceSeconds: 0 } },
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

  it.each([
    [{}, false, -86_400, 200],
    [{}, false, 86_400, 200],
    [{}, true, 50, 200],
    [{}, true, -110, 200],
    [{}, true, 90, 401],
    [{}, true, -130, 401],
    [{ assertionToleranceSeconds: 5 }, false, 4, 200],
    [{ assertionToleranceSeconds: 5 }, false, 8, 401],
    [{ assertionToleranceSeconds: 'any' }, true, -7_200, 200],
  ])(
    'CL41: with %j and a clock at the real time: %s, an assertion signed %i s ahead has status %i',
    async (identity, isRealTime, aheadSeconds, status) => {
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
      const nowMs = isRealTime ? Date.now() : startMs;
      const { issuer } = await oidcServer({
        clock: { nowMs, running: isRealTime },
        clients: [
          {
            id: 'job',
            kind: 'service',
            authMethods: ['private_key_jwt'],
            jwks: { keys: [await exportJWK(publicKey)] },
            appRoles,
          },
        ],
        settings: { identity },
      } as SandboxInput);
      const nbf = Math.floor(nowMs / 1000) + aheadSeconds;
      const signed = await assertion(issuer, { iat: nbf, nbf, exp: nbf + 60 })
        .setProtectedHeader({ alg: 'ES256' })
        .sign(privateKey);
      const [answered] = await askFor(issuer, { client_assertion_type: type, client_assertion: signed });
      expect(answered).toBe(status);
    },
  );

  it.each([
    ['issued 300 days ahead', { iat: 300, exp: 300 }, 200],
    ['issued 300 days behind', { iat: -300, exp: -300 }, 200],
    ['that only ends, 300 days ahead', { exp: 300 }, 200],
    ['that ended before it was issued', { iat: 300, exp: -300 }, 401],
  ])('CL41: a frozen sandbox accepts an assertion without nbf %s, once', async (_name, days, status) => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwks = { keys: [await exportJWK(publicKey)] };
    const { issuer } = await oidcServer({
      clients: [{ id: 'job', kind: 'service', authMethods: ['private_key_jwt'], jwks, appRoles }],
    });
    const at = (given: number, seconds: number) => startSeconds + given * 86_400 + seconds;
    const issued = 'iat' in days ? at(days.iat, 0) : undefined;
    const signed = await assertion(issuer, { iat: issued, exp: at(days.exp, 300) } as JWTPayload)
      .setProtectedHeader({ alg: 'ES256' })
      .sign(privateKey);
    const ask = () => askFor(issuer, { client_assertion_type: type, client_assertion: signed });
    expect((await ask())[0]).toBe(status);
    expect(await ask()).toEqual([401, 'invalid_client']);
  });

  it('CL41: an assertion ends at most one hour ahead', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwks = { keys: [await exportJWK(publicKey)] };
    const { issuer } = await oidcServer({
      clients: [{ id: 'job', kind: 'service', authMethods: ['private_key_jwt'], jwks, appRoles }],
    });
    for (const [seconds, status] of [
      [3_600, 200],
      [3_601, 401],
    ] as const) {
      const signed = await assertion(issuer, { exp: startSeconds + seconds })
        .setProtectedHeader({ alg: 'ES256' })
        .sign(privateKey);
      expect((await askFor(issuer, { client_assertion_type: type, client_assertion: signed }))[0]).toBe(status);
    }
  });

  it('CL41: the key of a certificate verifies assertions that name it by any thumbprint, and no other key does', async () => {
    const { certificate, privateKey, thumbprints } = await makeClientCertificate();
    const other = await makeClientCertificate();
    const { issuer } = await oidcServer({
      clients: [
        { id: 'job', kind: 'service', authMethods: ['private_key_jwt'], certificates: [certificate], appRoles },
      ],
    });
    const send = async (header: object, key: Parameters<SignJWT['sign']>[0]) => {
      const signed = await assertion(issuer)
        .setProtectedHeader({ alg: 'PS256', ...header })
        .sign(key);
      return (await askFor(issuer, { client_assertion_type: type, client_assertion: signed }))[0];
    };
    const headers = [
      {},
      { x5t: thumbprints.sha1 },
      { 'x5t#S256': thumbprints.sha256 },
      { kid: thumbprints.sha256 },
      { kid: thumbprints.hex },
    ];
    for (const header of nonEmpty(headers))
      expect(await send(header, await importPKCS8(privateKey, 'PS256'))).toBe(200);
    expect(await send({}, await importPKCS8(other.privateKey, 'PS256'))).toBe(401);
    expect(await send({ kid: other.thumbprints.sha256 }, await importPKCS8(privateKey, 'PS256'))).toBe(401);
  });

  it.each(['', 'no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
    'CL41: the certificate %j is rejected with its place',
    async (pem) => {
      const clients = [{ id: 'job', kind: 'service', authMethods: ['private_key_jwt'], certificates: [pem] }];
      await expect(oidcServer({ clients } as SandboxInput)).rejects.toMatchObject({
        message: expect.stringContaining('certificates.0'),
      });
    },
  );
});
