import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { nonEmpty } from '../../non-empty.ts';
import { answerAt, appBrowser, application, RelyingParty } from './relying-party.ts';
import { getAuthorizeUrl, postForm, readJson, signInAt, tenantServer } from './tenant-server.ts';

const clients = [
  { id: 'test-public', kind: 'public', anyLoopbackRedirect: true },
  { id: 'modest', kind: 'public', anyLoopbackRedirect: true, permissions: ['Policy.Read.All'] },
  { id: 'television', kind: 'public', grants: ['device_code'] },
];
const settings = { dialect: 'entra' };
const invalid = { error: 'invalid_scope', error_codes: [70_011] };

describe('CL18: a bare scope that the built-in resource does not have', () => {
  it.each(['openid Policy.Write.Nothing', 'address openid', 'openid policy.read'])(
    'the tenant form rejects %j at authorize, in a pushed request and on a device',
    async (scope) => {
      const { at } = await tenantServer({ clients, settings });
      const shown = await appBrowser().load(getAuthorizeUrl(at(), { scope }));
      const answer = answerAt(shown);
      expect(answer).toMatchObject({ error: 'invalid_scope', state: 'mine' });
      expect(answer['error_description']).toContain('AADSTS70011: ');
      const pushed = { client_id: 'test-public', redirect_uri: application, response_type: 'code', scope };
      const challenge = {
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      };
      const par = await postForm(`${at()}/oauth2/v2.0/par`, { ...pushed, ...challenge });
      expect([par.status, par.body]).toEqual([400, expect.objectContaining(invalid)]);
      const device = await postForm(`${at()}/oauth2/v2.0/devicecode`, { client_id: 'television', scope });
      expect([device.status, device.body]).toEqual([400, expect.objectContaining(invalid)]);
    },
  );

  it('the tenant form rejects it in a refresh, and the refresh token is not used up', async () => {
    const { at } = await tenantServer({ clients, settings });
    const { body } = await signInAt(at(), { scope: 'openid offline_access Policy.Read.All' });
    const form = {
      client_id: 'test-public',
      grant_type: 'refresh_token',
      refresh_token: String(body['refresh_token']),
    };
    const url = `${at()}/oauth2/v2.0/token`;
    const refused = await postForm(url, { ...form, scope: 'Policy.Write.Nothing' });
    expect([refused.status, refused.body]).toEqual([400, expect.objectContaining(invalid)]);
    expect((await postForm(url, { ...form, scope: 'Policy.Read.All' })).status).toBe(200);
  });

  it.each([
    ['openid user.read POLICY.READ.ALL', 'openid User.Read Policy.Read.All'],
    ['OPENID https://GRAPH.microsoft.com/user.read', 'openid User.Read'],
  ])('A75: the tenant form accepts %j, and its response has the spelling of the resource', async (scope, granted) => {
    const { at } = await tenantServer({ clients, settings });
    const { status, body } = await signInAt(at(), { scope: `${scope} offline_access` });
    expect([status, body['scope']]).toEqual([200, `${granted} offline_access`]);
    const scp = String(decodeJwt(String(body['access_token']))['scp']).split(' ');
    expect(scp).toEqual(expect.arrayContaining(granted.split(' ')));
    const refreshed = await postForm(`${at()}/oauth2/v2.0/token`, {
      client_id: 'test-public',
      grant_type: 'refresh_token',
      refresh_token: String(body['refresh_token']),
      scope: 'user.read',
    });
    expect([refreshed.status, refreshed.body['scope']]).toEqual([200, 'User.Read']);
  });

  it('A75: the scopes of an API of its own match in any case in the tenant form, and exactly in the plain form', async () => {
    const resource = { id: 'orders', uris: ['api://orders'], scopes: ['Orders.Read'], appRoles: [] };
    const owner = { id: 'orders', kind: 'service', secret: 'test data', resource };
    const caller = { ...clients[0], permissions: ['api://orders/Orders.Read'] };
    const { at, issuer } = await tenantServer({ clients: [owner, caller], settings });
    const scope = 'openid api://orders/orders.read';
    const { body } = await signInAt(at(), { scope });
    expect(body['scope']).toBe('openid api://orders/Orders.Read');
    const party = await RelyingParty.discover(issuer, { id: 'test-public' });
    const { url } = await party.ask({ scope });
    expect(answerAt(await appBrowser().load(url))).toMatchObject({ error: 'invalid_scope' });
  });

  it('A75: the plain form ignores it, as OpenID Connect does', async () => {
    const { issuer } = await tenantServer({ clients, settings });
    const party = await RelyingParty.discover(issuer, { id: 'test-public' });
    const tokens = await party.signIn(appBrowser(), { scope: 'openid address phone user.read Policy.Read.All' });
    expect(tokens.scope).toBe('openid Policy.Read.All');
  });
});

describe('A77: scopes of discovery', () => {
  it.each(nonEmpty(clients.filter(({ anyLoopbackRedirect }) => anyLoopbackRedirect === true)))(
    'client $id can request all scopes that discovery lists, in both forms',
    async ({ id }) => {
      const { issuer, at } = await tenantServer({ clients, settings });
      for (const authority of [issuer, at()]) {
        const { body } = await readJson(`${authority}/.well-known/openid-configuration`);
        expect(body['scopes_supported']).toEqual(['openid', 'profile', 'email', 'offline_access']);
      }
      const party = await RelyingParty.discover(issuer, { id });
      const scope = (party.config.serverMetadata().scopes_supported ?? []).join(' ');
      const tokens = await party.signIn(appBrowser(), { scope });
      expect(tokens.scope).toBe(scope);
      expect(tokens.refresh_token).toEqual(expect.any(String));
    },
  );
});
