import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appCampaign, signIn, startMs } from '../../journal/signing-in.ts';
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
