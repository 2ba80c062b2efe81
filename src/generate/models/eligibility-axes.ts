import { dayMs, snoozeLimit } from '../../../machines/campaign-limits.ts';
import { passkeyTypes } from '../../../machines/vocabulary.ts';
import type { AxisValue, FactAxis } from '../../compiled/fact-space.ts';
import { possiblePlatforms } from './possible-platforms.ts';

/** Time of every sign-in on the axes, in milliseconds: 2026-01-05T09:00:00.000Z, the start of every scenario. */
const nowMs = 1_767_603_600_000;

const pilot = { targetType: 'group', id: 'pilot' } as const;
const everybody = { targetType: 'group', id: 'all_users' } as const;

/** Facts that no axis sets: members of `staff` are also in the pilot group, and leavers are always excluded. */
export const axesBase = {
  tenant: {
    campaign: { excludeTargets: [{ targetType: 'group', id: 'leavers' }] },
    groups: { staff: ['pilot'] },
  },
  user: { id: 'ada' },
  attempt: { nowMs },
} as const;

const noRollout = { method: false, snoozeDays: false, snoozeLimit: false, targeting: false };

/** Creates an axis from its named values. */
export function axis(name: string, values: Readonly<Record<string, AxisValue['sets']>>): FactAxis {
  return { name, values: Object.entries(values).map(([value, sets]) => ({ name: value, sets })) };
}

function campaign(state: string, method: string | null, rollout: object = {}): AxisValue['sets'] {
  return {
    'tenant.campaign.state': state,
    'tenant.campaign.includeTargets': method === null ? [] : [{ ...pilot, targetedAuthenticationMethod: method }],
    'tenant.rollout': { ...noRollout, ...rollout },
  };
}

function passkeyPolicy(changes: object): AxisValue['sets'] {
  const open = {
    state: 'enabled',
    selfService: true,
    keyRestrictions: null,
    includeTargets: [{ ...everybody, profiles: [] }],
    excludeTargets: [],
    profiles: [],
  };
  return { 'tenant.methodsPolicy.fido2': { ...open, ...changes } };
}

function profile(changes: object): AxisValue['sets'] {
  const profiles = [{ id: 'own', passkeyTypes: 'any', attestationEnforced: false, keyRestrictions: null, ...changes }];
  return passkeyPolicy({ includeTargets: [{ ...everybody, profiles: ['own'] }], profiles });
}

function appPolicy(state: string, authenticationMode: string): AxisValue['sets'] {
  const includeTargets = [{ ...everybody, authenticationMode }];
  return { 'tenant.methodsPolicy.authenticator': { state, includeTargets, excludeTargets: [] } };
}

/** Policy axes: the campaign with its rollout, the snooze limit, and the policies of both methods. */
export const policyAxes: readonly FactAxis[] = [
  axis('campaign', {
    app: campaign('enabled', 'vendorAuthenticator'),
    passkey: campaign('enabled', 'fido2'),
    'without targets': campaign('enabled', null),
    disabled: campaign('disabled', 'fido2'),
    'managed, before the rollout': campaign('default', null),
    'managed, passkey rolled out': campaign('default', null, { method: true }),
    'managed, targeting rolled out': campaign('default', null, { targeting: true }),
    'managed, all rolled out': campaign('default', 'vendorAuthenticator', {
      method: true,
      snoozeDays: true,
      snoozeLimit: true,
      targeting: true,
    }),
  }),
  axis('app policy', {
    open: appPolicy('enabled', 'any'),
    'passwordless only': appPolicy('enabled', 'deviceBasedPush'),
    off: appPolicy('disabled', 'any'),
  }),
  axis('passkey policy', {
    open: passkeyPolicy({}),
    off: passkeyPolicy({ state: 'disabled' }),
    'no self-service': passkeyPolicy({ selfService: false }),
    'restricted keys': passkeyPolicy({ keyRestrictions: { type: 'block', kinds: ['security-key'] } }),
    'synced only': profile({ passkeyTypes: 'synced' }),
    attested: profile({ passkeyTypes: 'deviceBound', attestationEnforced: true }),
    'block list': profile({ keyRestrictions: { type: 'block', kinds: ['security-key'] } }),
    'allow list': profile({ keyRestrictions: { type: 'allow', kinds: ['keychain', 'security-key'] } }),
  }),
  axis('strict device', {
    no: { 'tenant.options.strictDevice': false },
    yes: { 'tenant.options.strictDevice': true },
  }),
];

/** User axes: scope, user type, methods and passkeys. */
export const userAxes: readonly FactAxis[] = [
  axis('scope', {
    'in a nested group': { 'user.groups': ['staff'] },
    outside: { 'user.groups': [] },
    excluded: { 'user.groups': ['staff', 'leavers'] },
  }),
  axis('user type', { member: { 'user.type': 'member' }, guest: { 'user.type': 'guest' } }),
  axis('methods', {
    'text message': { 'user.methods': ['sms'], 'user.mfaCapable': true },
    'voice call': { 'user.methods': ['voice'], 'user.mfaCapable': true },
    'app for codes': { 'user.methods': ['authenticator-totp'], 'user.mfaCapable': true },
    'app for push and text message': { 'user.methods': ['sms', 'authenticator-push'], 'user.mfaCapable': true },
    'hardware token': { 'user.methods': ['hardware-totp'], 'user.mfaCapable': true },
    none: { 'user.methods': [], 'user.mfaCapable': false },
  }),
  axis('passkey', {
    none: { 'user.passkeys': [] },
    ...Object.fromEntries(passkeyTypes.map((type) => [type, { 'user.passkeys': [{ type, deviceId: 'device-1' }] }])),
  }),
];

/** Device axes: the device that created the passkey or another one, and the platform of the sign-in. */
export const deviceAxes: readonly FactAxis[] = [
  axis('device', {
    'that made the passkey': { 'attempt.deviceId': 'device-1' },
    another: { 'attempt.deviceId': 'device-2' },
  }),
  axis(
    'platform',
    Object.fromEntries(
      possiblePlatforms.map(({ os, browser, surface }) => [
        `${os}, ${browser ?? 'no browser'}, ${surface}`,
        { 'attempt.os': os, 'attempt.browser': browser, 'attempt.surface': surface },
      ]),
    ),
  ),
];

const ownMfa = { completed: true, provider: 'service', method: 'sms' };
const access = { registrationPageBlocked: false, registrationConditionMet: true };

function context(changes: {
  readonly mfa?: object;
  readonly access?: object;
  readonly flag?: 'ssoSession' | 'registeredThisSession' | 'termsOfUse' | 'customControls';
}): AxisValue['sets'] {
  return {
    'attempt.mfa': { ...ownMfa, ...changes.mfa },
    'attempt.conditionalAccess': { ...access, ...changes.access },
    'attempt.ssoSession': changes.flag === 'ssoSession',
    'attempt.registeredThisSession': changes.flag === 'registeredThisSession',
    'attempt.termsOfUse': changes.flag === 'termsOfUse',
    'attempt.customControls': changes.flag === 'customControls',
  };
}

/** Axes for other conditions of the sign-in, one at a time, and for the snoozes so far. */
export const contextAxes: readonly FactAxis[] = [
  axis('sign-in context', {
    plain: context({}),
    'by a push': context({ mfa: { method: 'authenticator-push' } }),
    'without a second factor': context({ mfa: { completed: false } }),
    'second factor elsewhere': context({ mfa: { provider: 'external' } }),
    'second factor at home': context({ mfa: { provider: 'home-tenant' } }),
    'already signed in': context({ flag: 'ssoSession' }),
    'registered in this session': context({ flag: 'registeredThisSession' }),
    'registration blocked': context({ access: { registrationPageBlocked: true } }),
    'condition not met': context({ access: { registrationConditionMet: false } }),
    'terms of use': context({ flag: 'termsOfUse' }),
    'custom controls': context({ flag: 'customControls' }),
  }),
  axis('snoozes', {
    none: { 'user.snooze': { count: 0, snoozedAtMs: null } },
    'one, running': { 'user.snooze': { count: 1, snoozedAtMs: nowMs - dayMs + 1 } },
    'all used, over': { 'user.snooze': { count: snoozeLimit, snoozedAtMs: nowMs - 14 * dayMs } },
  }),
];
