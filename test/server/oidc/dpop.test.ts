import { hash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { type OidcServer, oidcServer, startMs } from './oidc-server.ts';
import { appBrowser, application, RelyingParty } from './relying-party.ts';
import { tenantId, tenantServer } from './tenant-server.ts';

const clients = [
  { id: 'bound', kind: 'public', redirectUris: [application], dpop: 'allowed' },
  { id: 'strict', kind: 'service', secret: 'strict-secret', appRoles: ['Policy.Read.All'], dpop: 'required' },
  { id: 'job', kind: 'service', secret: 'job-secret', appRoles: ['Policy.Read.All'], dpop: 'allowed' },
  { id: 'plain', kind: 'service', secret: 'plain-secret', appRoles: ['Policy.Read.All'] },
];

const policyPath = '/v1.0/policies/authenticationMethodsPolicy';

type Proof = Readonly<Record<string, unknown>>;

/** Client that signs proofs by hand, so each part of a proof can be wrong. */
async function createProver(alg: 'ES256' | 'RS256' | 'PS256' = 'ES256') {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  const jwk = await exportJWK(publicKey);
  const prove = (claims: Proof, header: Proof = {}): Promise<string> =>
    new SignJWT({ jti: randomUUID(), iat: Math.floor(startMs / 1000), ...claims })
      .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk, ...header })
      .sign(privateKey);
  return { prove, thumbprint: await calculateJwkThumbprint(jwk) };
}

const ask = (issuer: string, id: string, proof?: string) =>
  fetch(`${issuer}/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${id}:${id}-secret`)}`,
      ...(proof === undefined ? {} : { dpop: proof }),
    },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });

const json = async (response: Response) => (await response.json()) as Readonly<Record<string, string>>;

const atToken = ({ issuer }: OidcServer) => ({ htm: 'POST', htu: `${issuer}/oauth2/token` });
const ath = (token: string) => hash('sha256', token, 'base64url');

describe('CL42: discovery', () => {
  it('lists the algorithms when a client may use DPoP, and no longer otherwise', async () => {
    const discover = async (given: readonly object[]) => {
      const { issuer } = await oidcServer({ clients: given });
      return (await json(await fetch(`${issuer}/.well-known/openid-configuration`)))[
        'dpop_signing_alg_values_supported'
      ];
    };
    expect(await discover(clients)).toEqual(['ES256', 'RS256', 'PS256']);
    expect(await discover([{ ...clients[3] }])).toBeUndefined();
  });
});

describe('CL42: the token endpoint', () => {
  it.each(['ES256', 'RS256', 'PS256'] as const)('%s: a proof binds the token to its key', async (alg) => {
    const server = await oidcServer({ clients });
    const { prove, thumbprint } = await createProver(alg);
    const response = await ask(server.issuer, 'job', await prove(atToken(server)));
    const { access_token: token = '', token_type: type } = await json(response);
    expect([response.status, type, decodeJwt(token)['cnf']]).toEqual([200, 'DPoP', { jkt: thumbprint }]);
    const { active, cnf, token_type } = await json(
      await fetch(`${server.issuer}/oauth2/introspect`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('job:job-secret')}` },
        body: new URLSearchParams({ token }),
      }),
    );
    expect({ active, cnf, token_type }).toEqual({ active: true, cnf: { jkt: thumbprint }, token_type: 'DPoP' });
  });

  it.each([
    ['no proof, allowed', 'job', null, 200, 'Bearer'],
    ['no proof, required', 'strict', null, 400, 'invalid_dpop_proof'],
    ['a proof, off', 'plain', {}, 200, 'Bearer'],
    ['a proof, required', 'strict', {}, 200, 'DPoP'],
    ['another method', 'job', { htm: 'GET' }, 400, 'invalid_dpop_proof'],
    ['another URL', 'job', { htu: 'https://elsewhere.example/oauth2/token' }, 400, 'invalid_dpop_proof'],
    ['no jti', 'job', { jti: '' }, 400, 'invalid_dpop_proof'],
    ['the virtual time', 'job', { iat: startMs / 1000 - 299 }, 200, 'DPoP'],
    ['the real time', 'job', { iat: Math.floor(Date.now() / 1000) }, 200, 'DPoP'],
    ['neither time', 'job', { iat: startMs / 1000 - 400 }, 400, 'invalid_dpop_proof'],
    ['no time', 'job', { iat: undefined }, 400, 'invalid_dpop_proof'],
  ] as const)('%s', async (_title, id, claims, status, expected) => {
    const server = await oidcServer({ clients });
    const { prove } = await createProver();
    const proof = claims === null ? undefined : await prove({ ...atToken(server), ...claims });
    const response = await ask(server.issuer, id, proof);
    const { error, token_type: type } = await json(response);
    expect([response.status, error ?? type]).toEqual([status, expected]);
  });

  it.each([
    ['a proof of another type', {}, { typ: 'JWT' }],
    ['a proof without its key', {}, { jwk: undefined }],
    ['no JWT at all', null, {}],
  ] as const)('rejects %s', async (_title, claims, header) => {
    const server = await oidcServer({ clients });
    const { prove } = await createProver();
    const proof = claims === null ? 'proof' : await prove(atToken(server), header);
    const response = await ask(server.issuer, 'job', proof);
    expect([response.status, (await json(response))['error']]).toEqual([400, 'invalid_dpop_proof']);
  });

  it('accepts a proof once, and accepts the query of its URL', async () => {
    const server = await oidcServer({ clients });
    const { prove } = await createProver();
    const proof = await prove({ htm: 'POST', htu: `${server.issuer}/oauth2/token?ignored=yes` });
    const replies = [await ask(server.issuer, 'job', proof), await ask(server.issuer, 'job', proof)];
    expect(replies.map(({ status }) => status)).toEqual([200, 400]);
    const tokens = await json(replies[0] as Response);
    expect(decodeJwt(tokens['access_token'] ?? '').iat).toBe(Math.floor(startMs / 1000));
  });

  it('stamps a token by the virtual clock even if the proof has the real time', async () => {
    const server = await oidcServer({ clients });
    const { prove } = await createProver();
    const iat = Math.floor(Date.now() / 1000);
    const { access_token: token = '' } = await json(
      await ask(server.issuer, 'job', await prove({ ...atToken(server), iat })),
    );
    expect(decodeJwt(token).iat).toBe(Math.floor(startMs / 1000));
  });

  it('binds the refresh tokens of a public client, and dpop_jkt binds its code', async () => {
    const server = await oidcServer({ clients });
    const party = await RelyingParty.discover(server.issuer, { id: 'bound' });
    const [own, other] = [await createProver(), await createProver()];
    const send = async (body: Record<string, string>, by: typeof own | null) =>
      fetch(`${server.issuer}/oauth2/token`, {
        method: 'POST',
        headers: by === null ? {} : { dpop: await by.prove(atToken(server)) },
        body: new URLSearchParams({ client_id: 'bound', ...body }),
      });
    const redeem = async (by: typeof own | null) => {
      const request = await party.ask({ scope: 'openid offline_access', dpop_jkt: own.thumbprint });
      const { address } = await appBrowser().signIn(request.url);
      return send(
        {
          grant_type: 'authorization_code',
          code: new URL(address).searchParams.get('code') ?? '',
          redirect_uri: application,
          code_verifier: String(request.checks.pkceCodeVerifier),
        },
        by,
      );
    };
    expect((await redeem(null)).status).toBe(400);
    expect((await redeem(other)).status).toBe(400);
    const redeemed = await redeem(own);
    const { refresh_token: refresh = '' } = await json(redeemed);
    expect(redeemed.status).toBe(200);
    const refreshBy = (by: typeof own | null) => send({ grant_type: 'refresh_token', refresh_token: refresh }, by);
    expect((await json(await refreshBy(null)))['error']).toBe('invalid_grant');
    expect((await json(await refreshBy(other)))['error']).toBe('invalid_grant');
    expect((await json(await refreshBy(own)))['token_type']).toBe('DPoP');
  });
});

const apis = [policyPath, '/v1.0/users?$top=1'];

describe.each(apis)('CL42: a bound token at %s', (path) => {
  const boundToken = async (server: OidcServer, by: Awaited<ReturnType<typeof createProver>>) =>
    (await json(await ask(server.issuer, 'job', await by.prove(atToken(server)))))['access_token'] ?? '';

  const call = (server: OidcServer, scheme: string, token: string, proof: string | null) =>
    fetch(`${server.issuer}${path}`, {
      headers: { authorization: `${scheme} ${token}`, ...(proof === null ? {} : { dpop: proof }) },
    });

  it.each([
    ['with a proof', 'DPoP', {}, null],
    ['as Bearer', 'Bearer', null, 'invalid_token'],
    ['without a proof', 'DPoP', null, 'invalid_dpop_proof'],
    ['for another token', 'DPoP', { ath: ath('other') }, 'invalid_dpop_proof'],
    ['without ath', 'DPoP', { ath: undefined }, 'invalid_dpop_proof'],
    ['for another method', 'DPoP', { htm: 'PATCH' }, 'invalid_dpop_proof'],
    ['for another path', 'DPoP', { htu: 'http://localhost/other' }, 'invalid_dpop_proof'],
    ['of another time', 'DPoP', { iat: startMs / 1000 + 301 }, 'invalid_dpop_proof'],
    ['of the real time', 'DPoP', { iat: Math.floor(Date.now() / 1000) }, null],
  ] as const)('%s', async (_title, scheme, claims, error) => {
    const server = await oidcServer({ clients });
    const prover = await createProver();
    const token = await boundToken(server, prover);
    const target = { htm: 'GET', htu: `${server.issuer}${path.split('?')[0]}`, ath: ath(token) };
    const proof = claims === null ? null : await prover.prove({ ...target, ...claims });
    const response = await call(server, scheme, token, proof);
    const challenge = response.headers.get('www-authenticate');
    if (error === null) expect(response.status).not.toBe(401);
    else expect([response.status, challenge]).toEqual([401, expect.stringContaining(`DPoP error="${error}"`)]);
    if (error !== null) expect(challenge).toContain('algs="ES256 RS256 PS256"');
  });

  it('rejects the proof of another key, and a proof that was used', async () => {
    const server = await oidcServer({ clients });
    const [own, other] = [await createProver(), await createProver()];
    const token = await boundToken(server, own);
    const target = { htm: 'GET', htu: `${server.issuer}${path.split('?')[0]}`, ath: ath(token) };
    expect((await call(server, 'DPoP', token, await other.prove(target))).status).toBe(401);
    const proof = await own.prove(target);
    expect((await call(server, 'DPoP', token, proof)).status).not.toBe(401);
    expect((await call(server, 'DPoP', token, proof)).status).toBe(401);
    const plain = (await json(await ask(server.issuer, 'plain')))['access_token'] ?? '';
    const forPlain = await own.prove({ ...target, ath: ath(plain) });
    expect((await call(server, 'DPoP', plain, forPlain)).status).toBe(401);
  });
});

describe.each([[false], [true]])('CL42: libraries, dpopNonce %s', (dpopNonce) => {
  const setup = { clients, settings: { identity: { dpopNonce } }, clock: { nowMs: Date.now(), running: true } };

  it('openid-client signs in with DPoP, reads userinfo and the policy, and refreshes', async () => {
    const { issuer } = await oidcServer(setup);
    const { config } = await RelyingParty.discover(issuer, { id: 'bound', nowMs: Date.now() });
    const options = { DPoP: client.getDPoPHandle(config, await client.randomDPoPKeyPair()) };
    const verifier = client.randomPKCECodeVerifier();
    const url = await client.buildAuthorizationUrlWithPAR(
      config,
      {
        redirect_uri: application,
        scope: 'openid profile offline_access Policy.Read.All',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      },
      options,
    );
    const { address } = await appBrowser().signIn(url);
    const tokens = await client.authorizationCodeGrant(
      config,
      new URL(address),
      { pkceCodeVerifier: verifier },
      undefined,
      options,
    );
    expect(tokens.token_type).toBe('dpop');
    expect(await client.fetchUserInfo(config, tokens.access_token, 'ada', options)).toMatchObject({ sub: 'ada' });
    const policy = await client.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL(`${issuer}${policyPath}`),
      'GET',
      undefined,
      undefined,
      options,
    );
    expect(policy.status).toBe(200);
    expect(
      (await fetch(`${issuer}/oauth2/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } }))
        .status,
    ).toBe(401);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, options);
    expect(refreshed.token_type).toBe('dpop');
  });

  it('oauth4webapi gets an app-only token with DPoP, and reads the policy', async () => {
    const { issuer } = await oidcServer(setup);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const server = await oauth.processDiscoveryResponse(
      new URL(issuer),
      await oauth.discoveryRequest(new URL(issuer), insecure),
    );
    const app: oauth.Client = { client_id: 'strict' };
    const proof = oauth.DPoP(app, await oauth.generateKeyPair('ES256'));
    const grant = async () =>
      oauth.processClientCredentialsResponse(
        server,
        app,
        await oauth.clientCredentialsGrantRequest(
          server,
          app,
          oauth.ClientSecretBasic('strict-secret'),
          {},
          {
            ...insecure,
            DPoP: proof,
          },
        ),
      );
    const token = await grant().catch((error: unknown) => {
      if (!oauth.isDPoPNonceError(error)) throw error;
      return grant();
    });
    expect(token.token_type).toBe('dpop');
    const read = () =>
      oauth.protectedResourceRequest(token.access_token, 'GET', new URL(`${issuer}${policyPath}`), undefined, null, {
        ...insecure,
        DPoP: proof,
      });
    const policy = await read().catch((error: unknown) => {
      if (!oauth.isDPoPNonceError(error)) throw error;
      return read();
    });
    expect(policy.status).toBe(200);
  });
});

it.each([
  ['token', 400],
  ['policy', 401],
  ['userinfo', 401],
])('CL42: with dpopNonce, a proof without a nonce gets use_dpop_nonce and the nonce, %s', async (where, status) => {
  const server = await oidcServer({ clients, settings: { identity: { dpopNonce: true } } });
  const { prove } = await createProver();
  const first = await ask(server.issuer, 'job', await prove(atToken(server)));
  const nonce = first.headers.get('dpop-nonce');
  expect([first.status, (await json(first))['error'], nonce]).toEqual([400, 'use_dpop_nonce', expect.any(String)]);
  if (where === 'token') {
    expect((await ask(server.issuer, 'job', await prove({ ...atToken(server), nonce }))).status).toBe(200);
    expect((await ask(server.issuer, 'job', await prove({ ...atToken(server), nonce: 'old' }))).status).toBe(status);
    return;
  }
  const { access_token: token = '' } = await json(
    await ask(server.issuer, 'job', await prove({ ...atToken(server), nonce })),
  );
  const url = `${server.issuer}${where === 'policy' ? policyPath : '/oauth2/userinfo'}`;
  const proof = await prove({ htm: 'GET', htu: url, ath: ath(token) });
  const response = await fetch(url, { headers: { authorization: `DPoP ${token}`, dpop: proof } });
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([
    status,
    expect.stringContaining('error="use_dpop_nonce"'),
  ]);
  expect(response.headers.get('dpop-nonce')).toEqual(expect.any(String));
});

it('CL42: with dpopNonce and a frozen clock, a client that signs by the real time can use the nonce', async () => {
  const server = await oidcServer({ clients, settings: { identity: { dpopNonce: true } } });
  const { prove } = await createProver();
  const claims = { ...atToken(server), iat: Math.floor(Date.now() / 1000) };
  const nonce = (await ask(server.issuer, 'job', await prove(claims))).headers.get('dpop-nonce');
  const response = await ask(server.issuer, 'job', await prove({ ...claims, nonce }));
  const { token_type: type, access_token: token = '' } = await json(response);
  expect([response.status, type]).toEqual([200, 'DPoP']);
  expect(decodeJwt(token).iat).toBe(startMs / 1000);
});

describe('CL42: the tenant form', () => {
  const form = {
    grant_type: 'client_credentials',
    client_id: 'job',
    client_secret: 'job-secret',
    scope: 'https://graph.microsoft.com/.default',
  };
  const settings = { dialect: 'entra' };

  it('accepts a proof once', async () => {
    const { at } = await tenantServer({ clients, settings });
    const { prove } = await createProver();
    const url = `${at()}/oauth2/v2.0/token`;
    const dpop = await prove({ htm: 'POST', htu: url });
    const send = () => fetch(url, { method: 'POST', headers: { dpop }, body: new URLSearchParams(form) });
    expect([(await send()).status, (await send()).status]).toEqual([200, 400]);
  });

  it('userinfo finds the sandbox of a bound token', async () => {
    const { serverUrl } = await tenantServer({ id: 'demo', clients });
    const { prove } = await createProver();
    const payload = Buffer.from(JSON.stringify({ tid: tenantId })).toString('base64url');
    const token = `e30.${payload}.c2ln`;
    const url = `${serverUrl}/oidc/userinfo`;
    const dpop = await prove({ htm: 'GET', htu: url, ath: ath(token) });
    const response = await fetch(url, { headers: { authorization: `DPoP ${token}`, dpop } });
    // The sandbox of the tenant rejects the token. Without a sandbox, the tenant would be unknown.
    expect(await response.json()).toMatchObject({ error: 'invalid_token' });
  });

  it('the control API revokes a bound token without a proof', async () => {
    const server = await oidcServer({ clients });
    const { prove } = await createProver();
    const { access_token: token = '' } = await json(await ask(server.issuer, 'job', await prove(atToken(server))));
    await server.sandbox.tokens.revoke(token);
    await expect(server.sandbox.tokens.read(token)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
