import { readFileSync } from 'node:fs';
import type { INetworkModule, NetworkRequestOptions } from '@azure/msal-node';
import { CookieJar } from 'tough-cookie';
import { Agent, fetch as fetchBy } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { localCertificate } from '../../../../src/server/https-certificate.ts';
import { installOnDemand } from '../../../../tooling/packages-on-demand.ts';
import { temporaryFolder } from '../../../journal/temporary-folder.ts';
import { nonEmpty } from '../../../non-empty.ts';
import { ApplicationBrowser } from '../application-browser.ts';
import { oidcServer } from '../oidc-server.ts';
import { application } from '../relying-party.ts';

installOnDemand('test/server/oidc/foreign-clients');
const { ConfidentialClientApplication, CryptoProvider, ProtocolMode, PublicClientApplication } = await import(
  '@azure/msal-node'
);

/**
 * Returns a network module for the client that uses an HTTP client which trusts only the test certificate authority.
 */
function networkBy(dispatcher: Agent): INetworkModule {
  const send = async <T>(method: string, url: string, { headers, body }: NetworkRequestOptions = {}) => {
    const answer = await fetchBy(url, { method, dispatcher, ...(headers && { headers }), ...(body && { body }) });
    return { headers: Object.fromEntries(answer.headers), body: (await answer.json()) as T, status: answer.status };
  };
  return {
    sendGetRequestAsync: (url, options) => send('GET', url, options),
    sendPostRequestAsync: (url, options) => send('POST', url, options),
  };
}

async function secureServer(id: string) {
  const certificate = await localCertificate(temporaryFolder());
  const { issuer } = await oidcServer({ id, tls: certificate, clock: { nowMs: Date.now(), running: true } });
  const agent = new Agent({ connect: { ca: readFileSync(certificate.authorityPath, 'utf8') } });
  onTestFinished(() => agent.close());
  const configuration = (clientId: string, clientSecret?: string) => ({
    auth: {
      clientId,
      authority: issuer,
      knownAuthorities: [new URL(issuer).host],
      ...(clientSecret === undefined ? {} : { clientSecret }),
    },
    system: { protocolMode: ProtocolMode.OIDC, networkClient: networkBy(agent) },
  });
  return { issuer, agent, configuration };
}

it.each(['default', 'demo'])(
  'msal-node signs in a user of sandbox %s over HTTPS, and gets the next token silently',
  async (id) => {
    const { issuer, agent, configuration } = await secureServer(id);
    expect(issuer).toMatch(/^https:\/\/localhost:\d+/);
    const app = new PublicClientApplication(configuration('test-public'));
    const { verifier, challenge } = await new CryptoProvider().generatePkceCodes();
    const scopes = ['Policy.Read.All'];
    const request = { scopes, redirectUri: application };
    const url = await app.getAuthCodeUrl({
      ...request,
      codeChallenge: challenge,
      codeChallengeMethod: 'S256',
      nonce: 'n',
    });
    const browser = new ApplicationBrowser({
      application: new URL(application).origin,
      jar: new CookieJar(),
      dispatcher: agent,
    });
    const code = new URL((await browser.signIn(url)).address).searchParams.get('code') ?? '';
    for (const cookie of nonEmpty(browser.jar.getCookiesSync(`${issuer}/oauth2/authorize`)))
      expect(cookie.secure).toBe(true);
    const result = await app.acquireTokenByCode({ ...request, code, codeVerifier: verifier }, { code, nonce: 'n' });
    expect(result.idTokenClaims).toMatchObject({
      iss: issuer,
      sub: 'ada',
      nonce: 'n',
      preferred_username: 'ada@example.test',
    });
    expect(result.account?.username).toBe('ada@example.test');
    const silent = await app.acquireTokenSilent({ scopes, account: result.account as never, forceRefresh: true });
    expect(silent?.accessToken).not.toBe(result.accessToken);
  },
);

it('msal-node gets an app-only token that the policy API accepts', async () => {
  const { issuer, agent, configuration } = await secureServer('default');
  const app = new ConfidentialClientApplication(configuration('test-service', 'test-secret'));
  const result = await app.acquireTokenByClientCredential({ scopes: [`${issuer}/.default`] });
  const headers = { authorization: `Bearer ${result?.accessToken}` };
  const policy = await fetchBy(`${issuer}/v1.0/policies/authenticationMethodsPolicy`, { headers, dispatcher: agent });
  expect(policy.status).toBe(200);
});
