import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { NudgeLabError } from '../../../src/core/errors.ts';
import { planSandbox } from '../../../src/sandbox/sandbox.ts';
import { oidcServer } from './oidc-server.ts';
import { answerAt, appBrowser, RelyingParty } from './relying-party.ts';

const orders = {
  id: 'orders-api',
  kind: 'web',
  secret: 'orders-secret',
  redirectUris: ['http://localhost:9/orders'],
  resource: {
    id: 'orders',
    uris: ['api://orders', 'https://Orders.example/'],
    scopes: ['read', 'write'],
    appRoles: ['Orders.All', 'Orders.Audit'],
  },
};
const stock = {
  id: 'stock-api',
  kind: 'web',
  secret: 'stock-secret',
  redirectUris: ['http://localhost:9/stock'],
  resource: { id: 'stock', uris: ['api://stock'], scopes: ['count'], appRoles: ['Stock.All'] },
};
const shop = {
  id: 'shop',
  kind: 'public',
  anyLoopbackRedirect: true,
  permissions: ['Policy.Read.All', 'read:document', 'api://orders/read', 'api://orders/write', 'api://stock/count'],
};
const batch = {
  id: 'batch',
  kind: 'service',
  secret: 's',
  appRoles: ['Policy.Read.All', 'read:document', 'api://orders/Orders.All', 'api://orders/Orders.Audit'],
};
const clients = [orders, stock, shop, batch];

/** Signs in and returns the scope of the response, and the audience and scopes of its access token. */
async function grant(issuer: string, scope: string, id = 'shop') {
  const party = await RelyingParty.discover(issuer, { id });
  const tokens = await party.signIn(appBrowser(), { scope });
  const { aud, scp } = decodeJwt(tokens.access_token);
  return { scope: tokens.scope, aud, scp };
}

/** Sends an authorization request with a scope and returns the parameters of the error. */
async function refuse(issuer: string, scope: string) {
  const party = await RelyingParty.discover(issuer, { id: 'shop' });
  return answerAt(await appBrowser().load((await party.ask({ scope })).url));
}

describe('scopes of a request for a user', () => {
  it.each([
    ['a bare name', 'openid Policy.Read.All', 'openid Policy.Read.All', '{base}', 'openid Policy.Read.All'],
    ['its URI', 'openid {base}/Policy.Read.All', 'openid Policy.Read.All', '{base}', 'openid Policy.Read.All'],
    ['two slashes', 'openid {base}//Policy.Read.All', 'openid Policy.Read.All', '{base}', 'openid Policy.Read.All'],
    ['.default', 'openid {base}/.default', 'openid Policy.Read.All read:document', '{base}', null],
    ['.default alone', 'openid .default', 'openid Policy.Read.All read:document', '{base}', null],
    ['OpenID scopes alone', 'openid profile', 'openid profile', '{base}', 'openid profile'],
    ['an API', 'openid api://orders/read', 'openid api://orders/read', 'orders', 'openid read'],
    ['an API, upper case', 'openid API://Orders/read', 'openid api://orders/read', 'orders', 'openid read'],
    ['another URI of it', 'openid https://orders.example//read', 'openid https://Orders.example/read', 'orders', null],
    ['an API, .default', 'openid api://orders/.default', 'openid api://orders/read api://orders/write', 'orders', null],
    ['the order of the request', 'api://orders/write openid api://orders/read', null, 'orders', 'write openid read'],
    [
      'two resources: the first',
      'openid api://stock/count api://orders/read',
      'openid api://stock/count',
      'stock',
      null,
    ],
    [
      'two resources, the built-in first',
      'openid Policy.Read.All api://orders/read',
      'openid Policy.Read.All',
      '{base}',
      null,
    ],
  ])('CL30–CL32 %s: scope of the response, aud and scp of the token', async (_case, sent, scope, aud, scp) => {
    const { issuer } = await oidcServer({ clients });
    const write = (text: string) => text.replaceAll('{base}', issuer);
    const granted = await grant(issuer, write(sent));
    const response = scope ?? write(sent);
    expect(granted).toEqual({
      scope: response,
      aud: write(aud),
      scp: scp ?? response.replaceAll(/(?:api|https):\/\/\w+(?:\.example)?\//gi, ''),
    });
  });

  it.each([
    ['a scope that the API does not have', 'openid api://orders/delete'],
    ['a scope that the built-in resource does not have', 'openid {base}/Nothing.Read'],
    ['a resource that does not exist', 'openid api://unknown/read'],
    ['.default of a resource that does not exist', 'openid api://unknown/.default'],
    ['a path below a resource', 'openid api://orders/more/read'],
    ['a scope that the client was not given', 'openid Policy.ReadWrite.AuthenticationMethod'],
  ])('CL30 %s: invalid_scope, and no code', async (_case, sent) => {
    const { issuer } = await oidcServer({ clients });
    const answer = await refuse(issuer, sent.replaceAll('{base}', issuer));
    expect(answer).toMatchObject({ error: 'invalid_scope' });
    expect(answer).not.toHaveProperty('code');
  });

  it('CL30 a client requests the scopes of its own API without further configuration', async () => {
    const { issuer } = await oidcServer({ clients: [{ ...orders, secret: undefined, kind: 'public' }] });
    const party = await RelyingParty.discover(issuer, { id: 'orders-api', redirectUri: 'http://localhost:9/orders' });
    const { access_token: token } = await party.signIn(appBrowser(), { scope: 'openid api://orders/.default' });
    expect(decodeJwt(token)).toMatchObject({ aud: 'orders', scp: 'openid read write' });
  });

  it('CL31 a token request for two resources: invalid_scope, and the refresh token can still be used', async () => {
    const { issuer } = await oidcServer({ clients });
    const party = await RelyingParty.discover(issuer, { id: 'shop' });
    const { refresh_token: token = '' } = await party.signIn(appBrowser(), { scope: 'openid api://orders/read' });
    const both = { scope: 'api://orders/read api://stock/count' };
    await expect(client.refreshTokenGrant(party.config, token, both)).rejects.toMatchObject({ error: 'invalid_scope' });
    expect(await client.refreshTokenGrant(party.config, token)).toMatchObject({ scope: 'openid api://orders/read' });
  });

  it("CL31 the APIs of the sandbox reject a token of an application's API; introspection names its audience", async () => {
    const { issuer } = await oidcServer({ clients });
    const party = await RelyingParty.discover(issuer, { id: 'shop' });
    const { access_token: token } = await party.signIn(appBrowser(), { scope: 'openid api://orders/read' });
    for (const path of ['v1.0/policies/authenticationMethodsPolicy', 'v1.0/users', 'oauth2/userinfo']) {
      const { status } = await fetch(`${issuer}/${path}`, { headers: { authorization: `Bearer ${token}` } });
      expect([path, status]).toEqual([path, 401]);
    }
    const { config } = await RelyingParty.discover(issuer, { id: 'orders-api', secret: 'orders-secret' });
    expect(await client.tokenIntrospection(config, token)).toMatchObject({
      active: true,
      aud: 'orders',
      scp: 'openid read',
    });
  });

  it('CL30 PAR reads scopes like the authorization endpoint', async () => {
    const { issuer } = await oidcServer({ clients });
    const { config } = await RelyingParty.discover(issuer, { id: 'orders-api', secret: 'orders-secret' });
    const request = {
      redirect_uri: 'http://localhost:9/orders',
      response_type: 'code',
      scope: 'openid api://orders/no',
    };
    await expect(client.buildAuthorizationUrlWithPAR(config, request)).rejects.toMatchObject({
      error: 'invalid_scope',
    });
    const url = await client.buildAuthorizationUrlWithPAR(config, {
      ...request,
      scope: 'openid api://orders/.default',
    });
    const answer = answerAt(await appBrowser().signIn(url));
    expect(answer).toHaveProperty('code');
  });
});

describe('client credentials', () => {
  it.each([
    ['no scope', undefined, 'Policy.Read.All read:document', '{base}', ['Policy.Read.All', 'read:document']],
    ['the built-in resource', '{base}/.default', 'Policy.Read.All read:document', '{base}', null],
    ['a bare name', 'read:document', 'read:document', '{base}', ['read:document']],
    ['a name with its URI', '{base}/read:document', 'read:document', '{base}', ['read:document']],
    [
      'an API',
      'api://orders/.default',
      'api://orders/Orders.All api://orders/Orders.Audit',
      'orders',
      ['Orders.All', 'Orders.Audit'],
    ],
    ['a role of an API', 'api://orders/Orders.Audit', 'api://orders/Orders.Audit', 'orders', ['Orders.Audit']],
  ])('CL33 %s: scope, aud and roles agree', async (_case, sent, scope, aud, roles) => {
    const { issuer } = await oidcServer({ clients });
    const { config } = await RelyingParty.discover(issuer, { id: 'batch', secret: 's' });
    const write = (text: string) => text.replaceAll('{base}', issuer);
    const tokens = await client.clientCredentialsGrant(config, sent === undefined ? {} : { scope: write(sent) });
    const claims = decodeJwt(tokens.access_token);
    expect({ scope: tokens.scope, aud: claims.aud, roles: claims['roles'] }).toEqual({
      scope,
      aud: write(aud),
      roles: roles ?? scope.split(' '),
    });
    expect(Object.keys(tokens).toSorted()).toEqual(['access_token', 'expires_in', 'scope', 'token_type']);
  });

  it.each([
    'api://orders/Orders.None',
    'api://unknown/.default',
    'api://orders/.default {base}/.default',
    'api://orders/read',
    'Orders.All',
  ])('CL33 %s: invalid_scope', async (sent) => {
    const { issuer } = await oidcServer({ clients });
    const { config } = await RelyingParty.discover(issuer, { id: 'batch', secret: 's' });
    const scope = sent.replaceAll('{base}', issuer);
    await expect(client.clientCredentialsGrant(config, { scope })).rejects.toMatchObject({
      error: 'invalid_scope',
      status: 400,
    });
  });

  it('CL33 a client without permissions gets an empty scope', async () => {
    const { issuer } = await oidcServer({ clients: [{ id: 'idle', kind: 'service', secret: 's' }] });
    const { config } = await RelyingParty.discover(issuer, { id: 'idle', secret: 's' });
    const { scope, access_token: token } = await client.clientCredentialsGrant(config);
    expect({ scope, roles: decodeJwt(token)['roles'] }).toEqual({ scope: '', roles: [] });
  });

  it('CL31 a resource server accepts the token of a service for it, and the APIs of the sandbox do not', async () => {
    const { issuer } = await oidcServer({ clients });
    const { config } = await RelyingParty.discover(issuer, { id: 'batch', secret: 's' });
    const { access_token: token } = await client.clientCredentialsGrant(config, { scope: 'api://orders/.default' });
    const { status } = await fetch(`${issuer}/v1.0/users`, { headers: { authorization: `Bearer ${token}` } });
    expect(status).toBe(401);
  });
});

describe('refresh', () => {
  const consenting = { ...shop, id: 'consenting', consent: 'required' };
  const rules = ['granted', 'consented', 'any-resource'] as const;

  async function refreshes(rule: (typeof rules)[number] | undefined, scope: string, id = 'shop') {
    const list = clients.map((one) => (one.id === id && rule !== undefined ? { ...one, refreshScopes: rule } : one));
    const { issuer } = await oidcServer({ clients: list });
    const party = await RelyingParty.discover(issuer, { id });
    const { refresh_token: token = '' } = await party.signIn(appBrowser(), {
      scope: 'openid profile api://orders/read',
    });
    const { config } = party;
    return { config, first: token, answer: client.refreshTokenGrant(config, token, { scope }) };
  }

  it.each([
    ['fewer scopes', 'granted', 'api://orders/read', true],
    ['more of the same resource', 'granted', 'api://orders/read api://orders/write', false],
    ['more of the same resource', 'consented', 'api://orders/read api://orders/write', true],
    ['more of the same resource', 'any-resource', 'api://orders/write', true],
    ['another resource', 'granted', 'api://stock/count', false],
    ['another resource', 'consented', 'openid api://stock/count', false],
    ['another resource', 'any-resource', 'openid api://stock/count', true],
    ['the built-in resource', 'any-resource', 'openid Policy.Read.All', true],
    ['a permission that the client was not given', 'any-resource', 'Policy.ReadWrite.AuthenticationMethod', false],
  ] as const)('CL34 %s with %s: %s', async (_case, rule, scope, isGranted) => {
    const { answer } = await refreshes(rule, scope);
    if (!isGranted) await expect(answer).rejects.toMatchObject({ error: 'invalid_scope', status: 400 });
    else expect((await answer).scope).toBe(scope);
  });

  it('CL34 the default is granted, and a setting of the sandbox applies to all clients', async () => {
    const { answer } = await refreshes(undefined, 'api://orders/write');
    await expect(answer).rejects.toMatchObject({ error: 'invalid_scope' });
    const settings = { identity: { refreshScopes: 'any-resource' } };
    const { issuer } = await oidcServer({ clients, settings });
    const party = await RelyingParty.discover(issuer, { id: 'shop' });
    const { refresh_token: token = '' } = await party.signIn(appBrowser(), { scope: 'openid api://orders/read' });
    expect((await client.refreshTokenGrant(party.config, token, { scope: 'api://stock/count' })).scope).toBe(
      'api://stock/count',
    );
  });

  it('CL34 a wider refresh does not change the scopes of the refresh token', async () => {
    const { config, answer } = await refreshes('any-resource', 'api://stock/count');
    const { refresh_token: next = '' } = await answer;
    expect((await client.refreshTokenGrant(config, next)).scope).toBe('openid profile api://orders/read');
  });

  it('CL34 a rotated refresh token ends its family', async () => {
    const { config, first, answer } = await refreshes('granted', 'openid');
    const { refresh_token: next = '' } = await answer;
    for (const token of [first, next]) {
      await expect(client.refreshTokenGrant(config, token)).rejects.toMatchObject({ error: 'invalid_grant' });
    }
  });

  it('CL34 with consent by users, only what the user consented to is added', async () => {
    const { issuer } = await oidcServer({ clients: [...clients, { ...consenting, refreshScopes: 'any-resource' }] });
    const party = await RelyingParty.discover(issuer, { id: 'consenting' });
    const browser = appBrowser();
    const request = await party.ask({ scope: 'openid api://orders/read api://stock/count' });
    const consent = await browser.signIn(request.url);
    const { refresh_token: token = '' } = await party.redeem(await browser.press(consent, 'Accept'), request);
    const stockToken = await client.refreshTokenGrant(party.config, token, { scope: 'api://stock/count' });
    expect(stockToken.scope).toBe('api://stock/count');
    const more = client.refreshTokenGrant(party.config, stockToken.refresh_token ?? '', {
      scope: 'api://orders/write',
    });
    await expect(more).rejects.toMatchObject({ error: 'invalid_scope' });
  });
});

describe('configuration of resources', () => {
  const listProblems = (list: readonly unknown[]): readonly string[] => {
    try {
      planSandbox({ clients: list });
      return [];
    } catch (error) {
      return error instanceof NudgeLabError ? error.problems.map(({ location }) => location) : [String(error)];
    }
  };

  it.each([
    ['a permission of no resource', [{ ...shop, permissions: ['api://none/read'] }], ['clients.0.permissions.0']],
    ['a scope that it lacks', [orders, { ...shop, permissions: ['api://orders/no'] }], ['clients.1.permissions.0']],
    ['a role that it lacks', [orders, { ...batch, appRoles: ['api://orders/read'] }], ['clients.1.appRoles.0']],
    ['an unknown name', [{ ...shop, permissions: ['Policy.Read.Al'] }], ['clients.0.permissions.0']],
    [
      'the id of another',
      [orders, { ...stock, resource: { ...stock.resource, id: 'Orders' } }],
      ['clients.1.resource.id'],
    ],
    [
      'a URI of another',
      [orders, { ...stock, resource: { ...stock.resource, uris: ['api://orders/'] } }],
      ['clients.1.resource.uris.0'],
    ],
    ['no URI', [{ ...stock, resource: { ...stock.resource, uris: [] } }], ['clients.0.resource.uris']],
    [
      'a URI with a space',
      [{ ...stock, resource: { ...stock.resource, uris: ['a b'] } }],
      ['clients.0.resource.uris.0'],
    ],
    [
      'a scope with a slash',
      [{ ...stock, resource: { ...stock.resource, scopes: ['a/b'] } }],
      ['clients.0.resource.scopes.0'],
    ],
    [
      '.default as a scope',
      [{ ...stock, resource: { ...stock.resource, scopes: ['.default'] } }],
      ['clients.0.resource.scopes.0'],
    ],
    ['an unknown rule', [{ ...shop, permissions: [], refreshScopes: 'all' }], ['clients.0.refreshScopes']],
  ])('CL30 %s is rejected at its place', (_case, list, locations) => {
    expect(listProblems(list)).toEqual(locations);
  });
});
