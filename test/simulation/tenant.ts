/** Initial tenant of all simulations, and the changes that its administrators make. */

const dayMs = 86_400_000;

/**
 * Four users with ids that the policy API accepts: three with text messages, one of them not MFA-capable, and one
 * with codes only.
 */
export const people = [
  { id: '00000000-0000-4000-8000-00000000000a' },
  { id: '00000000-0000-4000-8000-00000000000b', snooze: { count: 2 } },
  { id: '00000000-0000-4000-8000-00000000000c', methods: ['sms', 'voice'], mfaCapable: false },
  { id: '00000000-0000-4000-8000-00000000000d', methods: ['authenticator-totp'] },
] as const;

type Method = 'vendorAuthenticator' | 'fido2';

function everybody(method: Method): object {
  return { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: method };
}

/** Initial campaign, which prompts all users for the authenticator app. */
export const campaignAtFirst = { state: 'enabled', includeTargets: [everybody('vendorAuthenticator')] };

const [ada, ben, cleo] = people;

/** Valid updates of the policy. Some of them are rejected while the provider manages the campaign. */
export const policyPatches: readonly object[] = [
  { snoozeDurationInDays: 0 },
  { snoozeDurationInDays: 0 },
  { snoozeDurationInDays: 1 },
  { snoozeDurationInDays: 14 },
  { enforceRegistrationAfterAllowedSnoozes: true },
  { enforceRegistrationAfterAllowedSnoozes: false },
  { state: 'enabled' },
  { state: 'enabled', snoozeDurationInDays: 0, enforceRegistrationAfterAllowedSnoozes: false },
  { state: 'disabled' },
  { state: 'default' },
  { state: 'enabled', includeTargets: [everybody('vendorAuthenticator')] },
  { state: 'enabled', includeTargets: [everybody('fido2')] },
  { includeTargets: [] },
  {
    state: 'enabled',
    includeTargets: [
      { targetType: 'user', id: ada.id, targetedAuthenticationMethod: 'fido2' },
      { targetType: 'user', id: cleo.id, targetedAuthenticationMethod: 'fido2' },
    ],
  },
  { excludeTargets: [{ targetType: 'user', id: ben.id }] },
  { excludeTargets: [] },
];

/**
 * Valid value in each invalid update. It must never take effect, because an update is applied completely or not at
 * all.
 */
export const wrongMark = 'ffffffff-ffff-4fff-8fff-ffffffffffff';

const wrongTargets = { excludeTargets: [{ targetType: 'user', id: wrongMark }] };

/** Valid part of the invalid updates. */
export const rightPart = { campaign: wrongTargets };

/** Updates of the policy with one invalid field among valid ones. */
export const wrongPatches: readonly object[] = [
  { snoozeDurationInDays: 15 },
  { state: 'paused' },
  { enforceRegistrationAfterAllowedSnoozes: 'yes' },
  { includeTargets: [everybody('vendorAuthenticator'), everybody('fido2')] },
  { includeTargets: [{ targetType: 'user', id: 'nobody', targetedAuthenticationMethod: 'fido2' }] },
  { unknownSetting: true },
].map((fault) => ({ ...wrongTargets, ...fault }));

/** Changes of tenant facts that the policy API does not support. */
export const tenantPatches: readonly object[] = [
  { subscription: 'free' },
  { subscription: 'paid' },
  { rollout: { method: true, snoozeDays: true, snoozeLimit: true, targeting: true } },
  { rollout: { method: false, snoozeDays: false, snoozeLimit: false, targeting: false } },
  { rollout: { targeting: true } },
];

/**
 * Durations in milliseconds by which the virtual clock is advanced, near the prompt lifetime and near whole days.
 */
export const spansMs: readonly number[] = [
  0,
  1,
  60_000,
  5 * 60_000,
  15 * 60_000 - 1,
  15 * 60_000,
  15 * 60_000 + 1,
  dayMs - 1,
  dayMs,
  2 * dayMs,
  14 * dayMs,
];

/** Sign-in contexts of the simulated users. */
export const attempts: readonly object[] = [
  {},
  {},
  {},
  {},
  {},
  { os: 'macos' },
  { os: 'ios', browser: 'safari' },
  { os: 'linux' },
  { ssoSession: true },
  { mfa: { completed: false } },
];

/** Passkeys that the simulated users create. */
export const madePasskeys = [
  { type: 'windows-bound', deviceId: 'device-1' },
  { type: 'security-key', deviceId: 'key-1' },
  { type: 'keychain', deviceId: 'device-2' },
] as const;
