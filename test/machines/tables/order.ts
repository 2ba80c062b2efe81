import type { ReasonCode, TargetedMethod } from '../../../machines/vocabulary.ts';
import { type Change, keys } from '../facts-builder.ts';

/** Change of facts that makes one gate stop and affects as few others as possible. */
export interface Stop {
  readonly reason: ReasonCode;
  readonly provoke: Change;
}

/**
 * Campaign with every reason that can stop it, in the order of evaluation, and the pairs that cannot occur together.
 */
export interface OrderTable {
  readonly title: string;
  readonly method: TargetedMethod;
  readonly managed: boolean;
  readonly ruleset: 'seed' | '2026-09';
  readonly stops: readonly Stop[];
  readonly exclusive: readonly (readonly [ReasonCode, ReasonCode])[];
}

const provoke = {
  'campaign-disabled': ({ tenant }) => {
    tenant.campaign.state = 'disabled';
  },
  'not-included': ({ tenant }) => {
    const targetedAuthenticationMethod = tenant.campaign.includeTargets[0]?.targetedAuthenticationMethod ?? 'fido2';
    tenant.campaign.includeTargets = [{ targetType: 'user', id: 'ben', targetedAuthenticationMethod }];
  },
  excluded: ({ tenant }) => {
    tenant.campaign.excludeTargets = [{ targetType: 'user', id: 'ada' }];
  },
  'not-voice-or-sms': ({ user }) => {
    user.methods = user.methods.filter((method) => method !== 'sms');
  },
  'not-mfa-capable': ({ tenant, user }) => {
    tenant.rollout.targeting = true;
    user.mfaCapable = false;
  },
  'sso-session': ({ attempt }) => {
    attempt.ssoSession = true;
  },
  'mfa-not-completed': ({ attempt }) => {
    attempt.mfa.completed = false;
  },
  'external-mfa': ({ attempt }) => {
    attempt.mfa.provider = 'external';
  },
  'mfa-not-voice-or-sms': ({ attempt }) => {
    attempt.mfa.method = 'hardware-totp';
  },
  'registered-this-session': ({ attempt }) => {
    attempt.registeredThisSession = true;
  },
  'registration-blocked': ({ attempt }) => {
    attempt.conditionalAccess.registrationPageBlocked = true;
  },
  'registration-condition-unmet': ({ attempt }) => {
    attempt.conditionalAccess.registrationConditionMet = false;
  },
  'terms-of-use': ({ attempt }) => {
    attempt.termsOfUse = true;
  },
  'custom-controls': ({ attempt }) => {
    attempt.customControls = true;
  },
  'unsupported-surface': ({ attempt }) => {
    attempt.surface = 'oobe';
  },
  'mobile-not-supported': ({ attempt }) => {
    attempt.os = 'ios';
  },
  'native-android': ({ attempt }) => {
    attempt.os = 'android';
    attempt.surface = 'native-app';
  },
  linux: ({ attempt }) => {
    attempt.os = 'linux';
  },
  'unknown-platform': ({ attempt }) => {
    attempt.os = 'unknown';
  },
  guest: ({ user }) => {
    user.type = 'guest';
  },
  'mode-passwordless': ({ tenant }) => {
    tenant.methodsPolicy.authenticator.includeTargets = [
      { targetType: 'group', id: 'all_users', authenticationMode: 'deviceBasedPush' },
    ];
  },
  'self-service-off': ({ tenant }) => {
    tenant.methodsPolicy.fido2.selfService = false;
  },
  'restricted-profile': ({ tenant: { methodsPolicy } }) => {
    const keyRestrictions = { ...keys('block'), kinds: [] };
    methodsPolicy.fido2.profiles = [{ id: 'shut', passkeyTypes: 'any', attestationEnforced: false, keyRestrictions }];
    methodsPolicy.fido2.includeTargets = [{ targetType: 'group', id: 'all_users', profiles: ['shut'] }];
  },
  'already-registered': ({ user }) => {
    user.methods.push('authenticator-push');
  },
  'local-passkey': ({ user }) => {
    user.passkeys = [{ type: 'security-key', deviceId: 'device-1' }];
  },
  snoozed: ({ user, attempt }) => {
    user.snooze = { count: 1, snoozedAtMs: attempt.nowMs };
  },
} as const satisfies Partial<Record<ReasonCode, Change>>;

function stops(...reasons: readonly (keyof typeof provoke)[]): readonly Stop[] {
  return reasons.map((reason) => ({ reason, provoke: provoke[reason] }));
}

const appNotEnabled: Stop = {
  reason: 'method-not-enabled',
  provoke: ({ tenant }) => {
    tenant.methodsPolicy.authenticator.state = 'disabled';
  },
};

const passkeyNotEnabled: Stop = {
  reason: 'method-not-enabled',
  provoke: ({ tenant }) => {
    tenant.methodsPolicy.fido2.state = 'disabled';
  },
};

/** Stops of the gates before those of the targeted method, from the session to the surface. */
const middle = [
  'registered-this-session',
  'registration-blocked',
  'registration-condition-unmet',
  'terms-of-use',
  'custom-controls',
  'unsupported-surface',
] as const;

const withoutMfa = ['mfa-not-completed', 'external-mfa'] as const;
const appPolicy = ['method-not-enabled', 'mode-passwordless'] as const;
const onePlatform = [
  ['native-android', 'linux'],
  ['native-android', 'unknown-platform'],
  ['linux', 'unknown-platform'],
  ['linux', 'local-passkey'],
  ['unknown-platform', 'local-passkey'],
  ['unsupported-surface', 'native-android'],
] as const;
const oneTargeting = ['not-voice-or-sms', 'not-mfa-capable'] as const;

const app = 'vendorAuthenticator';

export const orderTables: readonly OrderTable[] = [
  {
    title: 'app campaign, enabled, seed',
    method: app,
    managed: false,
    ruleset: 'seed',
    stops: [
      ...stops('campaign-disabled', 'not-included', 'excluded', 'sso-session', ...withoutMfa, ...middle),
      ...stops('mobile-not-supported'),
      appNotEnabled,
      ...stops('mode-passwordless', 'already-registered', 'snoozed'),
    ],
    exclusive: [withoutMfa, appPolicy],
  },
  {
    title: 'app campaign, provider managed before the rollout, seed',
    method: app,
    managed: true,
    ruleset: 'seed',
    stops: [
      ...stops('not-included', 'excluded', 'not-voice-or-sms', 'sso-session', ...withoutMfa, ...middle),
      ...stops('mobile-not-supported'),
      appNotEnabled,
      ...stops('mode-passwordless', 'already-registered', 'snoozed'),
    ],
    exclusive: [withoutMfa, appPolicy],
  },
  {
    title: 'app campaign, provider managed, 2026-09',
    method: app,
    managed: true,
    ruleset: '2026-09',
    stops: [
      ...stops('not-included', 'excluded', 'not-mfa-capable', 'sso-session', ...withoutMfa, 'mfa-not-voice-or-sms'),
      ...stops(...middle, 'mobile-not-supported'),
      appNotEnabled,
      ...stops('mode-passwordless', 'already-registered', 'snoozed'),
    ],
    exclusive: [withoutMfa, ['mfa-not-completed', 'mfa-not-voice-or-sms'], appPolicy],
  },
  {
    title: 'passkey campaign, enabled, seed',
    method: 'fido2',
    managed: false,
    ruleset: 'seed',
    stops: [
      ...stops('campaign-disabled', 'not-included', 'excluded', 'sso-session', ...withoutMfa, ...middle),
      ...stops('native-android', 'linux', 'unknown-platform', 'guest'),
      passkeyNotEnabled,
      ...stops('self-service-off', 'local-passkey', 'snoozed'),
    ],
    exclusive: [withoutMfa, ...onePlatform],
  },
  ...(['seed', '2026-09'] as const).map(
    (ruleset): OrderTable => ({
      title: `passkey campaign, provider managed, ${ruleset}`,
      method: 'fido2',
      managed: true,
      ruleset,
      stops: [
        ...stops('not-included', 'excluded', 'not-voice-or-sms', 'not-mfa-capable', 'sso-session'),
        ...stops(...withoutMfa, ...middle, 'native-android', 'linux', 'unknown-platform', 'guest'),
        passkeyNotEnabled,
        ...stops('self-service-off', 'restricted-profile', 'local-passkey', 'snoozed'),
      ],
      exclusive: [
        withoutMfa,
        ...onePlatform,
        oneTargeting,
        // A profile that does not allow the prompt allows no passkey that could suppress it.
        ...(ruleset === '2026-09' ? [['restricted-profile', 'local-passkey'] as const] : []),
      ],
    }),
  ),
];
