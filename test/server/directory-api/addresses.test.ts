import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nameBasedUuid } from '../../../src/core/ids.ts';
import { jsonMediaType } from '../../../src/sandbox/directory-api/directory-exchange.ts';
import { nonEmpty } from '../../non-empty.ts';
import { DirectoryServer, eventual } from './directory-server.ts';

let server: DirectoryServer;

beforeAll(async () => {
  server = await DirectoryServer.start({
    tenant: { groups: { 'Team A': [] } },
    users: [{ id: 'Ada', userPrincipalName: 'ada#EXT#@example.test', groups: ['Team A'] }, { id: 'bob' }],
  });
});

afterAll(() => server.stop());

describe('addresses', () => {
  test.for([
    '/v1.0/users/Ada',
    '/V1.0/USERS/Ada',
    '/v1.0/users/Ada/',
    "/v1.0/users('Ada')",
    '/v1.0/users(Ada)',
    '/beta/users/Ada',
    '/s/default/v1.0/users/Ada',
    '/v1.0/users/ada%23EXT%23@example.test',
    "/v1.0/users('ada%23EXT%23%40example.test')",
  ])('DIR1, DIR2: %s is the user', async (path) => {
    const { status, body } = await server.ask(path);
    expect([status, body['id']]).toEqual([200, 'Ada']);
  });

  test.for([
    '/v1.0/users/Ada/graph.memberOf',
    '/v1.0/users/Ada/microsoft.graph.memberOf',
    '/v1.0/groups/team%20a/members/microsoft.graph.user',
    '/v1.0/groups/Team%20A/members/graph.user/',
  ])('DIR2: %s is understood with the namespace', async (path) => {
    expect(await server.list(path)).toHaveLength(1);
  });

  test.for([
    ['/v1.0//users', ''],
    ['/v1.0/users/Ada/calendar', 'calendar'],
    ['/v1.0/Gadgets', 'Gadgets'],
    ['/v1.0/users/Ada/memberOf/graph.user', 'graph.user'],
    ['/v1.0/organization/$count', '$count'],
    ['/v1.0/users/$metadata/x', 'x'],
  ])('not-found: %s names the segment %s', async ([path = '', segment = '']) => {
    const { status, body } = await server.ask(path, { headers: { authorization: '' } });
    expect([status, body.error?.code]).toEqual([404, 'notFound']);
    expect(body.error?.message).toContain(`Resource not found for the segment '${segment}'.`);
  });

  test.for(['/v1.0/users/$COUNT', '/v1.0/groups/Team%20A/members/$Count', '/beta/Groups/$count/'])(
    'DIR1: %s is a number',
    async (path) => {
      const { status, text } = await server.ask(path, { headers: eventual });
      expect([status, Number(text)]).toEqual([200, path.includes('users') ? 2 : 1]);
    },
  );

  test('DIR1: $METADATA and $BATCH match in any case', async () => {
    expect((await server.ask('/v1.0/$METADATA')).text).toContain('<edmx:Edmx');
    const requests = [{ id: '1', method: 'GET', url: '/USERS/$COUNT', headers: eventual }];
    const { status, body } = await server.ask('/v1.0/$BATCH', { method: 'POST', body: { requests } });
    expect([status, body['responses']]).toEqual([200, [expect.objectContaining({ id: '1', status: 200 })]]);
  });

  test('DIR2: an id keeps its case, and an unknown object is named as sent', async () => {
    expect((await server.ask('/v1.0/users/Eve')).body.error?.message).toBe("The user 'Eve' does not exist.");
    expect((await server.ask('/v1.0/groups/Strangers')).body.error?.message).toBe(
      "The group 'Strangers' does not exist.",
    );
  });

  test('DIR4: the service document lists what is served, without a token', async () => {
    const { status, body } = await server.ask('/v1.0', { headers: { authorization: '' } });
    expect([status, body['@odata.context']]).toEqual([200, `${server.url}/v1.0/$metadata`]);
    expect(body.value).toEqual([
      { name: 'users', kind: 'EntitySet', url: 'users' },
      { name: 'groups', kind: 'EntitySet', url: 'groups' },
      { name: 'organization', kind: 'EntitySet', url: 'organization' },
      { name: 'directoryRoles', kind: 'EntitySet', url: 'directoryRoles' },
      { name: 'auditLogs', kind: 'Singleton', url: 'auditLogs' },
      { name: 'reports', kind: 'Singleton', url: 'reports' },
      { name: 'policies', kind: 'Singleton', url: 'policies' },
      { name: 'me', kind: 'Singleton', url: 'me' },
    ]);
  });

  test('DIR4: the metadata document describes the types in answers, without a token', async () => {
    const { headers, text } = await server.ask('/beta/$metadata', { headers: { authorization: '' } });
    expect(headers.get('content-type')).toContain('application/xml');
    for (const name of nonEmpty(Object.keys((await server.ask('/beta/users/Ada')).body))) {
      if (!name.startsWith('@')) expect(text).toContain(`<Property Name="${name}"`);
    }
  });

  test.for([
    'EntitySet Name="users" EntityType="graph.user"',
    'Singleton Name="auditLogs" Type="graph.auditLogRoot"',
    'Singleton Name="me" Type="graph.user"',
    'NavigationProperty Name="memberOf" Type="Collection(graph.directoryObject)" ContainsTarget="true"',
    'NavigationProperty Name="authentication" Type="graph.authentication" ContainsTarget="true"',
    'NavigationProperty Name="methods" Type="Collection(graph.authenticationMethod)" ContainsTarget="true"',
    'NavigationProperty Name="signIns" Type="Collection(graph.signIn)" ContainsTarget="true"',
    'NavigationProperty Name="userRegistrationDetails" Type="Collection(graph.userRegistrationDetails)" ContainsTarget="true"',
    'NavigationProperty Name="authenticationMethodConfigurations" Type="Collection(graph.authenticationMethodConfiguration)" ContainsTarget="true"',
    'Property Name="signInPreferences" Type="graph.signInPreferences"',
    'Property Name="policyVersion" Type="Edm.String" Nullable="false"',
    'Property Name="jobTitle" Type="Edm.String"/',
    'Property Name="onPremisesSyncEnabled" Type="Edm.Boolean"/',
    'Parameter Name="bindingParameter" Type="Collection(graph.fido2AuthenticationMethod)"/',
    'Parameter Name="includedUserRoles" Type="Edm.String" Nullable="false"/',
    'Action Name="getMemberObjects" IsBound="true"',
  ])('DIR4: the metadata document has <%s', async (element) => {
    const { text } = await server.ask('/beta/$metadata', { headers: { authorization: '' } });
    expect(text).toContain(`<${element}`);
  });

  test('DIR4: every type in the metadata document is declared once', async () => {
    for (const version of ['v1.0', 'beta']) {
      const { text } = await server.ask(`/${version}/$metadata`, { headers: { authorization: '' } });
      const declared = [...text.matchAll(/<(?:EntityType|ComplexType) Name="(\w+)"/g)].map(([, name]) => name);
      expect(declared).toEqual([...new Set(declared)]);
      const used = [...text.matchAll(/(?:Type|EntityType)="(?:Collection\()?graph\.(\w+)/g)].map(([, name]) => name);
      expect(nonEmpty(used).filter((name) => !declared.includes(name))).toEqual([]);
    }
  });

  test('DIR4: the metadata document of /v1.0 lacks what only /beta has', async () => {
    const { text } = await server.ask('/v1.0/$metadata', { headers: { authorization: '' } });
    expect(text).toContain('Name="softwareOathMethods"');
    expect(text).not.toContain('Name="hardwareOathMethods"');
  });
});

describe('headers', () => {
  test('DIR5: every answer has the documented headers, and repeats the id of the client', async () => {
    const headers = { 'client-request-id': 'mine-1' };
    for (const path of [
      '/v1.0/users',
      '/v1.0/users/Eve',
      '/v1.0/Gadgets',
      '/v1.0/policies/authenticationMethodsPolicy',
    ]) {
      const reply = await server.ask(path, { headers });
      expect(reply.headers.get('content-type')).toBe(jsonMediaType);
      expect(reply.headers.get('odata-version')).toBe('4.0');
      expect(reply.headers.get('cache-control')).toBe('no-cache');
      expect(reply.headers.get('request-id')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(reply.headers.get('client-request-id')).toBe('mine-1');
      expect(reply.headers.get('date')).toMatch(/GMT$/);
    }
    const own = (await server.ask('/v1.0/users')).headers;
    expect(own.get('client-request-id')).toBe(own.get('request-id'));
  });

  test('DIR6: without metadata, only the link and the count keep their annotations', async () => {
    const headers = { Accept: 'application/json;odata.metadata=none', ConsistencyLevel: 'eventual' };
    const { body } = await server.ask('/v1.0/users?$count=true&$top=1', { headers });
    expect(Object.keys(body)).toEqual(['@odata.count', '@odata.nextLink', 'value']);
    const members = await server.ask('/v1.0/groups/Team%20A/members', { headers });
    expect(members.text).not.toContain('@odata');
    const full = await server.ask('/v1.0/users/Ada', { headers: { Accept: 'application/json;odata.metadata=full' } });
    expect(full.body['@odata.context']).toBe(`${server.url}/v1.0/$metadata#users/$entity`);
  });

  test('not-acceptable: an Accept without JSON is 406', async () => {
    const { status, body } = await server.ask('/v1.0/users', { headers: { Accept: 'text/html' } });
    expect([status, body.error?.code]).toEqual([406, 'notAcceptable']);
  });

  test.for([
    ['/v1.0/users', 'users'],
    ['/v1.0/users?$select=id,displayname', 'users(id,displayName)'],
    ['/v1.0/users/Ada', 'users/$entity'],
    ['/v1.0/users/Ada?$select=id', 'users(id)/$entity'],
    ['/v1.0/groups/Team%20A/members', 'directoryObjects'],
    ['/v1.0/groups/Team%20A/members/graph.user', 'users'],
    ['/beta/organization', 'organization'],
  ])('DIR7: the context of %s is #%s', async ([path = '', context = '']) => {
    const root = path.slice(0, path.indexOf('/', 1));
    expect((await server.ask(path)).body['@odata.context']).toBe(`${server.url}${root}/$metadata#${context}`);
  });

  test('DIR9: pages of any origin may read answers, and a preflight needs no token', async () => {
    const { headers } = await server.ask('/v1.0/users');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('client-request-id');
    const preflight = await server.ask('/v1.0/users', { method: 'OPTIONS', headers: { authorization: '' } });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, HEAD, OPTIONS',
    ]);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('ConsistencyLevel');
    const policy = await server.ask('/v1.0/policies/authenticationMethodsPolicy', { method: 'OPTIONS' });
    expect(policy.headers.get('access-control-allow-methods')).toBe('GET, HEAD, PATCH, OPTIONS');
  });

  test('method-not-allowed: writes are 405 with the allowed methods, before the token', async () => {
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      const { status, headers } = await server.ask('/v1.0/users/Ada', { method, headers: { authorization: '' } });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });

  test('DIR10: the public root replaces scheme, host and prefix in addresses', async () => {
    const own = await DirectoryServer.start({
      settings: { directory: { publicRoot: 'https://graph.example' } },
      users: [{ id: 'a' }, { id: 'b' }],
    });
    const { body } = await own.ask('/s/default/beta/users?$top=1');
    expect(body['@odata.context']).toBe('https://graph.example/beta/$metadata#users');
    expect(body['@odata.nextLink']).toMatch(/^https:\/\/graph\.example\/beta\/users\?\$top=1&\$skiptoken=/);
    await own.stop();
  });

  test('DIR11: a known collection that is not simulated is empty if the tenant says so', async () => {
    const path = '/v1.0/identity/conditionalAccess/policies';
    expect((await server.ask(path)).status).toBe(404);
    const own = await DirectoryServer.start({ settings: { directory: { unknownResource: 'empty' } } });
    const { status, headers, body } = await own.ask(path);
    expect([status, headers.get('nudgelab-not-simulated'), body]).toEqual([200, 'true', { value: [] }]);
    expect((await own.ask(path, { method: 'POST' })).status).toBe(404);
    expect((await own.ask('/v1.0/gadgets')).status).toBe(404);
    await own.stop();
  });
});

describe('ids', () => {
  test('DIR40: ids are GUIDs if the tenant says so, and both forms are understood', async () => {
    const guid = '4d8c2f10-6a3e-4b57-9c21-7e5f0a9b1c01';
    const own = await DirectoryServer.start({
      settings: { directory: { wireIds: 'guid' } },
      users: [{ id: 'ada', groups: ['team', guid] }],
    });
    const wireId = nameBasedUuid('user:ada');
    expect(wireId).toBe('71228563-eee7-5e0c-909d-7974f4473807');
    for (const id of ['ada', wireId, wireId.toUpperCase()]) {
      expect((await own.ask(`/v1.0/users/${id}`)).body['id']).toBe(wireId);
    }
    for (const id of ['ada', wireId]) expect(await own.list(`/v1.0/users?$filter=id eq '${id}'`)).toEqual([wireId]);
    const groups = [nameBasedUuid('group:team'), guid];
    expect((await own.list('/v1.0/groups')).toSorted()).toEqual(groups.toSorted());
    expect(await own.list(`/v1.0/groups/${groups[0]}/members`)).toEqual([wireId]);
    await own.stop();
  });

  test('DIR41: the tenant has the id of its facts, or a GUID that depends on the sandbox', async () => {
    expect(await server.list('/v1.0/organization')).toEqual(['tenant']);
    const own = await DirectoryServer.start({ settings: { directory: { wireIds: 'guid' } } });
    const [id] = await own.list('/v1.0/organization');
    expect(id).toBe(nameBasedUuid('tenant:default:tenant'));
    expect((await own.ask(`/v1.0/organization/${id}`)).body['id']).toBe(id);
    await own.stop();
  });
});
