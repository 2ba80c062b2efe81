import * as nodeCrypto from 'node:crypto';
import * as nodeFs from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuthenticationResult, ConfidentialClientApplication, PublicClientApplication } from '@azure/msal-node';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { installOnDemand } from '../../../../tooling/packages-on-demand.ts';
import { temporaryFolder } from '../../../journal/temporary-folder.ts';
import { nonEmpty } from '../../../non-empty.ts';
import { makeClientCertificate } from '../client-certificate.ts';
import { runGuide } from '../guide-code.ts';
import { answerAt, application } from '../relying-party.ts';
import { type SecureTenant, secureTenant } from '../secure-tenant.ts';
import { signOutAt, tenantDomain, tenantId } from '../tenant-server.ts';

installOnDemand('test/server/oidc/foreign-clients');
const msal = await import('@azure/msal-node');

const guide = 'docs/how-to/msal.md';
const modules = { '@azure/msal-node': msal, 'node:crypto': nodeCrypto, 'node:fs': nodeFs };
const settings = { directory: { wireIds: 'guid', verifiedDomains: [tenantDomain] }, dialect: 'entra' };
const scopes = ['User.Read', 'Policy.Read.All'];

/** Creates the application of the guide for users. */
async function createApp({ values }: SecureTenant): Promise<PublicClientApplication> {
  const text = "clientId: 'test-public'";
  return (await runGuide<{ readonly app: PublicClientApplication }>(guide, text, modules, values)).app;
}

async function createChallenge() {
  const { challenge } = await new msal.CryptoProvider().generatePkceCodes();
  return { codeChallenge: challenge, codeChallengeMethod: 'S256' };
}

/** Signs in a user of the application, as a web site does. */
async function signIn(app: PublicClientApplication, browser = undefined as never) {
  const { verifier, challenge } = await new msal.CryptoProvider().generatePkceCodes();
  const request = { scopes, redirectUri: application };
  const challenged = { codeChallenge: challenge, codeChallengeMethod: 'S256', nonce: 'n' };
  const url = await app.getAuthCodeUrl({ ...request, ...challenged });
  const answer = answerAt(await (browser as ReturnType<SecureTenant['openBrowser']>).signIn(url));
  const { code = '' } = answer;
  return app.acquireTokenByCode({ ...request, code, codeVerifier: verifier }, { code, nonce: 'n', ...answer } as never);
}

describe.each(['default', 'demo'])('msal-node in tenant mode, sandbox %s', (id) => {
  it('signs in a user with a code, gets the next token silently, and the user signs out', async () => {
    const server = await secureTenant({ id, settings });
    const { authority, issuer, openBrowser } = server;
    const app = await createApp(server);
    const browser = openBrowser();
    const result = await signIn(app, browser as never);
    expect(result).toMatchObject({ tenantId, authority: `${authority}/`, tokenType: 'Bearer' });
    expect(result.scopes).toEqual(expect.arrayContaining(scopes));
    expect(result.idTokenClaims).toMatchObject({ iss: `${authority}/v2.0`, tid: tenantId, nonce: 'n', name: 'Ada' });
    const { account } = result;
    expect(account).toMatchObject({ username: 'ada@example.test', tenantId, environment: server.host });
    expect(account?.homeAccountId).toBe(
      `${result.idTokenClaims && (result.idTokenClaims as { oid: string }).oid}.${tenantId}`,
    );
    const me = await fetch(`${issuer}/v1.0/me`, { headers: { authorization: `Bearer ${result.accessToken}` } });
    expect([me.status, ((await me.json()) as { id: string }).id]).toEqual([200, account?.localAccountId]);
    const silent = await app.acquireTokenSilent({ scopes, account: account as never, forceRefresh: true });
    expect([silent.fromCache, silent.accessToken === result.accessToken]).toEqual([false, false]);
    expect((await app.acquireTokenSilent({ scopes, account: account as never })).fromCache).toBe(true);
    const parameters = new URLSearchParams({ post_logout_redirect_uri: application, id_token_hint: result.idToken });
    const shown = await signOutAt(`${authority}/oauth2/v2.0/logout?${parameters}`, browser);
    expect(shown.address).toBe(application);
    const silentUrl = await app.getAuthCodeUrl({
      scopes,
      redirectUri: application,
      prompt: 'none',
      ...(await createChallenge()),
    });
    const answer = answerAt(await browser.load(silentUrl));
    expect([answer['error'], answer['error_description']]).toEqual([
      'login_required',
      expect.stringContaining('AADSTS50058'),
    ]);
  });
});

it('msal-node accepts the authority of a domain and of all tenants', async () => {
  const server = await secureTenant({ settings });
  for (const tenant of [tenantDomain, 'common', 'organizations']) {
    const app = await createApp({ ...server, values: { ...server.values, [tenantId]: tenant } });
    const result = await signIn(app, server.openBrowser() as never);
    expect([result.tenantId, result.account?.username]).toEqual([tenantId, 'ada@example.test']);
  }
});

it('msal-node signs in a user on a device', { timeout: 40_000 }, async () => {
  const clients = [{ id: 'test-public', kind: 'public', grants: ['device_code'] }];
  const server = await secureTenant({ settings, clients });
  const app = await createApp(server);
  const browser = server.openBrowser();
  let finished: Promise<unknown> = Promise.resolve();
  const result = await app.acquireTokenByDeviceCode({
    scopes,
    deviceCodeCallback: ({ verificationUri, userCode, message, interval }) => {
      expect([verificationUri, interval]).toEqual([`${server.issuer}/device`, 5]);
      expect(message).toContain(userCode);
      finished = (async () => {
        const page = await browser.load(verificationUri);
        const compared = await browser.press(page, 'Next', { Code: userCode });
        let shown = await browser.press(compared, 'Continue');
        shown = await browser.press(shown, 'Next', { Username: 'ada@example.test' });
        shown = await browser.press(shown, 'Sign in', { Password: 'correct horse' });
        expect((await browser.press(shown, 'Verify', { Code: '123456' })).page?.name).toBe('device-done');
      })();
    },
  });
  await finished;
  expect(result?.account).toMatchObject({ username: 'ada@example.test', tenantId });
});

/** Client of the guide without its way to authenticate. */
const nightly = { id: 'nightly', kind: 'service', appRoles: ['Policy.Read.All'] };

async function readPolicyStatus({ issuer }: SecureTenant, token: string | undefined): Promise<number> {
  const url = `${issuer}/v1.0/policies/authenticationMethodsPolicy`;
  return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;
}

it('msal-node gets a token of the application with a secret, and a wrong secret is rejected', async () => {
  const clients = [{ ...nightly, secret: 'test data, never a real secret' }];
  const server = await secureTenant({ settings, clients });
  const text = "clientSecret: 'test data";
  const { result } = await runGuide<{ readonly result: AuthenticationResult }>(guide, text, modules, server.values);
  expect(await readPolicyStatus(server, result.accessToken)).toBe(200);
  const wrong = runGuide(guide, text, modules, { ...server.values, 'never a real': 'another' });
  await expect(wrong).rejects.toMatchObject({
    errorCode: 'invalid_client',
    errorMessage: expect.stringContaining('AADSTS7000215'),
  });
});

it('CL41: msal-node gets a token of the application with a certificate', async () => {
  const folder = temporaryFolder();
  const { certificate, privateKey } = await makeClientCertificate();
  writeFileSync(join(folder, 'nightly.pem'), certificate);
  writeFileSync(join(folder, 'nightly-key.pem'), privateKey);
  const other = await makeClientCertificate();
  const clients = [{ ...nightly, authMethods: ['private_key_jwt'], certificates: [other.certificate, certificate] }];
  const server = await secureTenant({ settings, clients });
  const values = {
    ...server.values,
    'nightly.pem': join(folder, 'nightly.pem'),
    'nightly-key.pem': join(folder, 'nightly-key.pem'),
  };
  type Declared = { readonly service: ConfidentialClientApplication };
  const { service } = await runGuide<Declared>(guide, 'thumbprintSha256', modules, values);
  const request = { scopes: [`${server.issuer}/.default`] };
  const result = await service.acquireTokenByClientCredential(request);
  expect(await readPolicyStatus(server, result?.accessToken)).toBe(200);
  expect(result?.scopes).toEqual(['Policy.Read.All']);
  // The library sends the same assertion until it expires.
  const again = await service.acquireTokenByClientCredential({ ...request, skipCache: true });
  expect(await readPolicyStatus(server, again?.accessToken)).toBe(200);
});

it('CL33: msal-node with its cache gets the permissions by name, and the next token from the server', async () => {
  const clients = [{ ...nightly, secret: 'test data, never a real secret' }];
  const server = await secureTenant({ settings, clients });
  type Declared = { readonly service: ConfidentialClientApplication };
  const { service } = await runGuide<Declared>(guide, "clientSecret: 'test data", modules, server.values);
  const request = { scopes: [`${server.issuer}/.default`] };
  const results = [
    await service.acquireTokenByClientCredential(request),
    await service.acquireTokenByClientCredential(request),
  ];
  // The library looks for `.default` in its cache, and the response lists the permissions that it stands for (CL32).
  expect(results.map((result) => [result?.fromCache, result?.scopes])).toEqual([
    [false, ['Policy.Read.All']],
    [false, ['Policy.Read.All']],
  ]);
  for (const result of nonEmpty(results)) {
    expect(decodeJwt(result?.accessToken ?? '')).toMatchObject({ roles: ['Policy.Read.All'] });
    expect(await readPolicyStatus(server, result?.accessToken)).toBe(200);
  }
});

it('A75: msal-node finds the token for a scope in lower case in its cache', async () => {
  const server = await secureTenant({ settings });
  const app = await createApp(server);
  const { account } = await signIn(app, server.openBrowser() as never);
  const silent = await app.acquireTokenSilent({ scopes: ['user.read'], account: account as never });
  expect([silent.fromCache, silent.scopes]).toEqual([true, expect.arrayContaining(['User.Read'])]);
  const refreshed = await app.acquireTokenSilent({
    scopes: ['user.read'],
    account: account as never,
    forceRefresh: true,
  });
  expect(refreshed.scopes).toContain('User.Read');
});

describe('the setting listDefaultScope', () => {
  const withCache = { ...settings, identity: { listDefaultScope: true } };

  it('CL33: lets msal-node find the token of an application for .default in its cache', async () => {
    const clients = [{ ...nightly, secret: 'test data, never a real secret' }];
    const server = await secureTenant({ settings: withCache, clients });
    type Declared = { readonly service: ConfidentialClientApplication; readonly result: AuthenticationResult };
    const text = "clientSecret: 'test data";
    const { service, result: first } = await runGuide<Declared>(guide, text, modules, server.values);
    const second = await service.acquireTokenByClientCredential({ scopes: [`${server.issuer}/.default`] });
    expect([first.fromCache, second?.fromCache]).toEqual([false, true]);
    expect(second?.accessToken).toBe(first.accessToken);
    expect(first.scopes).toEqual(['Policy.Read.All', `${server.issuer}/.default`]);
    expect(decodeJwt(first.accessToken)).toMatchObject({ roles: ['Policy.Read.All'] });
  });

  it('CL32: lets msal-node find the token of a user for .default in its cache', async () => {
    const server = await secureTenant({ settings: withCache });
    const app = await createApp(server);
    const { account } = await signIn(app, server.openBrowser() as never);
    const request = { scopes: [`${server.issuer}/.default`], account: account as never };
    const first = await app.acquireTokenSilent(request);
    const second = await app.acquireTokenSilent(request);
    expect([first.fromCache, second.fromCache]).toEqual([false, true]);
    expect(second.accessToken).toBe(first.accessToken);
    expect(String(decodeJwt(first.accessToken)['scp']).split(' ')).not.toContain('.default');
  });
});
