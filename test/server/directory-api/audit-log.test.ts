import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appCampaign, dayMs, signIn, startMs } from '../../journal/signing-in.ts';
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

/** Returns the rows in the order in which they were added. */
async function added(): Promise<readonly Row[]> {
  return (await rows()).toReversed();
}

const ada = { id: 'ada', displayName: 'Ada', userPrincipalName: 'ada@example.test' };
const byAda = { app: null, user: { ...ada, ipAddress: '127.0.0.1' } };
const byControl = {
  app: {
    appId: 'nudgelab-control',
    displayName: 'nudgelab-control',
    servicePrincipalId: null,
    servicePrincipalName: null,
  },
  user: null,
};
const onAda = { ...ada, type: 'User', groupType: null };
const caller = { kind: 'app', id: 'tool' } as const;
const byTool = { app: { ...byControl.app, appId: 'tool', displayName: 'tool' }, user: null };

const methods = { category: 'UserManagement', loggedByService: 'Authentication Methods', result: 'success' };
const directory = { category: 'UserManagement', loggedByService: 'Core Directory', result: 'success' };
const membership = { ...directory, category: 'GroupManagement' };

const credential = {
  id: 'credential',
  name: 'Key',
  publicKey: 'key',
  counter: 0,
  transports: [],
  createdAtMs: startMs,
} as never;

type Case = readonly [string, () => Promise<unknown>, readonly Row[]];

const cases: readonly Case[] = [
  [
    'setup.completed',
    async () => {
      const { id } = await signIn(server.sandbox);
      await server.sandbox.signIns.selectNext(id);
      await server.sandbox.signIns.completeSetup(id, null);
    },
    [
      {
        ...methods,
        activityDisplayName: 'User started security info registration',
        operationType: 'Add',
        initiatedBy: byAda,
        targetResources: [expect.objectContaining(onAda)],
      },
      {
        ...methods,
        activityDisplayName: 'User registered security info',
        operationType: 'Add',
        resultReason: 'User registered Authenticator App',
        initiatedBy: byAda,
        targetResources: [expect.objectContaining(onAda)],
      },
    ],
  ],
  [
    'setup.failed',
    async () => {
      const { id } = await signIn(server.sandbox);
      await server.sandbox.signIns.selectNext(id);
      await server.sandbox.signIns.failSetup(id);
    },
    [
      { activityDisplayName: 'User started security info registration' },
      { ...methods, activityDisplayName: 'User registered security info', result: 'failure', initiatedBy: byAda },
    ],
  ],
  [
    'method.added by the user',
    () => server.sandbox.securityInfo.addMethod('ada', 'voice'),
    [{ ...methods, activityDisplayName: 'User registered security info', resultReason: 'User registered Voice' }],
  ],
  [
    'method.added by this API',
    () => server.sandbox.recorder.record({ type: 'method.added', userId: 'ada', method: 'voice', caller }),
    [
      {
        ...methods,
        activityDisplayName: 'Admin registered security info',
        operationType: 'Add',
        initiatedBy: byTool,
        targetResources: [expect.objectContaining(onAda)],
      },
    ],
  ],
  [
    'passkey.added by the user',
    () =>
      server.sandbox.recorder.record({
        type: 'passkey.added',
        userId: 'ada',
        passkey: { type: 'security-key', deviceId: 'd' },
        credential,
      }),
    [{ ...methods, activityDisplayName: 'User registered security info', resultReason: 'User registered Passkey' }],
  ],
  [
    'passkey.added by this API',
    () =>
      server.sandbox.recorder.record({
        type: 'passkey.added',
        userId: 'ada',
        passkey: { type: 'security-key', deviceId: 'd' },
        credential,
        caller: { kind: 'user', id: 'ada' },
      }),
    [{ ...methods, activityDisplayName: 'Admin registered security info', initiatedBy: byAda }],
  ],
  [
    'method.removed by the control API',
    () => server.sandbox.directory.removeMethod('ada', 'sms'),
    [
      {
        ...methods,
        activityDisplayName: 'Admin deleted security info',
        operationType: 'Delete',
        resultReason: 'Admin deleted SMS',
        initiatedBy: byControl,
      },
    ],
  ],
  [
    'method.removed by this API',
    () => server.sandbox.recorder.record({ type: 'method.removed', userId: 'ada', method: 'sms', caller }),
    [{ ...methods, activityDisplayName: 'Admin deleted security info', initiatedBy: byTool }],
  ],
  [
    'passkey.removed on the page of the user',
    () => server.sandbox.recorder.record({ type: 'passkey.removed', userId: 'ada', place: 0 }),
    [{ ...methods, activityDisplayName: 'User deleted security info', operationType: 'Delete', initiatedBy: byAda }],
  ],
  [
    'passkey.removed by this API',
    () => server.sandbox.recorder.record({ type: 'passkey.removed', userId: 'ada', place: 0, caller }),
    [{ ...methods, activityDisplayName: 'Admin deleted security info', initiatedBy: byTool }],
  ],
  [
    'user.put new',
    () => server.sandbox.directory.putUser('bob', { displayName: 'Bob', groups: ['sales'] }),
    [
      {
        ...directory,
        activityDisplayName: 'Add user',
        operationType: 'Add',
        initiatedBy: byControl,
        targetResources: [expect.objectContaining({ id: 'bob', displayName: 'Bob', type: 'User' })],
      },
      {
        ...membership,
        activityDisplayName: 'Add member to group',
        operationType: 'Add',
        targetResources: [
          expect.objectContaining({ id: 'bob', type: 'User' }),
          expect.objectContaining({ id: 'sales', type: 'Group' }),
        ],
      },
    ],
  ],
  [
    'user.put known',
    () => server.sandbox.directory.patchUser('ada', { displayName: 'Ada L.', password: 'another secret' }),
    [
      {
        ...directory,
        activityDisplayName: 'Update user',
        operationType: 'Update',
        targetResources: [
          expect.objectContaining({
            modifiedProperties: [{ displayName: 'displayName', oldValue: '"Ada"', newValue: '"Ada L."' }],
          }),
        ],
      },
    ],
  ],
  [
    'user.removed',
    () => server.sandbox.directory.removeUser('ada'),
    [
      {
        ...directory,
        activityDisplayName: 'Delete user',
        operationType: 'Delete',
        targetResources: [expect.objectContaining(onAda)],
      },
    ],
  ],
  [
    'group membership changed',
    () => server.sandbox.directory.patchUser('ada', { groups: ['europe'] }),
    [
      { activityDisplayName: 'Update user' },
      { ...membership, activityDisplayName: 'Add member to group', operationType: 'Add' },
      {
        ...membership,
        activityDisplayName: 'Remove member from group',
        operationType: 'Delete',
        targetResources: [expect.objectContaining({ id: 'ada' }), expect.objectContaining({ id: 'sales' })],
      },
    ],
  ],
  [
    'group in a group changed',
    () => server.sandbox.directory.patchTenant({ groups: { sales: ['all'] } }, 'control-api'),
    [
      {
        ...membership,
        activityDisplayName: 'Add member to group',
        targetResources: [
          expect.objectContaining({ id: 'sales', type: 'Group' }),
          expect.objectContaining({ id: 'all', type: 'Group' }),
        ],
      },
    ],
  ],
  [
    'preferredMethod changed',
    () => server.sandbox.directory.patchUser('ada', { directory: { preferredMethod: 'sms' } }),
    [
      { activityDisplayName: 'Update user' },
      { ...methods, activityDisplayName: 'User changed default security info', operationType: 'Update' },
    ],
  ],
  [
    'user.directoryChanged by this API',
    () =>
      server.sandbox.recorder.record({
        type: 'user.directoryChanged',
        userId: 'ada',
        directory: { preferredMethod: 'sms', email: 'ada@home.test' },
        caller,
      }),
    [
      { ...methods, activityDisplayName: 'User changed default security info', initiatedBy: byTool },
      { ...methods, activityDisplayName: 'Admin registered security info', resultReason: 'Admin registered Email' },
    ],
  ],
  ['snooze.set', () => server.sandbox.directory.setSnooze('ada', { count: 1, snoozedAtMs: null }), []],
  ['clock.set', () => server.sandbox.clock.advance({ ms: 0 }), []],
  ['settings alone', () => server.sandbox.directory.patchSettings({ branding: { name: 'A' } }, 'control-api'), []],
  [
    'facts that the policy does not show',
    () => server.sandbox.directory.patchTenant({ options: { strictDevice: true } }, 'control-api'),
    [],
  ],
];

describe('rows of events', () => {
  test.each(cases)('DIR80: %s', async (_name, change, expected) => {
    await change();
    const found = await added();
    expect(found).toHaveLength(expected.length);
    expect(found).toMatchObject(expected);
  });

  test('DIR80: no row contains a password or a code', async () => {
    await server.sandbox.directory.putUser('bob', { password: 'bobs password', code: '987654' });
    await server.sandbox.directory.patchUser('ada', { password: 'another secret', code: '654321' });
    const { text } = await server.ask(path);
    expect(text).toContain('Update user');
    for (const secret of ['bobs password', '987654', 'another secret', '654321']) expect(text).not.toContain(secret);
  });
});

describe('changes of the policy', () => {
  const policy = '/v1.0/policies/authenticationMethodsPolicy';
  const campaignOf = (text: unknown) =>
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
    expect([campaignOf(change?.oldValue), campaignOf(change?.newValue)]).toMatchObject([
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
    expect(campaignOf(whole?.newValue)).toMatchObject({ state: 'enabled' });
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
