import { dayMs, snoozeLimit } from '../../../machines/campaign-limits.ts';
import { type AxisValue, type FactAxis, FactSpace } from '../../compiled/fact-space.ts';
import { axesBase, axis, deviceAxes, policyAxes, userAxes } from '../models/eligibility-axes.ts';
import { givenFacts } from '../models/given-facts.ts';

const { nowMs } = axesBase.attempt;

function flag(name: string, path: string, usually: boolean): FactAxis {
  return axis(name, { [String(usually)]: { [path]: usually }, [String(!usually)]: { [path]: !usually } });
}

function mfa(completed: boolean, provider: string, method: string | null): AxisValue['sets'] {
  return { 'attempt.mfa': { completed, provider, method } };
}

function snooze(count: number, elapsedMs: number | null): AxisValue['sets'] {
  return { 'user.snooze': { count, snoozedAtMs: elapsedMs === null ? null : nowMs - elapsedMs } };
}

const everybody = { targetType: 'group', id: 'all_users' };
const pilot = { targetType: 'group', id: 'pilot' };
const leavers = { targetType: 'group', id: 'leavers' };

function app(state: string, authenticationMode: string, target: object, excludeTargets: readonly object[] = []) {
  const includeTargets = [{ ...target, authenticationMode }];
  return { 'tenant.methodsPolicy.authenticator': { state, includeTargets, excludeTargets } };
}

function profiles(target: object, ...given: readonly object[]): AxisValue['sets'] {
  const all = given.map((profile, at) => ({
    id: `p${at + 1}`,
    passkeyTypes: 'any',
    attestationEnforced: false,
    keyRestrictions: null,
    ...profile,
  }));
  return {
    'tenant.methodsPolicy.fido2.includeTargets': [{ ...target, profiles: all.map(({ id }) => id) }],
    'tenant.methodsPolicy.fido2.profiles': all,
  };
}

function restriction(type: string, ...kinds: readonly string[]) {
  return { keyRestrictions: { type, kinds } };
}

/** Policy axes of both methods, one per setting. */
const methodAxes: readonly FactAxis[] = [
  axis('app policy', {
    open: app('enabled', 'any', everybody),
    'passwordless only': app('enabled', 'deviceBasedPush', everybody),
    off: app('disabled', 'any', everybody),
    'off and passwordless only': app('disabled', 'deviceBasedPush', everybody),
    'for a group': app('enabled', 'any', pilot),
    'passwordless only for a group': app('enabled', 'deviceBasedPush', pilot),
    'for another group': app('enabled', 'any', leavers),
    'not for a group': app('enabled', 'any', everybody, [pilot]),
  }),
  flag('passkey self-service setup', 'tenant.methodsPolicy.fido2.selfService', true),
  axis('passkey state', {
    enabled: { 'tenant.methodsPolicy.fido2.state': 'enabled' },
    disabled: { 'tenant.methodsPolicy.fido2.state': 'disabled' },
  }),
  axis('passkey exclusion', {
    none: { 'tenant.methodsPolicy.fido2.excludeTargets': [] },
    'of a group': { 'tenant.methodsPolicy.fido2.excludeTargets': [pilot] },
  }),
  axis('passkey restrictions', {
    none: { 'tenant.methodsPolicy.fido2.keyRestrictions': null },
    'of the tenant': { 'tenant.methodsPolicy.fido2.keyRestrictions': { type: 'block', kinds: ['security-key'] } },
  }),
  axis('passkey profiles', {
    none: profiles(everybody),
    'none, for a group': profiles(pilot),
    'for another group': profiles(leavers),
    unrestricted: profiles(everybody, {}),
    'synced only': profiles(everybody, { passkeyTypes: 'synced' }),
    'synced only, for a group': profiles(pilot, { passkeyTypes: 'synced' }),
    'device-bound only': profiles(everybody, { passkeyTypes: 'deviceBound' }),
    attested: profiles(everybody, { passkeyTypes: 'deviceBound', attestationEnforced: true }),
    'any, attested': profiles(everybody, { attestationEnforced: true }),
    'block list': profiles(everybody, restriction('block', 'security-key')),
    'eligible allow list': profiles(everybody, restriction('allow', 'keychain', 'security-key')),
    'other allow list': profiles(everybody, restriction('allow', 'security-key')),
    'block list, for a group': profiles(pilot, restriction('block', 'security-key')),
    'two, one restricted': profiles(everybody, restriction('block', 'keychain'), {}),
  }),
];

/**
 * Sign-in axes, one per condition, so several can occur together: only then does the order of gates make a difference.
 */
const contextAxes: readonly FactAxis[] = [
  axis('second factor', {
    'text message': mfa(true, 'service', 'sms'),
    push: mfa(true, 'service', 'authenticator-push'),
    none: mfa(false, 'service', null),
    elsewhere: mfa(true, 'external', null),
    'at home': mfa(true, 'home-tenant', null),
  }),
  flag('already signed in', 'attempt.ssoSession', false),
  flag('registered in this session', 'attempt.registeredThisSession', false),
  flag('registration blocked', 'attempt.conditionalAccess.registrationPageBlocked', false),
  flag('registration condition met', 'attempt.conditionalAccess.registrationConditionMet', true),
  flag('terms of use', 'attempt.termsOfUse', false),
  flag('custom controls', 'attempt.customControls', false),
  axis('snoozes', {
    none: snooze(0, null),
    'one, just now': snooze(1, 0),
    'one, 1 ms less than a day ago': snooze(1, dayMs - 1),
    'one, a day ago': snooze(1, dayMs),
    'one, 1 ms more than a day ago': snooze(1, dayMs + 1),
    'one, two days ago': snooze(1, 2 * dayMs),
    'one, 1 ms less than three days ago': snooze(1, 3 * dayMs - 1),
    'one, three days ago': snooze(1, 3 * dayMs),
    'one, in the future after the clock was set back': snooze(1, -dayMs),
    'two, over': snooze(snoozeLimit - 1, 14 * dayMs),
    'all used, over': snooze(snoozeLimit, 14 * dayMs),
    'more than all used, over': snooze(snoozeLimit + 1, 14 * dayMs),
  }),
];

/** Policy axes that are the same as in eligibility checks. */
const kept = ['campaign', 'strict device'];

/**
 * Creates the fact space for comparing rules: policies, users, devices and sign-ins, with sign-in conditions in any
 * combination. It is too large to enumerate, so a comparison covers only the axes that the affected gates read.
 */
export function comparedFacts(): FactSpace {
  return new FactSpace(
    givenFacts(axesBase),
    [
      ...policyAxes.filter(({ name }) => kept.includes(name)),
      ...methodAxes,
      ...userAxes,
      ...deviceAxes,
      ...contextAxes,
    ],
    Number.MAX_SAFE_INTEGER,
  );
}
