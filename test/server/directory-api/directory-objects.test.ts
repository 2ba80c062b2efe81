import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { directoryPermissions } from '../../../src/contract/directory-api/access.ts';
import { nonEmpty } from '../../non-empty.ts';
import { DirectoryServer, eventual } from './directory-server.ts';

let server: DirectoryServer;

const globalAdministrator = '62e90394-69f5-4237-9190-012177145e10';

beforeAll(async () => {
  server = await DirectoryServer.start({
    clock: { nowMs: Date.UTC(2026, 0, 5, 9), running: false },
    tenant: {
      subscription: 'paid',
      // Sales and Europe contain each other.
      groups: { sales: ['europe'], europe: ['sales', 'all'], empty: [] },
    },
    settings: {
      directory: {
        displayName: 'Contoso Test',
        verifiedDomains: ['contoso.test', 'other.test'],
        groups: { sales: { displayName: 'Sales', description: 'Sells.', createdDateTime: '2025-01-01T00:00:00Z' } },
      },
    },
    users: [
      {
        id: 'ada',
        displayName: 'Ada Lovelace',
        groups: ['sales', 'SALES', 'all'],
        roles: ['Global Administrator', 'Own Role'],
        directory: {
          givenName: 'Ada',
          surname: 'Lovelace',
          mail: 'ada@contoso.test',
          department: 'Engines',
          createdDateTime: '2024-02-01T00:00:00+01:00',
          phones: { mobile: '+1 5550100', office: '+1 5550101' },
        },
      },
      { id: 'bob', displayName: 'Bob', type: 'guest', groups: ['europe'], directory: { accountEnabled: false } },
      { id: 'cy', displayName: 'ada Cyrus', userPrincipalName: 'cy', roles: [globalAdministrator.toUpperCase()] },
    ],
  });
});

afterAll(() => server.stop());

describe('users', () => {
  const ada = {
    id: 'ada',
    businessPhones: ['+1 5550101'],
    displayName: 'Ada Lovelace',
    givenName: 'Ada',
    jobTitle: null,
    mail: 'ada@contoso.test',
    mobilePhone: '+1 5550100',
    officeLocation: null,
    preferredLanguage: null,
    surname: 'Lovelace',
    userPrincipalName: 'ada@example.test',
  };

  test('DIR43: a user has the documented properties, and more of them under /beta', async () => {
    const { '@odata.context': _context, ...body } = (await server.ask('/v1.0/users/ada')).body;
    expect(body).toEqual(ada);
    expect((await server.ask('/beta/users/bob')).body).toMatchObject({
      userType: 'Guest',
      accountEnabled: false,
      createdDateTime: '2026-01-05T09:00:00.000Z',
      mailNickname: 'bob',
      mail: 'bob@example.test',
    });
    expect((await server.ask('/v1.0/users/cy?$select=mail')).body['mail']).toBeNull();
  });

  test('DIR43: properties that are not simulated are null or empty if they are selected, and cannot be filtered', async () => {
    const { body } = await server.ask(
      '/v1.0/users/ada?$select=usageLocation,assignedLicenses,department,createdDateTime',
    );
    expect(body).toEqual({
      '@odata.context': expect.stringContaining('#users('),
      usageLocation: null,
      assignedLicenses: [],
      department: 'Engines',
      createdDateTime: '2024-01-31T23:00:00.000Z',
    });
    expect((await server.ask("/v1.0/users?$filter=usageLocation eq 'DE'")).status).toBe(400);
  });

  test('DIR42: users are ordered by name without regard to case, then by id', async () => {
    expect(await server.list('/v1.0/users')).toEqual(['cy', 'ada', 'bob']);
  });

  test.for<[string, readonly string[]]>([
    ["displayName eq 'ADA LOVELACE'", ['ada']],
    ["startsWith(displayName,'ada')", ['cy', 'ada']],
    ["userType eq 'Guest'", ['bob']],
    ['accountEnabled eq true', ['cy', 'ada']],
    ['createdDateTime le 2025-01-01T00:00:00Z', ['ada']],
    ["id in ('bob','cy')", ['cy', 'bob']],
    ["startswith(displayName,'ada') and (surname eq 'x' or givenName eq 'ada')", ['ada']],
    ['onPremisesSyncEnabled eq null', ['cy', 'ada', 'bob']],
    ['mail eq null', ['cy']],
  ])('DIR25: users with %s', async ([filter, ids]) => {
    expect(await server.list(`/v1.0/users?$filter=${encodeURIComponent(filter)}`)).toEqual(ids);
  });

  test('DIR26: advanced filters need the header and the count', async () => {
    const path = "/v1.0/users?$count=true&$orderby=displayName desc&$filter=displayName ne 'Bob'";
    expect((await server.ask(path)).status).toBe(400);
    const { body } = await server.ask(path, { headers: eventual });
    expect([body['@odata.count'], body.value?.map(({ id }) => id)]).toEqual([2, ['ada', 'cy']]);
  });

  test('DIR24: /$count is digits, and needs the header', async () => {
    expect((await server.ask('/v1.0/users/$count')).status).toBe(400);
    const { text, headers } = await server.ask("/v1.0/users/$count?$filter=userType eq 'member'", {
      headers: eventual,
    });
    expect([text, headers.get('content-type')]).toEqual(['2', 'text/plain']);
  });

  test('DIR28: a search finds the beginnings of words', async () => {
    const search = (text: string) =>
      server.list(`/v1.0/users?$search=${encodeURIComponent(text)}`, { headers: eventual });
    expect(await search('"displayName:love"')).toEqual(['ada']);
    expect(await search('"displayName:ada" AND "displayName:cy" OR "mail:bob"')).toEqual(['cy', 'bob']);
  });

  test('DIR29: groups and roles of a user can be expanded', async () => {
    const { body } = await server.ask('/v1.0/users/ada?$select=id&$expand=memberOf($select=displayName)');
    expect(body['@odata.context']).toBe(`${server.url}/v1.0/$metadata#users(id,memberOf(displayName))/$entity`);
    expect(body['memberOf']).toEqual([
      { '@odata.type': '#graph.group', displayName: 'Sales' },
      { '@odata.type': '#graph.group', displayName: 'all' },
      { '@odata.type': '#graph.directoryRole', displayName: 'Global Administrator' },
      { '@odata.type': '#graph.directoryRole', displayName: 'Own Role' },
    ]);
  });

  test('A14: direct and nested memberships, by type, with their number', async () => {
    const of = (path: string) => server.list(`/v1.0/users/ada/${path}`, { property: 'displayName' });
    expect(await of('memberOf')).toEqual(['all', 'Global Administrator', 'Own Role', 'Sales']);
    expect(await of('transitiveMemberOf/graph.group')).toEqual(['all', 'europe', 'Sales']);
    expect(await of('memberOf/graph.directoryRole')).toEqual(['Global Administrator', 'Own Role']);
    const { text } = await server.ask('/v1.0/users/ada/transitiveMemberOf/graph.group/$count', { headers: eventual });
    expect(text).toBe('3');
  });

  test('getMemberObjects returns the ids of groups, and of roles unless only security groups are requested', async () => {
    const post = (securityEnabledOnly: unknown) =>
      server.ask('/v1.0/users/ada/getMemberObjects', { method: 'POST', body: { securityEnabledOnly } });
    const all = (await post(false)).body.value as unknown as readonly string[];
    expect(all).toHaveLength(5);
    expect(all).toContain(globalAdministrator);
    expect((await post(true)).body).toEqual({
      '@odata.context': `${server.url}/v1.0/$metadata#Collection(Edm.String)`,
      value: expect.arrayContaining(['sales', 'europe', 'all']),
    });
    expect((await post('yes')).status).toBe(400);
  });

  test('me is the user of the token, and 400 for an application', async () => {
    const authorization = `Bearer ${await server.token({ user: 'bob', permissions: ['User.Read'] })}`;
    expect((await server.ask('/v1.0/me', { headers: { authorization } })).body['id']).toBe('bob');
    expect((await server.ask('/v1.0/me')).status).toBe(400);
  });
});

describe('groups', () => {
  test('DIR42: a group has the data of the tenant, or its id', async () => {
    const { '@odata.context': _context, ...sales } = (await server.ask('/v1.0/groups/SALES')).body;
    expect(sales).toEqual({
      id: 'sales',
      createdDateTime: '2025-01-01T00:00:00.000Z',
      description: 'Sells.',
      displayName: 'Sales',
      groupTypes: [],
      mailEnabled: false,
      mailNickname: 'sales',
      securityEnabled: true,
      visibility: null,
    });
    expect(await server.list('/v1.0/groups')).toEqual(['all', 'empty', 'europe', 'sales']);
  });

  test('A14: members are direct or nested, each once, and rings are harmless', async () => {
    expect(await server.list('/v1.0/groups/sales/members')).toEqual(['ada', 'europe']);
    expect(await server.list('/v1.0/groups/sales/transitiveMembers')).toEqual(['ada', 'bob', 'europe']);
    expect(await server.list('/v1.0/groups/all/transitiveMembers/graph.user')).toEqual(['ada', 'bob']);
    expect(await server.list('/v1.0/groups/empty/members')).toEqual([]);
    const { body } = await server.ask('/v1.0/groups/sales/members?$select=id,userPrincipalName');
    expect(body.value).toEqual([
      { '@odata.type': '#graph.user', id: 'ada', userPrincipalName: 'ada@example.test' },
      { '@odata.type': '#graph.group', id: 'europe' },
    ]);
  });

  test('DIR26: members are filtered only with the header', async () => {
    const path = "/v1.0/groups/sales/members?$filter=displayName eq 'europe'";
    expect((await server.ask(path)).status).toBe(400);
    expect(await server.list(path, { headers: eventual })).toEqual(['europe']);
  });

  test('DIR25: group types are an empty collection', async () => {
    expect(await server.list("/v1.0/groups?$filter=groupTypes/any(t: t eq 'Unified')")).toEqual([]);
    expect(await server.list("/v1.0/groups?$filter=startswith(displayName,'S')&$expand=members")).toEqual(['sales']);
  });
});

describe('organization and roles', () => {
  test('DIR42: the organization has the data of the tenant', async () => {
    const [shown] = (await server.ask('/v1.0/organization')).body.value ?? [];
    expect(shown).toMatchObject({
      id: 'tenant',
      displayName: 'Contoso Test',
      tenantType: 'AAD',
      createdDateTime: '2026-01-05T09:00:00.000Z',
      countryLetterCode: null,
      assignedPlans: [{ service: 'AADPremiumService', capabilityStatus: 'Enabled' }],
      verifiedDomains: [
        { name: 'contoso.test', isDefault: true, isInitial: true, type: 'Managed' },
        { name: 'other.test', isDefault: false, isInitial: false, type: 'Managed' },
      ],
    });
  });

  test('the roles that profiles name, by name or template id, each once', async () => {
    expect(await server.list('/v1.0/directoryRoles', { property: 'displayName' })).toEqual([
      'Global Administrator',
      'Own Role',
    ]);
    for (const path of [globalAdministrator, `(roleTemplateId='${globalAdministrator}')`]) {
      const address = path.startsWith('(') ? `directoryRoles${path}` : `directoryRoles/${path}`;
      expect((await server.ask(`/v1.0/${address}`)).body['displayName']).toBe('Global Administrator');
      expect(await server.list(`/v1.0/${address}/members`)).toEqual(['cy', 'ada']);
    }
    const filter = `/v1.0/directoryRoles?$filter=roleTemplateId eq '${globalAdministrator}'&$expand=members`;
    const { body } = await server.ask(filter);
    expect(body.value?.map(({ members }) => (members as readonly { id: string }[]).map(({ id }) => id))).toEqual([
      ['cy', 'ada'],
    ]);
  });
});

describe('access', () => {
  const cases: readonly [string, readonly string[]][] = [
    ['/v1.0/users', ['User.Read.All', 'Directory.Read.All']],
    ['/v1.0/users/ada', ['User.Read.All', 'Directory.Read.All']],
    ['/v1.0/groups/sales/members', ['GroupMember.Read.All', 'Group.Read.All', 'Directory.Read.All']],
    ['/v1.0/users/ada/memberOf', ['GroupMember.Read.All', 'Group.Read.All', 'Directory.Read.All']],
    ['/v1.0/organization', ['Organization.Read.All', 'Directory.Read.All']],
    ['/v1.0/directoryRoles', ['RoleManagement.Read.Directory', 'Directory.Read.All']],
  ];

  /** Permissions to write, each of which includes that to read. */
  const writes = new Map([
    ['User.ReadWrite.All', 'User.Read.All'],
    ['GroupMember.ReadWrite.All', 'GroupMember.Read.All'],
    ['Group.ReadWrite.All', 'Group.Read.All'],
    ['Organization.ReadWrite.All', 'Organization.Read.All'],
    ['RoleManagement.ReadWrite.Directory', 'RoleManagement.Read.Directory'],
    ['Directory.ReadWrite.All', 'Directory.Read.All'],
  ]);

  test.for(cases)('access-denied: %s needs one of %j, and any one suffices', async ([path, permissions]) => {
    for (const permission of nonEmpty(directoryPermissions)) {
      const authorization = `Bearer ${await server.token({ app: 'test', permissions: [permission] })}`;
      const { status, body } = await server.ask(path, { headers: { authorization } });
      const isAllowed = permissions.includes(writes.get(permission) ?? permission);
      expect([permission, status]).toEqual([permission, isAllowed ? 200 : 403]);
      if (!isAllowed) {
        expect(body.error?.code).toBe('accessDenied');
        expect(body.error?.message).toContain(`The token lacks one of the permissions ${permissions.join(', ')}.`);
      }
    }
  });

  test.for(['User.Read', 'User.ReadWrite'])(
    'a delegated token with %s reads its user, and no other one',
    async (own) => {
      const authorization = `Bearer ${await server.token({ user: 'ada', permissions: [own] })}`;
      const ask = async (path: string) => (await server.ask(path, { headers: { authorization } })).status;
      expect(await ask('/v1.0/me')).toBe(200);
      expect(await ask('/v1.0/users/ADA@example.test')).toBe(200);
      expect(await ask('/v1.0/users/bob')).toBe(403);
      expect(await ask('/v1.0/users')).toBe(403);
    },
  );

  test('unauthenticated: no token and a foreign token are 401, before the options are read', async () => {
    for (const authorization of ['', 'Bearer x.y.z']) {
      const { status, headers, body } = await server.ask('/v1.0/users?$top=0', { headers: { authorization } });
      expect([status, body.error?.code]).toEqual([401, 'unauthenticated']);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  test('bad-request: options are checked before the object', async () => {
    expect((await server.ask('/v1.0/users/nobody?$top=1')).status).toBe(400);
  });
});
