import { endRows } from './announced-end.ts';
import {
  type AnnouncedRow,
  before,
  end,
  excludedFromScope,
  first,
  guest,
  last,
  optedOut,
  passkeys,
  telephony,
  together,
  withKeychain,
  withoutPhone,
  withProfile,
  withProvider,
  withTotp,
} from './announced-facts.ts';

/** What holds from the first date on, also for users whom the later dates do not require to register. */
const scopeRows: readonly AnnouncedRow[] = [first, telephony, end, last].flatMap((at): readonly AnnouncedRow[] => [
  {
    title: 'users in scope need no include target',
    at,
    change: together(withTotp, excludedFromScope),
    outcome: 'skippable',
    reason: null,
    campaign: passkeys,
  },
  {
    title: 'users in scope need no text message among their methods',
    at,
    change: together(withoutPhone, ({ user }) => {
      user.facts = { phoneMethodsEnabled: true };
    }),
    outcome: 'skippable',
    reason: null,
  },
  {
    title: 'users out of scope need one',
    at,
    change: withoutPhone,
    outcome: 'none',
    reason: 'not-voice-or-sms',
  },
  {
    title: 'the policy enables passkeys for users in scope',
    at,
    change: together(withTotp, ({ tenant }) => {
      tenant.methodsPolicy.fido2.state = 'disabled';
    }),
    outcome: 'skippable',
    reason: null,
  },
  {
    title: 'a restricted profile does not stop the prompt of users in scope',
    at,
    change: together(withTotp, withProfile('any', { type: 'block', kinds: ['keychain'] })),
    outcome: 'skippable',
    reason: null,
  },
  {
    title: 'the profile of all types suppresses by the whole matrix',
    at,
    change: together(withTotp, withKeychain, withProfile('deviceBound', null)),
    outcome: 'none',
    reason: 'local-passkey',
  },
  {
    title: 'a disabled campaign is provider managed',
    at,
    change: together(withTotp, ({ tenant }) => {
      tenant.campaign.state = 'disabled';
    }),
    outcome: 'skippable',
    reason: null,
    campaign: passkeys,
  },
  {
    title: 'AAGUID restrictions give the campaign of the app, whatever the tenant configured',
    at,
    change: together(({ tenant, attempt }) => {
      tenant.methodsPolicy.fido2.keyRestrictions = { type: 'block', kinds: ['keychain'] };
      tenant.campaign.enforceRegistrationAfterAllowedSnoozes = false;
      tenant.facts = { telephonyProvider: true };
      attempt.mfa.method = 'sms';
    }),
    outcome: 'skippable',
    reason: null,
    campaign: { state: 'providerManaged', method: 'vendorAuthenticator', snoozeDays: 1, limited: true },
  },
]);

export const announcedRows: readonly AnnouncedRow[] = [
  ...scopeRows,
  {
    title: 'a member who is external is excepted',
    at: end,
    change: ({ user }) => {
      user.facts = { external: true };
    },
    outcome: 'skippable',
    reason: null,
  },
  {
    title: 'a user with a passkey may skip after the last date where it does not suppress',
    at: last,
    change: ({ user, attempt }) => {
      user.passkeys = [{ type: 'keychain', deviceId: 'd' }];
      attempt.mfa.method = 'passkey';
    },
    outcome: 'skippable',
    reason: null,
  },
  {
    title: 'users out of scope keep text messages, and may skip',
    at: end,
    change: ({ user }) => {
      user.facts = { phoneMethodsEnabled: false };
    },
    outcome: 'skippable',
    reason: null,
  },
  {
    title: 'users out of scope keep text messages after the last date',
    at: last,
    change: ({ user }) => {
      user.facts = { phoneMethodsEnabled: false };
    },
    outcome: 'skippable',
    reason: null,
  },
  {
    title: 'users of a later targeting rollout without methods may skip',
    at: end,
    change: ({ tenant, user }) => {
      tenant.rollout.targeting = true;
      user.methods = [];
    },
    outcome: 'skippable',
    reason: null,
  },
  {
    title: 'users of a later targeting rollout without methods may skip after the last date',
    at: last,
    change: ({ tenant, user }) => {
      tenant.rollout.targeting = true;
      user.methods = [];
    },
    outcome: 'skippable',
    reason: null,
  },
  // 2026-09-01: users enabled for SMS or voice are enabled for passkeys; these users come into scope; unlimited snoozes.
  {
    title: 'one millisecond before the first date the campaign of the tenant applies',
    at: before,
    change: excludedFromScope,
    outcome: 'none',
    reason: 'not-included',
    campaign: { state: 'enabled', method: 'vendorAuthenticator', limited: true },
  },
  {
    title: 'from the first date on a user of text messages is in scope of a passkey campaign without a limit',
    at: first,
    change: excludedFromScope,
    outcome: 'skippable',
    reason: null,
    campaign: passkeys,
  },
  {
    title: 'a disabled campaign becomes provider managed',
    at: first,
    change: ({ tenant }) => {
      tenant.campaign.state = 'disabled';
    },
    outcome: 'skippable',
    reason: null,
    campaign: passkeys,
  },
  {
    title: 'the policy enables passkeys for these users, whatever it said',
    at: first,
    change: ({ tenant }) => {
      tenant.methodsPolicy.fido2.includeTargets = [{ targetType: 'user', id: 'ben', profiles: [] }];
    },
    outcome: 'skippable',
    reason: null,
  },
  {
    title: 'many snoozes are not followed by a required prompt',
    at: first,
    change: ({ user }) => {
      user.snooze = { count: 9, snoozedAtMs: null };
    },
    outcome: 'skippable',
    reason: null,
  },
  {
    title: 'a user without SMS or voice stays outside of the scope of the tenant',
    at: first,
    change: together(excludedFromScope, withoutPhone),
    outcome: 'none',
    reason: 'not-included',
  },
  {
    title: 'a user whom the policy enables for SMS is in scope without having it registered (OC60)',
    at: first,
    change: together(excludedFromScope, withoutPhone, ({ user }) => {
      user.facts = { phoneMethodsEnabled: true };
    }),
    outcome: 'skippable',
    reason: null,
  },
  {
    title: 'a tenant that opted out keeps its campaign',
    at: first,
    change: together(excludedFromScope, optedOut),
    outcome: 'none',
    reason: 'not-included',
    campaign: { state: 'enabled', method: 'vendorAuthenticator' },
  },
  {
    title: 'excluded users are not prompted',
    at: first,
    change: ({ tenant }) => {
      tenant.campaign.excludeTargets = [{ targetType: 'user', id: 'ada' }];
    },
    outcome: 'none',
    reason: 'excluded',
  },
  {
    title: 'guests are not prompted by a passkey campaign',
    at: first,
    change: guest,
    outcome: 'none',
    reason: 'guest',
  },
  {
    title: 'a passkey for this device and browser suppresses the prompt',
    at: first,
    change: withKeychain,
    outcome: 'none',
    reason: 'local-passkey',
  },
  {
    title: 'the profile of all types has the whole matrix besides a profile of device-bound passkeys',
    at: first,
    change: together(withKeychain, ({ tenant }) => {
      tenant.methodsPolicy.fido2.profiles = [
        { id: 'bound', passkeyTypes: 'deviceBound', attestationEnforced: false, keyRestrictions: null },
      ];
      tenant.methodsPolicy.fido2.includeTargets = [{ targetType: 'group', id: 'all_users', profiles: ['bound'] }];
    }),
    outcome: 'none',
    reason: 'local-passkey',
  },
  {
    title: 'AAGUID restrictions of the tenant keep the app (A19, A28)',
    at: first,
    change: ({ tenant }) => {
      tenant.methodsPolicy.fido2.keyRestrictions = { type: 'allow', kinds: ['keychain'] };
    },
    outcome: 'skippable',
    reason: null,
    campaign: { state: 'providerManaged', method: 'vendorAuthenticator', limited: true },
  },
  {
    title: 'free subscriptions keep the limit (A20)',
    at: first,
    change: ({ tenant }) => {
      tenant.subscription = 'free';
    },
    outcome: 'skippable',
    reason: null,
    campaign: { state: 'providerManaged', method: 'fido2', limited: true },
  },
  // 2026-10-30: customers may configure a telephony provider of their own.
  {
    title: 'the date of telephony providers changes no verdict by itself',
    at: telephony,
    change: excludedFromScope,
    outcome: 'skippable',
    reason: null,
    campaign: passkeys,
  },
  {
    title: 'a telephony provider changes no verdict before the end of SMS and voice',
    at: telephony,
    change: withProvider,
    outcome: 'skippable',
    reason: null,
  },
  ...endRows,
];
