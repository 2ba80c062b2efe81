import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { runGuide } from './guide-code.ts';
import { oidcServer } from './oidc-server.ts';
import { appBrowser, application, RelyingParty } from './relying-party.ts';
import { tenantDomain, tenantId, tenantServer } from './tenant-server.ts';

const clients = [
  { id: 'nightly', kind: 'service', secret: 'test data too', appRoles: ['Policy.Read.All'], dpop: 'required' },
  { id: 'bound', kind: 'public', redirectUris: [application], dpop: 'required' },
];

/** Returns a clock that shows the time of the machine, by which the libraries date their proofs. */
const currentClock = () => ({ nowMs: Date.now(), running: true });

interface Declared {
  readonly tokens: { readonly token_type: string };
  readonly policy: Response;
}

describe.each([[false], [true]])('CL42: the guide, dpopNonce %s', (dpopNonce) => {
  it.each([
    ['openid-client', 'getDPoPHandle'],
    ['oauth4webapi', 'repeatWithNonce'],
  ])('%s gets a bound token and reads the policy', async (_library, text) => {
    const { issuer } = await oidcServer({ clients, clock: currentClock(), settings: { identity: { dpopNonce } } });
    const modules = { 'openid-client': client, oauth4webapi: oauth };
    const values = { 'http://localhost:4700': issuer };
    const { tokens, policy } = await runGuide<Declared>('docs/how-to/service-clients.md', text, modules, values);
    expect([tokens.token_type, policy.status]).toEqual(['dpop', 200]);
  });

  it('CL12: openid-client uses DPoP at the addresses of a tenant', async () => {
    const server = await tenantServer({ clients, clock: currentClock(), settings: { identity: { dpopNonce } } });
    const authority = `${server.at()}/v2.0`;
    const party = await RelyingParty.discover(authority, {
      id: 'bound',
      nowMs: Date.now(),
      metadata: { id_token_signed_response_alg: 'RS256' },
    });
    const { config } = party;
    const options = { DPoP: client.getDPoPHandle(config, await client.randomDPoPKeyPair()) };
    const { url, checks } = await party.ask({ scope: 'openid offline_access Policy.Read.All' });
    const { address } = await appBrowser().signIn(url);
    const tokens = await client.authorizationCodeGrant(config, new URL(address), checks, undefined, options);
    expect(tokens.token_type).toBe('dpop');
    const info = await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck, options);
    expect(info.sub).toBe(tokens.claims()?.sub);
    const policyUrl = new URL(`${server.serverUrl}/v1.0/policies/authenticationMethodsPolicy`);
    const [token, none] = [tokens.access_token, undefined];
    const policy = await client.fetchProtectedResource(config, token, policyUrl, 'GET', none, none, options);
    expect(policy.status).toBe(200);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, options);
    expect(refreshed.token_type).toBe('dpop');
  });

  it.each([tenantId, tenantDomain, 'common'])(
    'CL12: oauth4webapi uses DPoP at the token address of the tenant %s',
    async (tenant) => {
      const { serverUrl, at } = await tenantServer({
        clients,
        clock: currentClock(),
        settings: { identity: { dpopNonce } },
      });
      const server = { issuer: `${at()}/v2.0`, token_endpoint: `${at(tenant)}/oauth2/v2.0/token` };
      const app: oauth.Client = { client_id: 'nightly' };
      const secret = oauth.ClientSecretPost('test data too');
      const http = { [oauth.allowInsecureRequests]: true };
      const DPoP = oauth.DPoP(app, await oauth.generateKeyPair('ES256'));
      const scope = `${serverUrl}/.default`;
      const send = async (target: oauth.AuthorizationServer) =>
        oauth.processClientCredentialsResponse(
          server,
          app,
          await oauth.clientCredentialsGrantRequest(target, app, secret, { scope }, { ...http, DPoP }),
        );
      if (dpopNonce) await expect(send(server)).rejects.toSatisfy(oauth.isDPoPNonceError);
      expect((await send(server)).token_type).toBe('dpop');
    },
  );
});
