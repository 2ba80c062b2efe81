import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appCampaign, dayMs, startMs } from '../../journal/signing-in.ts';
import { DirectoryServer } from './directory-server.ts';

const path = '/v1.0/auditLogs/directoryAudits';

let server: DirectoryServer;

async function start(directory: object = {}, tenant: object = appCampaign): Promise<void> {
  server = await DirectoryServer.start({
    clock: { nowMs: startMs, running: false },
    tenant: { subscription: 'paid', ...tenant },
    settings: { directory },
    users: [{ id: 'ada', displayName: 'Ada', methods: ['sms'], groups: ['sales'] }],
  });
}

beforeEach(() => start());
afterEach(() => server.stop());

type Row = Readonly<Record<string, unknown>>;

async function rows(query = ''): Promise<readonly Row[]> {
  const { status, body, text } = await server.ask(`${path}${query}`);
  expect([status, text]).toEqual([200, text]);
  return body.value ?? [];
}

const byControl = {
  app: {
    appId: 'nudgelab-control',
    displayName: 'nudgelab-control',
    servicePrincipalId: null,
    servicePrincipalName: null,
  },
  user: null,
};
const byTool = { app: { ...byControl.app, appId: 'tool', displayName: 'tool' }, user: null };

describe('changes of the policy', () => {
  const policy = '/v1.0/policies/authenticationMethodsPolicy';
  const getCampaign = (text: unknown) =>
    (JSON.parse(String(text)) as Record<string, Record<string, Record<string, unknown>>>)['registrationEnforcement']?.[
      'authenticationMethodsRegistrationCampaign'
    ];

  async function modified(): Promise<readonly Readonly<Record<'displayName' | 'oldValue' | 'newValue', string>>[]> {
    const [row] = await rows();
    const [target] = (row?.['targetResources'] ?? []) as readonly { readonly modifiedProperties: [] }[];
    return target?.modifiedProperties ?? [];
  }

  test('DIR80: a change of the campaign carries the whole policy both times, with the caller', async () => {
    const authorization = `Bearer ${await server.token({ app: 'tool', permissions: ['Policy.ReadWrite.AuthenticationMethod'] })}`;
    const body = {
      registrationEnforcement: { authenticationMethodsRegistrationCampaign: { snoozeDurationInDays: 3 } },
    };
    const { status } = await server.ask(policy, { method: 'PATCH', body, headers: { authorization } });
    expect(status).toBe(200);
    const [row] = await rows();
    expect(row).toMatchObject({
      activityDisplayName: 'Authentication Methods Policy Update',
      category: 'ApplicationManagement',
      loggedByService: 'Authentication Methods',
      operationType: 'Update',
      initiatedBy: byTool,
      targetResources: [{ type: 'Policy', displayName: 'Authentication Methods Policy' }],
    });
    const [change] = await modified();
    expect([getCampaign(change?.oldValue), getCampaign(change?.newValue)]).toMatchObject([
      { snoozeDurationInDays: 1, state: 'enabled' },
      { snoozeDurationInDays: 3, state: 'enabled' },
    ]);
  });

  test('DIR80: another change carries only what changed, or the whole policy by auditPolicy', async () => {
    const patch = { methodsPolicy: { fido2: { state: 'disabled' } } };
    await server.sandbox.directory.patchTenant(patch, 'control-api');
    const [change, ...others] = await modified();
    expect([change?.displayName, others]).toEqual(['authenticationMethodConfigurations', []]);
    const { authenticationMethodConfigurations: changed } = JSON.parse(change?.newValue ?? '{}') as {
      authenticationMethodConfigurations: readonly { readonly id: string; readonly state: string }[];
    };
    expect(changed).toMatchObject([{ state: 'disabled' }]);
    await server.sandbox.directory.patchSettings({ directory: { auditPolicy: 'whole' } }, 'control-api');
    await server.sandbox.directory.patchTenant({ methodsPolicy: { fido2: { state: 'enabled' } } }, 'control-api');
    const [whole] = await modified();
    expect(getCampaign(whole?.newValue)).toMatchObject({ state: 'enabled' });
  });

  test('DIR80: an extra field is a change, and repeated values are none', async () => {
    const body = { policyMigrationState: 'migrationInProgress' };
    expect((await server.ask(policy, { method: 'PATCH', body, headers: await writer() })).status).toBe(200);
    expect(await modified()).toMatchObject([{ displayName: 'policyMigrationState' }]);
    await server.ask(policy, { method: 'PATCH', body, headers: await writer() });
    await server.sandbox.directory.patchTenant({}, 'control-api');
    expect(await rows()).toHaveLength(1);
  });

  async function writer() {
    const permissions = ['Policy.ReadWrite.AuthenticationMethod'];
    return { authorization: `Bearer ${await server.token({ app: 'tool', permissions })}` };
  }
});

describe('queries', () => {
  beforeEach(async () => {
    await server.sandbox.securityInfo.addMethod('ada', 'voice');
    await server.sandbox.clock.advance({ days: 1 });
    await server.sandbox.directory.putUser('bob', { displayName: 'Bob' });
  });

  const matches: readonly (readonly [string, readonly string[]])[] = [
    ["id eq 'a2'", ['a2']],
    ['activityDateTime ge 2026-01-06T00:00:00Z', ['a4']],
    ['activityDateTime le 2026-01-06T00:00:00Z', ['a2']],
    [
      "activityDateTime ge 2026-01-01T00:00:00Z and (activityDisplayName eq 'User registered security info' or activityDisplayName eq 'Admin registered security info')",
      ['a2'],
    ],
    ["category eq 'usermanagement'", ['a4', 'a2']],
    ["correlationId eq 'a4'", ['a4']],
    ["loggedByService eq 'Core Directory'", ['a4']],
    ["result eq 'success'", ['a4', 'a2']],
    ["operationType eq 'Add'", ['a4', 'a2']],
    ["initiatedBy/user/id eq 'ada'", ['a2']],
    ["startswith(initiatedBy/user/displayName,'A')", ['a2']],
    ["initiatedBy/user/userPrincipalName eq 'ada@example.test'", ['a2']],
    ["initiatedBy/app/appId eq 'nudgelab-control'", ['a4']],
    ["initiatedBy/app/displayName eq 'nudgelab-control'", ['a4']],
    ["targetResources/any(t: t/id eq 'bob')", ['a4']],
    ["targetResources/any(t: t/displayName eq 'Ada')", ['a2']],
    ["targetResources/any(t: t/type eq 'Group')", []],
    ["targetResources/any(x: startswith(x/userPrincipalName,'bob'))", ['a4']],
  ];

  test.each(matches)('DIR73: %s', async (filter, expected) => {
    expect((await rows(`?$filter=${encodeURIComponent(filter)}`)).map(({ id }) => id)).toEqual(expected);
  });

  const invalid: readonly (readonly [string, string])[] = [
    ["$filter=userAgent eq 'x'", 'userAgent'],
    ["$filter=endswith(category,'x')", 'position'],
    ['$filter=activityDateTime gt 2026-01-06T00:00:00Z', 'position'],
    ["$filter=targetResources/any(t: t/groupType eq 'x')", 'groupType'],
    ['$orderby=category', 'category'],
    ['$count=true', '$count'],
    ['$top=0', '1 to 1000'],
  ];

  test.each(invalid)('DIR73: %s is rejected', async (query, named) => {
    const { status, text } = await server.ask(`${path}?${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining(named)]);
  });

  test('DIR73: rows have a page, an order and an address', async () => {
    const { body } = await server.ask(`${path}?$top=1`);
    expect(body.value?.map(({ id }) => id)).toEqual(['a4']);
    const next = await server.ask(String(body['@odata.nextLink']));
    expect([next.body.value?.map(({ id }) => id), next.body['@odata.nextLink']]).toEqual([['a2'], undefined]);
    expect((await rows('?$orderby=activityDateTime')).map(({ id }) => id)).toEqual(['a2', 'a4']);
    const single = await server.ask(`${path}/a2`);
    expect([single.status, single.body['id']]).toEqual([200, 'a2']);
    expect((await server.ask(`${path}/a3`)).status).toBe(404);
  });

  test('DIR73: GUIDs of users are understood in both forms', async () => {
    await server.sandbox.directory.patchSettings({ directory: { wireIds: 'guid' } }, 'control-api');
    const [row] = await rows("?$filter=targetResources/any(t: t/id eq 'bob')");
    const [target] = (row?.['targetResources'] ?? []) as readonly { readonly id: string }[];
    expect(target?.id).toMatch(/^[0-9a-f]{8}-/);
    expect(await rows(`?$filter=targetResources/any(t: t/id eq '${target?.id}')`)).toEqual([row]);
  });

  test('DIR72: rows have the same retention as sign-ins', async () => {
    await server.sandbox.clock.advance({ ms: 29 * dayMs + 1 });
    expect((await rows()).map(({ id }) => id)).toEqual(['a4']);
    await server.sandbox.clock.set({ nowMs: startMs });
    expect((await rows()).map(({ id }) => id)).toEqual(['a2']);
  });
});

test.each([
  ['AuditLog.Read.All', ['Reports Reader'], 200],
  ['AuditLog.Read.All', ['Security Operator'], 403],
  ['AuditLog.Read.All', [], 403],
  ['Directory.Read.All', ['Reports Reader'], 403],
] as const)('§8: %s with %o', async (permission, roles, expected) => {
  const authorization = `Bearer ${await server.token({ user: 'ada', permissions: [permission], roles })}`;
  expect((await server.ask(path, { headers: { authorization } })).status).toBe(expected);
});
