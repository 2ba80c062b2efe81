import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { passkeyTypes, registeredMethods } from '../../../machines/vocabulary.ts';
import { nonEmpty } from '../../non-empty.ts';
import { DirectoryServer } from './directory-server.ts';

let server: DirectoryServer;

const path = '/reports/authenticationMethods/userRegistrationDetails';

afterEach(() => server.stop());

async function start(users: readonly object[], settings: object = {}, tenant: object = {}) {
  server = await DirectoryServer.start({
    clock: { nowMs: Date.UTC(2026, 0, 5, 9), running: false },
    settings,
    tenant,
    users,
  });
}

async function readRow(user: object, settings: object = {}, tenant: object = {}) {
  await start([{ id: 'ada', methods: [], mfaCapable: false, ...user }], settings, tenant);
  const { status, body } = await server.ask(`/v1.0${path}/ada`);
  expect(status).toBe(200);
  return body;
}

const sspr = { directory: { sspr: { state: 'all' } } };
const app = (authenticationMode: string, more: object = {}) => ({
  methodsPolicy: {
    authenticator: { includeTargets: [{ targetType: 'group', id: 'all_users', authenticationMode }], ...more },
  },
});
const passwordless = { methods: ['authenticator-push'], directory: { passwordlessPhone: true } };

describe('userRegistrationDetails', () => {
  test('DIR6: a row has every field, and the context of its collection', async () => {
    expect(await readRow({ displayName: 'Ada', userPrincipalName: 'ada@x.test', type: 'guest' })).toEqual({
      '@odata.context': `${server.url}/v1.0/$metadata#reports/authenticationMethods/userRegistrationDetails/$entity`,
      id: 'ada',
      isAdmin: false,
      isMfaCapable: false,
      isMfaRegistered: false,
      isPasswordlessCapable: false,
      isSsprCapable: false,
      isSsprEnabled: false,
      isSsprRegistered: false,
      isSystemPreferredAuthenticationMethodEnabled: true,
      lastUpdatedDateTime: '2026-01-05T09:00:00.000Z',
      methodsRegistered: [],
      systemPreferredAuthenticationMethods: ['none'],
      userDisplayName: 'Ada',
      userPreferredMethodForSecondaryAuthentication: 'none',
      userPrincipalName: 'ada@x.test',
      userType: 'guest',
    });
  });

  test.for<[string, unknown, object, object?, object?]>([
    ['userType', 'member', {}],
    ['isAdmin', true, { roles: ['Own Role'] }],
    ['isMfaCapable', true, { mfaCapable: true }],
    ...registeredMethods.map((method): [string, unknown, object] => ['isMfaRegistered', true, { methods: [method] }]),
    ['isMfaRegistered', true, { passkeys: [{ type: 'keychain', deviceId: 'm' }] }],
    ['isMfaRegistered', false, { directory: { email: 'a@b.test' } }],
    ['isPasswordlessCapable', true, { passkeys: [{ type: 'keychain', deviceId: 'm' }] }],
    [
      'isPasswordlessCapable',
      false,
      { passkeys: [{ type: 'keychain', deviceId: 'm' }] },
      {},
      { methodsPolicy: { fido2: { state: 'disabled' } } },
    ],
    [
      'isPasswordlessCapable',
      false,
      { passkeys: [{ type: 'keychain', deviceId: 'm' }], groups: ['out'] },
      {},
      { methodsPolicy: { fido2: { excludeTargets: [{ targetType: 'group', id: 'out' }] } } },
    ],
    ['isPasswordlessCapable', true, passwordless, {}, app('any')],
    ['isPasswordlessCapable', true, passwordless, {}, app('deviceBasedPush')],
    ['isPasswordlessCapable', false, passwordless, {}, app('push')],
    ['isPasswordlessCapable', false, passwordless, {}, app('any', { state: 'disabled' })],
    ['isPasswordlessCapable', false, { methods: ['authenticator-push'] }, {}, app('any')],
    ['isSsprRegistered', true, { methods: ['voice'] }],
    ['isSsprRegistered', true, { methods: ['authenticator-push'] }],
    ['isSsprRegistered', true, { directory: { email: 'a@b.test' } }],
    ['isSsprRegistered', false, { methods: ['hardware-totp'], passkeys: [{ type: 'keychain', deviceId: 'm' }] }],
    ['isSsprEnabled', true, {}, sspr],
    ['isSsprCapable', false, {}, sspr],
    ['isSsprCapable', true, { methods: ['sms'] }, sspr],
    ['isSsprCapable', false, { methods: ['sms'] }],
    ['userPreferredMethodForSecondaryAuthentication', 'push', { directory: { preferredMethod: 'push' } }],
    ['userPreferredMethodForSecondaryAuthentication', 'sms', { methods: ['hardware-totp', 'voice', 'sms'] }],
    ['userPreferredMethodForSecondaryAuthentication', 'voiceOffice', { methods: ['voice', 'authenticator-totp'] }],
    [
      'userPreferredMethodForSecondaryAuthentication',
      'oath',
      { methods: ['authenticator-push', 'authenticator-totp'] },
    ],
    ['userPreferredMethodForSecondaryAuthentication', 'push', { methods: ['hardware-totp', 'authenticator-push'] }],
    ['userPreferredMethodForSecondaryAuthentication', 'oath', { methods: ['hardware-totp'] }],
    ['systemPreferredAuthenticationMethods', ['push'], { methods: registeredMethods }],
    ['systemPreferredAuthenticationMethods', ['oath'], { methods: ['sms', 'hardware-totp'] }],
    ['systemPreferredAuthenticationMethods', ['sms'], { methods: ['voice', 'sms'] }],
    ['systemPreferredAuthenticationMethods', ['voiceMobile'], { methods: ['voice'] }],
    ['methodsRegistered', ['mobilePhone'], { methods: ['voice', 'sms'] }],
    ['methodsRegistered', ['officePhone'], { methods: ['voice'] }],
    [
      'methodsRegistered',
      ['mobilePhone', 'officePhone', 'alternateMobilePhone'],
      { methods: ['sms', 'voice'], directory: { phones: { office: '+1 2', alternateMobile: '+1 3' } } },
    ],
    ['methodsRegistered', ['vendorAuthenticatorPush'], { methods: ['authenticator-push'] }],
    ['methodsRegistered', ['vendorAuthenticatorPush', 'vendorAuthenticatorPasswordless'], passwordless, {}, app('any')],
    ['methodsRegistered', ['otherPush'], { methods: ['authenticator-push'] }, { authenticatorWireName: 'other' }],
    [
      'methodsRegistered',
      ['softwareOneTimePasscode', 'hardwareOneTimePasscode', 'email'],
      { methods: ['hardware-totp', 'authenticator-totp'], directory: { email: 'a@b.test' } },
    ],
    [
      'methodsRegistered',
      [
        'windowsHelloForBusiness',
        'passKeyDeviceBoundWindowsHello',
        'macOsSecureEnclaveKey',
        'passKeyDeviceBoundAuthenticator',
        'passKeyDeviceBound',
        'passKeySynced',
      ],
      { passkeys: passkeyTypes.map((type) => ({ type, deviceId: 'd' })) },
    ],
  ])('DIR: %s is %j for %j', async ([field, wanted, user, settings, tenant]) => {
    expect((await readRow(user, settings, tenant))[field]).toEqual(wanted);
  });

  test('DIR: the row of a user who does not exist is 404', async () => {
    await start([{ id: 'ada' }]);
    expect((await server.ask(`/v1.0${path}/nobody`)).status).toBe(404);
  });

  test.for<[string, readonly unknown[]]>([
    ["$filter=methodsRegistered/any(i:i eq 'mobilePhone')", ['bob', 'cy']],
    ["$filter=methodsRegistered/any(i:i eq 'vendorAuthenticatorPush')", ['ada']],
    ["$filter=methodsRegistered/any(i:i eq 'otherPush')", ['ada']],
    ["$filter=systemPreferredAuthenticationMethods/any(t: t eq 'sms')", ['bob', 'cy']],
    ["filter=IsAdmin eq true and isMfaRegistered eq true and userType eq 'member'", ['ada']],
    ["$filter=startswith(userDisplayName,'c')", ['cy']],
    ["$filter=startswith(userPrincipalName,'BOB')", ['bob']],
    ["$filter=userType eq 'guest' or id eq 'bob'", ['bob', 'cy']],
    ["$filter=userPreferredMethodForSecondaryAuthentication ne 'sms'", ['ada']],
    ['$orderby=userDisplayName desc', ['cy', 'bob', 'ada']],
    ['$orderby=userPrincipalName desc&$skip=1', ['bob', 'ada']],
    ['$skip=1&$top=1', ['bob']],
    ['', ['ada', 'bob', 'cy']],
  ])('DIR: %s selects %j', async ([query, wanted]) => {
    await start(
      [
        { id: 'cy', type: 'guest', methods: ['sms'] },
        { id: 'ada', roles: ['Global Reader'], methods: ['authenticator-push'] },
        { id: 'bob', methods: ['sms'] },
      ],
      { authenticatorWireName: 'other' },
    );
    const { status, body } = await server.ask(`/v1.0${path}?$count=true&${query}`);
    expect(status).toBe(200);
    expect(body.value?.map(({ id }) => id)).toEqual(wanted);
    expect(typeof body['@odata.count']).toBe('number');
    expect((await server.ask(`/v1.0${path}/$count`)).text).toBe('3');
  });

  test('400: a filter of another field or with another operator, and other options', async () => {
    await start([{ id: 'ada' }]);
    for (const query of nonEmpty([
      '$filter=lastUpdatedDateTime ge 2026-01-01T00:00:00Z',
      "$filter=startswith(userType,'m')",
      "$filter=methodsRegistered/any(i:startswith(i,'m'))",
      '$orderby=id',
      '$search="userDisplayName:a"',
      '$expand=memberOf',
      '$top=1001',
    ])) {
      expect([query, (await server.ask(`/v1.0${path}?${query}`)).status]).toEqual([query, 400]);
    }
  });

  test('DIR23: pages have up to 1,000 rows and show one state', async () => {
    const ids = Array.from({ length: 1500 }, (_, index) => `user-${String(index).padStart(4, '0')}`);
    await start(ids.map((id) => ({ id })));
    const first = await server.ask(`/v1.0${path}?$select=id`);
    await server.sandbox.directory.removeUser('user-1400');
    const second = await server.ask(String(first.body['@odata.nextLink']));
    const listed = [first, second].map(({ body }) => body.value?.map(({ id }) => id) ?? []);
    expect(listed.map(({ length }) => length)).toEqual([1000, 500]);
    expect(listed.flat()).toEqual(ids);
    expect(second.body['@odata.nextLink']).toBeUndefined();
  });

  test('DIR: reportLagHours shows the state of that long ago', async () => {
    await start([{ id: 'ada', methods: [] }], { directory: { reportLagHours: 2 } });
    const names = async () => {
      const authorization = `Bearer ${await server.token()}`;
      return (await server.ask(`/v1.0${path}/ada`, { headers: { authorization } })).body['methodsRegistered'];
    };
    await server.sandbox.directory.patchUser('ada', { methods: ['sms'] });
    expect(await names()).toEqual([]);
    await server.sandbox.clock.advance({ hours: 1 });
    await server.sandbox.directory.patchUser('ada', { methods: ['voice'] });
    expect(await names()).toEqual([]);
    await server.sandbox.clock.advance({ hours: 1 });
    expect(await names()).toEqual(['mobilePhone']);
    await server.sandbox.clock.advance({ hours: 1 });
    expect(await names()).toEqual(['officePhone']);
  });
});

type Change = (sandbox: DirectoryServer['sandbox']) => Promise<unknown>;

/** Changes of a sandbox that can change a row, and some that cannot. */
const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.subarray([...registeredMethods]).map(
    (methods): Change =>
      ({ directory }) =>
        directory.patchUser('ada', { methods }),
  ),
  fc.subarray([...passkeyTypes]).map(
    (types): Change =>
      ({ directory }) =>
        directory.patchUser('ada', { passkeys: types.map((type) => ({ type, deviceId: 'd' })) }),
  ),
  fc.constantFrom('enabled', 'disabled').map(
    (state): Change =>
      ({ directory }) =>
        directory.patchTenant({ methodsPolicy: { fido2: { state } } }, 'control-api'),
  ),
  fc.constantFrom('none', 'all').map(
    (state): Change =>
      ({ directory }) =>
        directory.patchSettings({ directory: { sspr: { state } } }, 'control-api'),
  ),
  fc.integer({ min: 1, max: 9 }).map(
    (snoozeDurationInDays): Change =>
      ({ directory }) =>
        directory.patchTenant({ campaign: { snoozeDurationInDays } }, 'control-api'),
  ),
  fc.integer({ min: 0, max: 2 }).map(
    (count): Change =>
      ({ directory }) =>
        directory.setSnooze('ada', { count, snoozedAtMs: null }),
  ),
  fc.constantFrom('Ada', 'Ada L.').map(
    (displayName): Change =>
      ({ directory }) =>
        directory.patchUser('ada', { displayName }),
  ),
);

describe('lastUpdatedDateTime', () => {
  test('DIR: it is the time of the last entry that changed the row, and of no other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 8 }), async (list) => {
        await start([{ id: 'ada', displayName: 'Ada', methods: [] }]);
        const { clock } = server.sandbox;
        const read = async () => (await server.ask(`/v1.0${path}/ada`)).body;
        let { lastUpdatedDateTime: wanted, ...row } = await read();
        for (const change of nonEmpty(list)) {
          await clock.advance({ minutes: 1 });
          await change(server.sandbox);
          const { lastUpdatedDateTime: updated, ...after } = await read();
          if (JSON.stringify(after) !== JSON.stringify(row)) wanted = new Date(clock.nowMs()).toISOString();
          expect(updated).toBe(wanted);
          row = after;
        }
        await server.stop();
      }),
      { numRuns: 60 },
    );
  });
});

describe('summaries', () => {
  const users = [
    { id: 'ada', roles: ['Global Administrator'], methods: ['sms', 'authenticator-push'], mfaCapable: true },
    { id: 'bob', roles: ['Own Role'], methods: [], mfaCapable: false },
    { id: 'cy', methods: [], passkeys: [{ type: 'keychain', deviceId: 'm' }], mfaCapable: true },
    { id: 'gus', type: 'guest', methods: ['sms'], mfaCapable: false },
  ];
  const at = '/v1.0/reports/authenticationMethods/';

  test.for<[string, string, string, number, readonly number[]]>([
    ['', 'all', 'all', 4, [2, 4, 2, 1, 2]],
    ['()', 'all', 'all', 4, [2, 4, 2, 1, 2]],
    ["(includedUserTypes='all',includedUserRoles='all')", 'all', 'all', 4, [2, 4, 2, 1, 2]],
    ["(includedUserTypes='member',includedUserRoles='all')", 'member', 'all', 3, [1, 3, 1, 1, 2]],
    ["(includedUserTypes='guest',includedUserRoles='user')", 'guest', 'user', 1, [1, 1, 1, 0, 0]],
    ["(includedUserRoles='admin')", 'all', 'admin', 2, [1, 2, 1, 0, 1]],
    ["(includedUserRoles='privilegedAdmin')", 'all', 'privilegedAdmin', 1, [1, 1, 1, 0, 1]],
  ])('DIR68: usersRegisteredByFeature%s', async ([suffix, userTypes, userRoles, totalUserCount, counts]) => {
    await start(users, sspr);
    const features = ['ssprRegistered', 'ssprEnabled', 'ssprCapable', 'passwordlessCapable', 'mfaCapable'];
    for (const namespace of nonEmpty(['', 'graph.', 'microsoft.graph.'])) {
      const { body } = await server.ask(`${at}${namespace}usersRegisteredByFeature${suffix}`);
      expect(body).toEqual({
        '@odata.context': `${server.url}/v1.0/$metadata#graph.userRegistrationFeatureSummary`,
        userTypes,
        userRoles,
        totalUserCount,
        userRegistrationFeatureCounts: features.map((feature, index) => ({ feature, userCount: counts[index] })),
      });
    }
  });

  test('DIR68: usersRegisteredByMethod counts the methods of at least one user', async () => {
    await start(users);
    const { body } = await server.ask(`${at}usersRegisteredByMethod(includedUserTypes='all',includedUserRoles='all')`);
    expect(body).toMatchObject({
      totalUserCount: 4,
      userRegistrationMethodCounts: [
        { authenticationMethod: 'password', userCount: 3 },
        { authenticationMethod: 'mobilePhone', userCount: 2 },
        { authenticationMethod: 'vendorAuthenticatorPush', userCount: 1 },
        { authenticationMethod: 'passKeySynced', userCount: 1 },
      ],
    });
  });

  test('DIR68: an unknown word is 400, and an unknown argument is no resource', async () => {
    await start(users);
    expect((await server.ask(`${at}usersRegisteredByMethod(includedUserTypes='robots')`)).status).toBe(400);
    expect((await server.ask(`${at}usersRegisteredByMethod(includedColors='all')`)).status).toBe(404);
  });
});
