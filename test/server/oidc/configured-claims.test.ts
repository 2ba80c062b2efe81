import fc from 'fast-check';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { describe, expect, it } from 'vitest';
import { protocolClaims } from '../../../src/contract/user-claims.schema.ts';
import { NudgeLabError } from '../../../src/core/errors.ts';
import { planSandbox, type SandboxInput } from '../../../src/sandbox/sandbox.ts';
import { oidcServer } from './oidc-server.ts';
import { answerAt, appBrowser, application, RelyingParty } from './relying-party.ts';
import { getAuthorizeUrl, postForm, readJson, redeemCode, signInAt, tenantServer } from './tenant-server.ts';

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

/** Returns the problems of the input for a sandbox. */
function findProblems(input: SandboxInput): readonly { readonly location: string; readonly message: string }[] {
  try {
    planSandbox(input);
  } catch (error) {
    if (error instanceof NudgeLabError) return error.problems;
    throw error;
  }
  return [];
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
    const { idToken } = await readPlain(issuer, { claims: JSON.stringify({ id_token: { costCenter: null } }) });
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

describe('refused configurations', () => {
  it.each([...protocolClaims, 'nl_own'])('CL70 the claim %s belongs to the protocol, for users and clients', (name) => {
    const user = findProblems({ users: [{ id: 'ada', claims: { [name]: 1 } }] });
    expect(user).toEqual([
      { location: `users.0.claims.${name}`, message: expect.stringContaining('claim of the protocol') },
    ]);
    for (const [place, item, at] of [
      ['idToken', name, ''],
      ['accessToken', { name, value: 1 }, '.name'],
      ['userinfo', { name, from: 'id' }, '.name'],
    ] as const) {
      const [problem, ...others] = findProblems({ clients: [{ ...shop, claims: { [place]: ['fine', item] } }] });
      expect(problem?.location).toBe(`clients.0.claims.${place}.1${at}`);
      expect(problem?.message).toContain('claim of the protocol');
      expect(others).toEqual([]);
    }
  });

  it.each([
    ['a password', { name: 'x', from: 'profile.password' }, 'idToken.0.from', /is not one of "id"/],
    ['a code', { name: 'x', from: 'profile.code' }, 'idToken.0.from', /is not one of "id"/],
    ['a path that does not exist', { name: 'x', from: 'profile.directory.jobtitle' }, 'idToken.0.from', /"profile/],
    ['a source that does not exist', { name: 'x', from: 'group' }, 'idToken.0.from', /did you mean "groups"/i],
    ['neither value nor from', { name: 'x' }, 'idToken.0', /either value or from/],
    ['value and from', { name: 'x', value: 1, from: 'id' }, 'idToken.0', /either value or from/],
    ['as without groups', { name: 'x', from: 'id', as: 'name' }, 'idToken.0.as', /unless from is groups/],
    ['only without groups', { name: 'x', value: 1, only: ['a'] }, 'idToken.0.only', /unless from is groups/],
    ['a number', 7, 'idToken.0', /7 is not a string or an object/],
    ['a list', [['a']], 'idToken.0', /is not a string or an object/],
    ['a name with a space', 'cost center', 'idToken.0', /printable ASCII/],
    ['an unknown key', { name: 'x', value: 1, form: 'id' }, 'idToken.0', /form/],
  ])('CL70 %s', (_case, item, at, message) => {
    const [problem] = findProblems({ clients: [{ ...shop, claims: { idToken: [item] } }] });
    expect(problem).toEqual({ location: `clients.0.claims.${at}`, message: expect.stringMatching(message) });
  });

  it.each([
    ['a name twice', { clients: [{ ...shop, claims: { idToken: ['a', { name: 'a', value: 1 }] } }] }, 'idToken.1'],
    ['a place that does not exist', { clients: [{ ...shop, claims: { token: [] } }] }, 'claims'],
    ['a role that is no text', { clients: [{ ...shop, userRoles: { ada: [1] } }] }, 'userRoles.ada.0'],
    ['a list of roles without any', { clients: [{ ...shop, userRoles: { ada: [] } }] }, 'userRoles.ada'],
    ['a name of a user claim with a space', { users: [{ id: 'ada', claims: { 'a b': 1 } }] }, 'claims.a b'],
    ['a value that is not JSON', { users: [{ id: 'ada', claims: { a: 1n } }] }, 'claims.a'],
    ['a value that is too long', { users: [{ id: 'ada', claims: { a: 'x'.repeat(70_000) } }] }, 'claims.a'],
    ['a limit below zero', { settings: { identity: { groupsLimit: -1 } } }, 'identity.groupsLimit'],
  ])('CL70–CL72 %s', (_case, input, at) => {
    const problems = findProblems(input as SandboxInput);
    expect(problems.map(({ location }) => location)).toEqual([expect.stringMatching(new RegExp(`${at}$`))]);
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
  ])('CL73 %s is issued, and the log has a warning if it is large', async (_case, length, warning) => {
    const claims = { accessToken: [{ name: 'text', value: 'x'.repeat(length) }] };
    const { issuer, serverUrl } = await oidcServer({ users: [ada], clients: [{ ...shop, claims }] });
    const { accessToken } = await readPlain(issuer);
    expect(accessToken['text']).toHaveLength(length);
    const { body } = await readJson(`${serverUrl}/_control/v1/sandboxes/default/requests`);
    const requests = body['requests'] as readonly { readonly path: string; readonly warning?: string }[];
    expect(requests.find(({ path }) => path.endsWith('/oauth2/token'))?.warning).toEqual(warning);
  });
});

const graph = 'https://graph.microsoft.com';
const graphId = '00000003-0000-0000-c000-000000000000';

describe('audience and URIs of the built-in resource', () => {
  it.each([
    ['no URI', 'openid Policy.Read.All', graph],
    ['a URI', `openid ${graph}/Policy.Read.All`, graph],
    ['another case', 'openid HTTPS://Graph.Microsoft.com//Policy.Read.All', graph],
    ['the id', `openid ${graphId}/Policy.Read.All`, graphId],
    ['the id, .default', `openid offline_access ${graphId}/.default`, graphId],
    ['the URL of the sandbox', 'openid {base}/Policy.Read.All', '{base}'],
    ['several: the first', `openid ${graphId}/Policy.Read.All ${graph}/read:document`, graphId],
  ])('CL31 tenant form, %s: aud as the request wrote it, with the same subject', async (_case, sent, aud) => {
    const clients = [{ ...shop, id: 'test-public', permissions: ['Policy.Read.All', 'read:document'] }];
    const { at, issuer } = await tenantServer({ users: [ada], clients, settings: { dialect: 'entra' } });
    const write = (text: string) => text.replaceAll('{base}', issuer);
    const scope = `${write(sent)}${sent.includes('offline_access') ? '' : ' offline_access'}`;
    const { body, browser } = await signInAt(at(), { scope });
    const token = decodeJwt(String(body['access_token']));
    expect(token.aud).toBe(write(aud));
    const { body: bare } = await signInAt(at(), { scope: 'openid Policy.Read.All' }, browser);
    expect(decodeJwt(String(bare['access_token']))).toMatchObject({ aud: graph, sub: token.sub });
    const refresh = { client_id: 'test-public', grant_type: 'refresh_token' };
    const sentToken = { ...refresh, refresh_token: String(body['refresh_token']) };
    const { body: next } = await postForm(`${at()}/oauth2/v2.0/token`, sentToken);
    expect(decodeJwt(String(next['access_token'])).aud).toBe(write(aud));
    const { status } = await fetch(`${issuer}/oauth2/userinfo`, {
      headers: { authorization: `Bearer ${String(body['access_token'])}` },
    });
    expect(status).toBe(200);
  });

  it('CL31 the scope of a token request decides the audience of that token', async () => {
    const clients = [{ ...shop, id: 'test-public', permissions: ['Policy.Read.All'] }];
    const { at } = await tenantServer({ users: [ada], clients, settings: { dialect: 'entra' } });
    const url = getAuthorizeUrl(at(), { scope: `openid ${graph}/Policy.Read.All` });
    const { code = '' } = answerAt(await appBrowser().signIn(url));
    const { body } = await redeemCode(at(), code, { scope: `openid ${graphId}/Policy.Read.All` });
    expect(decodeJwt(String(body['access_token'])).aud).toBe(graphId);
  });

  it.each([
    ['uri', graph, graph],
    ['uri', graphId, graphId],
    ['id', graphId, '{base}'],
    ['uri', 'api://orders', 'api://orders'],
    ['uri', 'api://sales', 'api://sales'],
    ['id', 'api://sales', 'orders'],
  ])('CL31 client credentials, audience %s, %s', async (audience, uri, aud) => {
    const resource = { id: 'orders', uris: ['api://orders', 'api://sales'], appRoles: ['All'] };
    const clients = [
      { id: 'api', secret: 's', redirectUris: [application], resource },
      { id: 'batch', kind: 'service', secret: 's', appRoles: ['Policy.Read.All', 'api://orders/All'] },
    ];
    const { at, issuer } = await tenantServer({ clients, settings: { dialect: 'entra', identity: { audience } } });
    const { body } = await postForm(`${at()}/oauth2/v2.0/token`, {
      grant_type: 'client_credentials',
      client_id: 'batch',
      client_secret: 's',
      scope: `${uri}/.default`,
    });
    expect(decodeJwt(String(body['access_token'])).aud).toBe(aud.replace('{base}', issuer));
  });

  it.each([
    ['a URI', { id: 'orders', uris: ['api://orders', `${graph}/`] }, 'uris.1'],
    ['a URI in another case', { id: 'orders', uris: ['HTTPS://graph.microsoft.com'] }, 'uris.0'],
    ['the id', { id: graphId, uris: ['api://orders'] }, 'id'],
    ['the public URL of the directory', { id: 'orders', uris: ['https://public.example'] }, 'uris.0'],
  ])("CL30 a client's resource cannot have %s of the built-in resource", (_case, resource, at) => {
    const settings = { dialect: 'entra', directory: { publicRoot: 'https://public.example' } };
    const [problem, ...others] = findProblems({ clients: [{ ...shop, resource }], settings });
    expect(problem?.location).toBe(`clients.0.resource.${at}`);
    expect(problem?.message).toContain('names the APIs of the sandbox');
    expect(others).toEqual([]);
  });

  it('CL30 a dialect without such ids leaves them to clients', () => {
    expect(findProblems({ clients: [{ ...shop, resource: { id: 'orders', uris: [graph] } }] })).toEqual([]);
  });
});
