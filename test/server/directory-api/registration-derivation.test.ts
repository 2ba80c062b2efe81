import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { passkeyTypes, registeredMethods } from '../../../machines/vocabulary.ts';
import type { SandboxUser } from '../../../src/contract/sandbox.schema.ts';
import { DirectoryServer } from './directory-server.ts';

let server: DirectoryServer;

beforeAll(async () => {
  server = await DirectoryServer.start({ users: [{ id: 'ada' }] });
});

afterAll(() => server.stop());

const preferences = ['push', 'oath', 'voiceMobile', 'voiceAlternateMobile', 'voiceOffice', 'sms'];

/** Includes everyone, a user, or a group, or no one. */
const targets = fc.constantFrom<readonly string[]>([], ['all_users'], ['sales'], ['other'], ['sales', 'other']);
const excluded = targets.map((ids) => ids.filter((id) => id !== 'all_users'));
const modes = fc.constantFrom('any', 'push', 'deviceBasedPush');
const states = fc.constantFrom('enabled', 'disabled');

const situations = fc.record({
  user: fc.record({
    type: fc.constantFrom('member', 'guest'),
    methods: fc.subarray([...registeredMethods]),
    types: fc.subarray([...passkeyTypes]),
    groups: fc.subarray(['sales', 'europe']),
    mfaCapable: fc.boolean(),
    roles: fc.constantFrom([], ['Own Role']),
  }),
  directory: fc.record(
    {
      email: fc.constant('a@b.test'),
      preferredMethod: fc.constantFrom(...preferences),
      passwordlessPhone: fc.boolean(),
      phones: fc.record({ office: fc.constant('+1 2'), alternateMobile: fc.constant('+1 3') }, { requiredKeys: [] }),
      temporaryAccessPass: fc.constant({
        createdDateTime: '2026-01-05T09:00:00Z',
        startDateTime: '2026-01-05T09:00:00Z',
        lifetimeInMinutes: 60,
        isUsableOnce: false,
      }),
    },
    { requiredKeys: [] },
  ),
  fido2: fc.record({ state: states, include: targets, exclude: excluded }),
  app: fc.record({ state: states, include: targets, exclude: excluded, mode: modes }),
  preference: fc.record({
    state: fc.constantFrom('default', 'enabled', 'disabled'),
    include: targets,
    exclude: excluded,
  }),
  sspr: fc.constantFrom('none', 'all'),
});
type Situation = typeof situations extends fc.Arbitrary<infer Value> ? Value : never;

const toTargets = (ids: readonly string[], more: object = {}) =>
  ids.map((id) => ({ targetType: 'group', id, ...more }));

/** Says what the specification derives for a user, without any code of the product. */
function derive({ user, directory, fido2, app, preference, sspr }: Situation) {
  // Europe is in the group other.
  const groups = ['all_users', ...user.groups, ...(user.groups.includes('europe') ? ['other'] : [])];
  const isIn = (ids: readonly string[]) => ids.some((id) => groups.includes(id));
  const isOn = (method: { state: string; include: readonly string[]; exclude: readonly string[] }) =>
    method.state === 'enabled' && isIn(method.include) && !isIn(method.exclude);
  const has = (method: string) => user.methods.some((one) => one === method);
  const alternate = has('sms') && has('voice') && directory.phones?.alternateMobile !== undefined;
  const office = has('voice') && (!has('sms') || directory.phones?.office !== undefined);
  const passwordless =
    has('authenticator-push') && directory.passwordlessPhone === true && isOn(app) && app.mode !== 'push';
  const registered = [
    [has('sms'), 'mobilePhone'],
    [office, 'officePhone'],
    [alternate, 'alternateMobilePhone'],
    [has('authenticator-push'), 'vendorAuthenticatorPush'],
    [passwordless, 'vendorAuthenticatorPasswordless'],
    [has('authenticator-totp'), 'softwareOneTimePasscode'],
    [has('hardware-totp'), 'hardwareOneTimePasscode'],
    [directory.email !== undefined, 'email'],
    [directory.temporaryAccessPass !== undefined, 'temporaryAccessPass'],
    [user.types.includes('windows-hello-for-business'), 'windowsHelloForBusiness'],
    [user.types.includes('windows-bound'), 'passKeyDeviceBoundWindowsHello'],
    [user.types.includes('mac-platform-sso'), 'macOsSecureEnclaveKey'],
    [user.types.includes('authenticator-app'), 'passKeyDeviceBoundAuthenticator'],
    [user.types.includes('security-key'), 'passKeyDeviceBound'],
    [user.types.some((type) => ['password-manager', 'keychain', 'handset-vendor'].includes(type)), 'passKeySynced'],
  ].flatMap(([isThere, name]) => (isThere === true ? [name] : []));
  const first = [
    [has('sms'), 'sms'],
    [has('voice'), has('sms') ? 'voiceMobile' : 'voiceOffice'],
    [has('authenticator-totp'), 'oath'],
    [has('authenticator-push'), 'push'],
    [has('hardware-totp'), 'oath'],
  ].find(([isThere]) => isThere === true);
  const isSystem =
    preference.state !== 'disabled' &&
    (isIn(preference.include) || (preference.state === 'default' && preference.include.length === 0)) &&
    !isIn(preference.exclude);
  const system = [
    [has('authenticator-push'), 'push'],
    [has('authenticator-totp') || has('hardware-totp'), 'oath'],
    [has('sms'), 'sms'],
    [has('voice'), 'voiceMobile'],
    [true, 'none'],
  ].find(([isThere]) => isThere === true);
  const sspRegistered = has('sms') || has('voice') || has('authenticator-push') || directory.email !== undefined;
  return {
    id: 'ada',
    userPrincipalName: 'ada@example.test',
    userDisplayName: 'ada',
    userType: user.type,
    isAdmin: user.roles.length > 0,
    isMfaCapable: user.mfaCapable,
    isMfaRegistered: user.methods.length + user.types.length > 0,
    isPasswordlessCapable: (user.types.length > 0 && isOn(fido2)) || passwordless,
    isSsprRegistered: sspRegistered,
    isSsprEnabled: sspr === 'all',
    isSsprCapable: sspRegistered && sspr === 'all',
    methodsRegistered: registered,
    userPreferredMethodForSecondaryAuthentication: directory.preferredMethod ?? first?.[1] ?? 'none',
    isSystemPreferredAuthenticationMethodEnabled: isSystem,
    systemPreferredAuthenticationMethods: isSystem ? [system?.[1]] : [],
  };
}

describe('userRegistrationDetails', () => {
  test('DIR: every field of a row equals its derivation from the facts', async () => {
    await fc.assert(
      fc.asyncProperty(situations, async (situation) => {
        const { user, directory, fido2, app, preference, sspr } = situation;
        const { types, ...facts } = user;
        const { sandbox } = server;
        await sandbox.directory.putUser('ada', {
          ...facts,
          passkeys: types.map((type) => ({ type, deviceId: 'd' })),
          directory,
        } as Partial<SandboxUser>);
        await sandbox.directory.putTenant(
          {
            groups: { europe: ['other'] },
            methodsPolicy: {
              fido2: {
                state: fido2.state,
                includeTargets: toTargets(fido2.include, { profiles: [] }),
                excludeTargets: toTargets(fido2.exclude),
              },
              authenticator: {
                state: app.state,
                includeTargets: toTargets(app.include, { authenticationMode: app.mode }),
                excludeTargets: toTargets(app.exclude),
              },
            },
          },
          'control-api',
          { directory: { sspr: { state: sspr } } },
        );
        await server.sandbox.recorder.record({
          type: 'tenant.changed',
          facts: {},
          extras: {
            ...server.sandbox.recorder.state().extras,
            systemCredentialPreferences: {
              state: preference.state,
              includeTargets: toTargets(preference.include),
              excludeTargets: toTargets(preference.exclude),
            },
          },
          by: 'control-api',
        });
        const { body } = await server.ask('/v1.0/reports/authenticationMethods/userRegistrationDetails/ada');
        const { '@odata.context': _context, lastUpdatedDateTime: _updated, ...row } = body;
        expect(row).toEqual(derive(situation));
      }),
      { numRuns: 300 },
    );
  });
});
