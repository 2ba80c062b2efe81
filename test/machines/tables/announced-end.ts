import {
  type AnnouncedRow,
  administrator,
  beforeEnd,
  beforeLast,
  end,
  excludedFromScope,
  guest,
  internalGuest,
  last,
  linux,
  optedOut,
  passkeys,
  together,
  withProvider,
  withTotp,
} from './announced-facts.ts';

/** Rows from the end of SMS and voice on. */
export const endRows: readonly AnnouncedRow[] = [
  // 2027-02-01: SMS and voice end, except for global administrators and external users; the opt-out ends.
  {
    title: 'one millisecond before the end the prompt can be skipped',
    at: beforeEnd,
    change: () => undefined,
    outcome: 'skippable',
    reason: null,
  },
  {
    title: 'from the end on a user without another method must make a passkey',
    at: end,
    change: () => undefined,
    outcome: 'required',
    reason: null,
    campaign: passkeys,
    warns: true,
  },
  {
    title: 'a snooze of this minute does not suppress the prompt of users who must',
    at: end,
    change: ({ user, attempt }) => {
      user.snooze = { count: 1, snoozedAtMs: attempt.nowMs };
    },
    outcome: 'required',
    reason: null,
    warns: true,
  },
  {
    title: 'excluded users must too, since there is no opt-out (OC60)',
    at: end,
    change: ({ tenant }) => {
      tenant.campaign.excludeTargets = [{ targetType: 'user', id: 'ada' }];
    },
    outcome: 'required',
    reason: null,
    warns: true,
  },
  {
    title: 'users who must see the required page on a platform without passkeys (OC60)',
    at: end,
    change: linux,
    outcome: 'required',
    reason: null,
    warns: true,
  },
  {
    title: 'a tenant that opted out is in scope from the end on',
    at: end,
    change: optedOut,
    outcome: 'required',
    reason: null,
    campaign: passkeys,
    warns: true,
  },
  {
    title: 'the opt-out still applies one millisecond before the end',
    at: beforeEnd,
    change: together(excludedFromScope, optedOut),
    outcome: 'none',
    reason: 'not-included',
  },
  {
    title: 'a telephony provider of the tenant keeps SMS and voice',
    at: end,
    change: withProvider,
    outcome: 'skippable',
    reason: null,
  },
  { title: 'a user with another method may skip', at: end, change: withTotp, outcome: 'skippable', reason: null },
  {
    title: 'a user with a passkey may skip where it does not suppress',
    at: end,
    change: ({ user, attempt }) => {
      user.passkeys = [{ type: 'keychain', deviceId: 'd' }];
      attempt.mfa.method = 'passkey';
    },
    outcome: 'skippable',
    reason: null,
  },
  {
    title: 'a text message of a user with another method is a warning, since pages do not offer it',
    at: end,
    change: ({ user }) => {
      user.methods = ['sms', 'authenticator-totp'];
    },
    outcome: 'skippable',
    reason: null,
    warns: true,
  },
  {
    title: 'a user without any method is not in scope',
    at: end,
    change: ({ user, attempt }) => {
      user.methods = [];
      attempt.mfa.method = null;
    },
    outcome: 'none',
    reason: 'not-voice-or-sms',
  },
  {
    title: 'a global administrator is excepted',
    at: end,
    change: administrator,
    outcome: 'skippable',
    reason: null,
  },
  { title: 'an external user is excepted', at: end, change: guest, outcome: 'none', reason: 'guest' },
  {
    title: 'an internal guest is in (OC60)',
    at: end,
    change: internalGuest,
    outcome: 'required',
    reason: null,
    warns: true,
  },
  {
    title: 'AAGUID restrictions keep the app for users who must (A19, A28)',
    at: end,
    change: ({ tenant }) => {
      tenant.methodsPolicy.fido2.keyRestrictions = { type: 'allow', kinds: ['keychain'] };
    },
    outcome: 'required',
    reason: null,
    campaign: { method: 'vendorAuthenticator' },
    warns: true,
  },
  // 2027-07-01: the same for global administrators and external users.
  {
    title: 'the exception of administrators holds one millisecond before its end',
    at: beforeLast,
    change: administrator,
    outcome: 'skippable',
    reason: null,
  },
  {
    title: 'a global administrator must from the last date on',
    at: last,
    change: administrator,
    outcome: 'required',
    reason: null,
    warns: true,
  },
  {
    title: 'an external user must from the last date on',
    at: last,
    change: guest,
    outcome: 'required',
    reason: null,
    warns: true,
  },
  {
    title: 'a telephony provider keeps SMS and voice after the last date',
    at: last,
    change: together(withProvider, administrator),
    outcome: 'skippable',
    reason: null,
  },
  {
    title: 'a user with another method may skip after the last date',
    at: last,
    change: withTotp,
    outcome: 'skippable',
    reason: null,
  },
];
