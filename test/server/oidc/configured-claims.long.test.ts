import fc from 'fast-check';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { oidcServer } from './oidc-server.ts';
import { answerAt, appBrowser, application, RelyingParty } from './relying-party.ts';
import { getAuthorizeUrl, readJson, signInAt, tenantServer } from './tenant-server.ts';

const ada = {
  id: 'ada',
  displayName: 'Ada',
  groups: ['sales'],
  methods: ['sms'],
  roles: ['Global Reader'],
  directory: { jobTitle: 'Engineer', phones: { mobile: '+1 555 0100' } },
  claims: { costCenter: '4711', 'https://app.example/level': 3, address: { city: 'Bern' }, flags: [true, null] },
};
const tenant = { campaign: { state: 'disabled' }, groups: { sales: ['staff'], staff: ['everyone'] } };
const shop = { id: 'shop', kind: 'public', anyLoopbackRedirect: true, responseTypes: ['code', 'id_token'] };

function claimsAt(item: unknown) {
  return { idToken: [item], accessToken: [item], userinfo: [item] };
}

/** Signs in and returns the claims of the ID token, of the access token and of userinfo. */
async function readPlain(issuer: string, parameters: Readonly<Record<string, string>> = {}, id = 'shop') {
  const party = await RelyingParty.discover(issuer, { id });
  const tokens = await party.signIn(appBrowser(), { scope: 'openid profile', ...parameters });
  const userinfo = await client.fetchUserInfo(party.config, tokens.access_token, client.skipSubjectCheck);
  return { idToken: decodeJwt(tokens.id_token ?? ''), accessToken: decodeJwt(tokens.access_token), userinfo };
}

/** Does the same at the addresses of the tenant form. */
async function readTenant(at: string, serverUrl: string, parameters: Readonly<Record<string, string>> = {}) {
  const { body } = await signInAt(at, { client_id: 'test-public', ...parameters });
  const token = String(body['access_token']);
  const { body: userinfo } = await readJson(`${serverUrl}/oidc/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { idToken: decodeJwt(String(body['id_token'])), accessToken: decodeJwt(token), userinfo };
}

const items = [
  ['a claim of the user', 'costCenter', 'costCenter', '4711'],
  ['a claim whose name is a URL', 'https://app.example/level', 'https://app.example/level', 3],
  ['an object', 'address', 'address', { city: 'Bern' }],
  ['a list', 'flags', 'flags', [true, null]],
  ['a claim that the user does not have', 'missing', 'missing', undefined],
  ['a fixed value', { name: 'plan', value: 'gold' }, 'plan', 'gold'],
  ['a fixed null', { name: 'plan', value: null }, 'plan', null],
  ['a fixed object', { name: 'plan', value: { a: [1] } }, 'plan', { a: [1] }],
  ['a standard claim, replaced', { name: 'name', value: 'Nobody' }, 'name', 'Nobody'],
  ['id', { name: 'key', from: 'id' }, 'key', 'ada'],
  ['type', { name: 'kind', from: 'type' }, 'kind', 'member'],
  ['roles', { name: 'duties', from: 'roles' }, 'duties', ['Global Reader']],
  ['groups', { name: 'groups', from: 'groups' }, 'groups', ['sales', 'staff', 'everyone']],
  ['methods', { name: 'methods', from: 'methods' }, 'methods', ['sms']],
  ['userPrincipalName', { name: 'upn', from: 'userPrincipalName' }, 'upn', 'ada@example.test'],
  ['displayName', { name: 'title', from: 'displayName' }, 'title', 'Ada'],
  ['profile', { name: 'job', from: 'profile.directory.jobTitle' }, 'job', 'Engineer'],
  ['profile, nested', { name: 'tel', from: 'profile.directory.phones.mobile' }, 'tel', '+1 555 0100'],
  ['profile, an object', { name: 'tel', from: 'profile.directory.phones' }, 'tel', { mobile: '+1 555 0100' }],
  ['profile, absent', { name: 'mail', from: 'profile.directory.mail' }, 'mail', undefined],
  ['a claim by another name', { name: 'cc', from: 'profile.claims.costCenter' }, 'cc', '4711'],
  ['a claim whose name has dots', { name: 'level', from: 'profile.claims.https://app.example/level' }, 'level', 3],
] as const;

describe('configured claims', () => {
  it('CL70 each item has its value in ID tokens, access tokens and userinfo', async () => {
    for (const [what, item, name, value] of items) {
      const { issuer } = await oidcServer({ tenant, users: [ada], clients: [{ ...shop, claims: claimsAt(item) }] });
      const { idToken, accessToken, userinfo } = await readPlain(issuer);
      expect([what, idToken[name], accessToken[name], userinfo[name]]).toEqual([what, value, value, value]);
    }
  }, 60_000);

  it('CL70 the tenant form has the same claims', async () => {
    const fixed = [...new Map(items.map((row) => [row[2], row])).values()];
    const list = fixed.map(([, item]) => item);
    const settings = { directory: { wireIds: 'facts' } };
    const claims = { idToken: list, accessToken: list, userinfo: list };
    const { at, serverUrl } = await tenantServer({
      tenant: { ...tenant, id: '6f0b6c1a-53e1-4a2b-9c0d-1f2e3d4c5b6a' },
      settings,
      users: [ada],
      clients: [{ ...shop, id: 'test-public', claims }],
    });
    const { idToken, accessToken, userinfo } = await readTenant(at(), serverUrl);
    const expected = fixed.map(([, , name, value]) => [name, value, value, value]);
    const received = fixed.map(([, , name]) => [name, idToken[name], accessToken[name], userinfo[name]]);
    expect(received).toEqual(expected);
  });

  it('CL70 each list has effect in its own place, and without the key no claim of the user is in any', async () => {
    const clients = [
      shop,
      { ...shop, id: 'in-id-token', claims: { idToken: ['costCenter'] } },
      { ...shop, id: 'in-access-token', claims: { accessToken: ['costCenter'] } },
      { ...shop, id: 'in-userinfo', claims: { userinfo: ['costCenter'] } },
    ];
    const { issuer } = await oidcServer({ tenant, users: [ada], clients });
    const places = async (id: string) => {
      const { idToken, accessToken, userinfo } = await readPlain(issuer, {}, id);
      return [idToken, accessToken, userinfo].map((claims) => 'costCenter' in claims);
    };
    expect(await places('shop')).toEqual([false, false, false]);
    expect(await places('in-id-token')).toEqual([true, false, false]);
    expect(await places('in-access-token')).toEqual([false, true, false]);
    expect(await places('in-userinfo')).toEqual([false, false, true]);
  });

  it("CL70 an access token for a client's API has the claims of that client", async () => {
    const resource = { id: 'orders', uris: ['api://orders'], scopes: ['read'] };
    const clients = [
      { id: 'orders', secret: 's', redirectUris: [application], resource, claims: { accessToken: ['costCenter'] } },
      { ...shop, permissions: ['api://orders/read'], claims: { accessToken: [{ name: 'plan', value: 'gold' }] } },
    ];
    const { issuer } = await oidcServer({ tenant, users: [ada], clients });
    const party = await RelyingParty.discover(issuer, { id: 'shop' });
    const { access_token: token } = await party.signIn(appBrowser(), { scope: 'openid api://orders/read' });
    expect(decodeJwt(token)).toMatchObject({ costCenter: '4711' });
    expect(decodeJwt(token)).not.toHaveProperty('plan');
  });

  it('CL70 tokens without a user have the fixed values, also those of the control API for a client', async () => {
    const accessToken = ['costCenter', { name: 'plan', value: 'gold' }, { name: 'key', from: 'id' }];
    const clients = [{ id: 'batch', kind: 'service', secret: 's', claims: { accessToken } }];
    const { issuer, sandbox } = await oidcServer({ users: [ada], clients });
    const { config } = await RelyingParty.discover(issuer, { id: 'batch', secret: 's' });
    const { access_token: own } = await client.clientCredentialsGrant(config);
    const { access_token: issued } = await sandbox.tokens.issue({ app: 'batch' });
    const { access_token: other } = await sandbox.tokens.issue({ user: 'ada' });
    for (const token of [own, issued]) {
      expect(decodeJwt(token)).toMatchObject({ plan: 'gold', sub: 'batch' });
      expect(Object.keys(decodeJwt(token))).not.toEqual(expect.arrayContaining(['costCenter']));
      expect(decodeJwt(token)).not.toHaveProperty('key');
    }
    expect(decodeJwt(other)).not.toHaveProperty('plan');
  });

  it('CL70 discovery lists the configured claims', async () => {
    const claims = { idToken: ['costCenter', { name: 'groups', from: 'groups' }] };
    const { issuer } = await oidcServer({ clients: [{ ...shop, claims, userRoles: { ada: ['Buyer'] } }] });
    const { body } = await readJson(`${issuer}/.well-known/openid-configuration`);
    expect(body['claims_supported']).toEqual(expect.arrayContaining(['sub', 'name', 'costCenter', 'groups', 'roles']));
  });

  it.each([
    ['id_token', { id_token: { costCenter: null } }, [true, false]],
    ['id_token, essential', { id_token: { costCenter: { essential: true } } }, [true, false]],
    ['userinfo', { userinfo: { costCenter: null } }, [false, true]],
    ['both', { id_token: { costCenter: null }, userinfo: { costCenter: null } }, [true, true]],
    ['another claim', { id_token: { missing: null } }, [false, false]],
  ])('CL70 the parameter claims requests a claim of the user: %s', async (_case, claims, expected) => {
    const { issuer } = await oidcServer({ tenant, users: [ada], clients: [shop] });
    const { idToken, userinfo } = await readPlain(issuer, { claims: JSON.stringify(claims) });
    expect([idToken, userinfo].map((one) => one['costCenter'] === '4711')).toEqual(expected);
  });

  it('CL70 a request for a claim is null or an object: invalid_request', async () => {
    const { issuer } = await oidcServer({ users: [ada], clients: [shop] });
    const party = await RelyingParty.discover(issuer, { id: 'shop' });
    const request = await party.ask({ claims: JSON.stringify({ id_token: { costCenter: 'now' } }) });
    expect(answerAt(await appBrowser().load(request.url))).toMatchObject({ error: 'invalid_request' });
  });

  it('CL70 a client without consent of the administrator receives a requested claim after the consent of the user', async () => {
    const clients = [{ ...shop, consent: 'required', claims: { idToken: ['flags'] } }];
    const { issuer } = await oidcServer({ tenant, users: [ada], clients });
    const party = await RelyingParty.discover(issuer, { id: 'shop' });
    const request = await party.ask({ claims: JSON.stringify({ id_token: { costCenter: null } }) });
    const browser = appBrowser();
    const tokens = await party.redeem(await browser.press(await browser.signIn(request.url), 'Accept'), request);
    const idToken = decodeJwt(tokens.id_token ?? '');
    expect(idToken).toMatchObject({ costCenter: '4711', flags: [true, null] });
  });

  it('CL70 the parameter claims works in the tenant form, and for a configured claim of another place', async () => {
    const { at, serverUrl } = await tenantServer({
      users: [ada],
      clients: [{ ...shop, id: 'test-public', claims: { accessToken: [{ name: 'plan', value: 'gold' }] } }],
    });
    const claims = JSON.stringify({ id_token: { costCenter: null, plan: null } });
    const { idToken, userinfo } = await readTenant(at(), serverUrl, { claims });
    expect(idToken).toMatchObject({ costCenter: '4711', plan: 'gold' });
    expect(userinfo).not.toHaveProperty('costCenter');
  });
});

const manyGroups = (count: number) => Array.from({ length: count }, (_, index) => `g${index}`);

describe('groups and roles', () => {
  it.each([
    ['ids', {}, {}, ['sales', 'staff', 'everyone']],
    ['names, by default the ids', { as: 'name' }, {}, ['Sales team', 'staff', 'everyone']],
    ['only some', { only: ['STAFF', 'other'] }, {}, ['staff']],
    ['only some, by name', { only: ['sales'], as: 'name' }, {}, ['Sales team']],
    ['none of those', { only: ['other'] }, {}, []],
    ['names do not depend on wire ids', { as: 'name' }, { wireIds: 'guid' }, ['Sales team', 'staff', 'everyone']],
  ])('CL71 %s', async (_case, options, directory, expected) => {
    const settings = { directory: { groups: { sales: { displayName: 'Sales team' } }, ...directory } };
    const claims = claimsAt({ name: 'groups', from: 'groups', ...options });
    const { issuer } = await oidcServer({ tenant, settings, users: [ada], clients: [{ ...shop, claims }] });
    const { idToken, accessToken, userinfo } = await readPlain(issuer);
    expect([idToken['groups'], accessToken['groups'], userinfo['groups']]).toEqual([expected, expected, expected]);
  });

  it('CL71 the ids are those of the directory API: the claim equals the response of getMemberObjects', async () => {
    const names = ['sales', 'staff', 'everyone', 'night', 'day'];
    const anyTenant = fc.record({
      groups: fc.dictionary(fc.constantFrom(...names), fc.subarray(names)),
      own: fc.subarray(names),
      wireIds: fc.constantFrom('facts', 'guid'),
    });
    await fc.assert(
      fc.asyncProperty(anyTenant, async ({ groups, own, wireIds }) => {
        const { issuer, sandbox } = await oidcServer({
          tenant: { campaign: { state: 'disabled' }, groups },
          settings: { directory: { wireIds } },
          users: [{ id: 'ada', groups: own }],
          clients: [{ ...shop, claims: { idToken: [{ name: 'groups', from: 'groups' }] } }],
        });
        const { idToken } = await readPlain(issuer);
        const { access_token: token } = await sandbox.tokens.issue({
          app: 'reader',
          permissions: ['Directory.Read.All'],
        });
        const { body } = await readJson(`${issuer}/v1.0/users/ada/getMemberObjects`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ securityEnabledOnly: true }),
        });
        expect((idToken['groups'] as string[]).toSorted()).toEqual((body['value'] as string[]).toSorted());
      }),
      { numRuns: 10 },
    );
  }, 60_000);

  it.each([
    ['the default limit', 200, {}, true],
    ['above the default limit', 201, {}, false],
    ['a limit', 3, { groupsLimit: 3 }, true],
    ['above a limit', 4, { groupsLimit: 3 }, false],
    ['the limit zero', 1, { groupsLimit: 0 }, false],
  ])('CL71 overage: %s', async (_case, count, identity, isListed) => {
    const server = await oidcServer({
      settings: { identity, directory: { wireIds: 'guid' } },
      users: [{ id: 'ada', groups: manyGroups(count) }],
      clients: [{ ...shop, claims: claimsAt({ name: 'groups', from: 'groups' }) }],
    });
    const { idToken, accessToken, userinfo } = await readPlain(server.issuer);
    expect(userinfo['groups']).toHaveLength(count);
    for (const token of [idToken, accessToken]) {
      expect('groups' in token).toBe(isListed);
      expect(token['_claim_names']).toEqual(isListed ? undefined : { groups: 'src1' });
      expect('_claim_sources' in token).toBe(!isListed);
    }
  });

  it('CL71 the source of an overage lists the groups', async () => {
    const { issuer, sandbox } = await oidcServer({
      settings: { identity: { groupsLimit: 1 } },
      users: [{ id: 'ada', groups: manyGroups(3) }],
      clients: [{ ...shop, claims: { idToken: [{ name: 'groups', from: 'groups' }] } }],
    });
    const { idToken } = await readPlain(issuer);
    const { src1 } = idToken['_claim_sources'] as { readonly src1: { readonly endpoint: string } };
    expect(src1.endpoint).toBe(`${issuer}/v1.0/users/ada/getMemberObjects`);
    const { access_token: token } = await sandbox.tokens.issue({ app: 'reader', permissions: ['Directory.Read.All'] });
    const { body } = await readJson(src1.endpoint, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ securityEnabledOnly: true }),
    });
    expect(body['value']).toEqual(expect.arrayContaining(['g0', 'g1', 'g2']));
  });

  it.each([
    ['five, fragment', 5, 'fragment', true],
    ['six, fragment', 6, 'fragment', false],
    ['six, form', 6, 'form_post', true],
  ])('CL71 an ID token of the authorization endpoint: %s', async (_case, count, mode, isListed) => {
    const clients = [{ ...shop, id: 'test-public', claims: { idToken: [{ name: 'groups', from: 'groups' }] } }];
    const { at } = await tenantServer({ users: [{ id: 'ada', groups: manyGroups(count) }], clients });
    const parameters = { response_type: 'id_token', response_mode: mode, scope: 'openid', code_challenge: '' };
    const url = getAuthorizeUrl(at(), { ...parameters, code_challenge_method: '' });
    const page = await appBrowser().signIn(url);
    const token = answerAt(page)['id_token'] ?? /name="id_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const claims = decodeJwt(token);
    expect(['groups' in claims, claims['hasgroups'], '_claim_names' in claims]).toEqual([
      isListed,
      isListed ? undefined : true,
      false,
    ]);
  });

  it.each([
    ['of the user', { ada: ['Buyer'] }, ['Buyer']],
    ['of a group', { sales: ['Seller'] }, ['Seller']],
    ['of a nested group, in any case', { Everyone: ['Reader'] }, ['Reader']],
    ['of both, each once', { ada: ['Buyer', 'Seller'], sales: ['Seller', 'Reader'] }, ['Buyer', 'Seller', 'Reader']],
    ['of others', { ben: ['Buyer'], night: ['Guard'] }, undefined],
  ])('CL72 roles %s are in the ID token alone', async (_case, userRoles, expected) => {
    const { issuer } = await oidcServer({ tenant, users: [ada], clients: [{ ...shop, userRoles }] });
    const { idToken, accessToken, userinfo } = await readPlain(issuer);
    expect([idToken['roles'], accessToken['roles'], userinfo['roles']]).toEqual([expected, undefined, undefined]);
  });

  it('CL72 the tenant form has the same roles', async () => {
    const clients = [{ ...shop, id: 'test-public', userRoles: { ada: ['Buyer'] } }];
    const { at, serverUrl } = await tenantServer({ users: [ada], clients });
    const { idToken, accessToken } = await readTenant(at(), serverUrl);
    expect([idToken['roles'], accessToken['roles']]).toEqual([['Buyer'], undefined]);
  });
});

describe('large tokens', () => {
  it.each([
    ['a usual token', 100, undefined],
    ['a token above 8 KiB', 9_000, expect.stringMatching(/^access_token has \d{5} bytes; .*shorten the claims/)],
  ])('CL73 %s is issued, and the log has a finding if it is large', async (_case, length, finding) => {
    const claims = { accessToken: [{ name: 'text', value: 'x'.repeat(length) }] };
    const { issuer, serverUrl } = await oidcServer({ users: [ada], clients: [{ ...shop, claims }] });
    const { accessToken } = await readPlain(issuer);
    expect(accessToken['text']).toHaveLength(length);
    const { body } = await readJson(`${serverUrl}/_control/v1/sandboxes/default/requests`);
    const requests = body['requests'] as readonly { readonly path: string; readonly finding?: string }[];
    expect(requests.find(({ path }) => path.endsWith('/oauth2/token'))?.finding).toEqual(finding);
  });
});
