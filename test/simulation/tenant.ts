/** The tenant that every simulation begins with, and what its administrators do to it. */

const dayMs = 86_400_000;

/** Four people whose ids the policy API takes: three with a text message, one of them a guest of no one, one with codes alone. */
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

/** The campaign at the beginning: everyone is asked for the app. */
export const campaignAtFirst = { state: 'enabled', includeTargets: [everybody('vendorAuthenticator')] };

const [ada, ben, cleo] = people;

/** Updates of the policy; all of them are well formed, and what is managed by the provider is refused. */
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

/** What a wrong update carries beside its fault: it may be seen nowhere, as an update is taken whole or not at all. */
export const wrongMark = 'ffffffff-ffff-4fff-8fff-ffffffffffff';

const wrongTargets = { excludeTargets: [{ targetType: 'user', id: wrongMark }] };

/** What is right in the updates that are wrong. */
export const rightPart = { campaign: wrongTargets };

/** Updates of the policy with one fault among what would be fine. */
export const wrongPatches: readonly object[] = [
  { snoozeDurationInDays: 15 },
  { state: 'paused' },
  { enforceRegistrationAfterAllowedSnoozes: 'yes' },
  { includeTargets: [everybody('vendorAuthenticator'), everybody('fido2')] },
  { includeTargets: [{ targetType: 'user', id: 'nobody', targetedAuthenticationMethod: 'fido2' }] },
  { unknownSetting: true },
].map((fault) => ({ ...wrongTargets, ...fault }));

/** Changes of the tenant's facts that the policy API does not make. */
export const tenantPatches: readonly object[] = [
  { subscription: 'free' },
  { subscription: 'paid' },
  { rollout: { method: true, snoozeDays: true, snoozeLimit: true, targeting: true } },
  { rollout: { method: false, snoozeDays: false, snoozeLimit: false, targeting: false } },
  { rollout: { targeting: true } },
];

/** Spans by which the virtual clock is advanced, in ms: round the end of a prompt, and round days. */
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

/** Where sign-ins come from. */
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

/** Passkeys that people make. */
export const madePasskeys = [
  { type: 'windows-bound', deviceId: 'device-1' },
  { type: 'security-key', deviceId: 'key-1' },
  { type: 'keychain', deviceId: 'device-2' },
] as const;
