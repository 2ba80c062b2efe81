import type { AttemptFacts, MfaFacts } from '../../../machines/vocabulary.ts';
import { asIs, type Change, dayMs, nowMs } from '../facts-builder.ts';
import type { GateRow } from './gate-row.ts';

const app = 'vendorAuthenticator';

function attempt(fields: Partial<AttemptFacts>): Change {
  return (facts) => {
    Object.assign(facts.attempt, fields);
  };
}

function mfa(fields: Partial<MfaFacts>): Change {
  return (facts) => {
    Object.assign(facts.attempt.mfa, fields);
  };
}

/** Rows of R13.1, R1, R3 and M1: authentication of this sign-in. */
const authentication: readonly GateRow[] = [
  { gate: 'R13.1', claim: 'an interactive sign-in is no SSO', campaign: app, given: asIs, expected: 'met' },
  {
    gate: 'R13.1',
    claim: 'a session that is already signed in stops',
    campaign: app,
    given: attempt({ ssoSession: true }),
    expected: 'sso-session',
  },
  {
    gate: 'R13.1',
    claim: 'SSO stops a passkey campaign',
    campaign: 'fido2',
    given: attempt({ ssoSession: true }),
    expected: 'sso-session',
  },
  { gate: 'R1', claim: 'MFA was completed', campaign: app, given: asIs, expected: 'met' },
  {
    gate: 'R1',
    claim: 'a sign-in without MFA stops',
    campaign: app,
    given: mfa({ completed: false }),
    expected: 'mfa-not-completed',
  },
  { gate: 'R1', claim: 'a passkey is MFA (A22)', campaign: app, given: mfa({ method: 'passkey' }), expected: 'met' },
  { gate: 'R3', claim: 'the service’s own MFA passes', campaign: app, given: asIs, expected: 'met' },
  {
    gate: 'R3',
    claim: 'another provider’s MFA stops',
    campaign: app,
    given: mfa({ provider: 'external' }),
    expected: 'external-mfa',
  },
  {
    gate: 'R3',
    claim: 'the home tenant’s MFA is another provider’s (A21)',
    campaign: app,
    given: mfa({ provider: 'home-tenant' }),
    expected: 'external-mfa',
  },
  {
    gate: 'R3',
    claim: 'without MFA there is no provider to ask about',
    campaign: app,
    given: mfa({ completed: false, provider: 'external' }),
    expected: 'not-applicable',
  },
  {
    gate: 'R3',
    claim: 'another provider’s MFA stops a passkey campaign',
    campaign: 'fido2',
    given: mfa({ provider: 'external' }),
    expected: 'external-mfa',
  },
  ...(
    [
      ['sms', 'met'],
      ['voice', 'met'],
      ['authenticator-totp', 'mfa-not-voice-or-sms'],
      ['authenticator-push', 'mfa-not-voice-or-sms'],
      ['hardware-totp', 'mfa-not-voice-or-sms'],
      ['passkey', 'mfa-not-voice-or-sms'],
      [null, 'mfa-not-voice-or-sms'],
    ] as const
  ).map(
    ([method, expected]): GateRow => ({
      gate: 'M1',
      claim: `MFA by ${method ?? 'an unknown method'} in this sign-in`,
      campaign: app,
      ruleset: '2026-09',
      given: mfa({ method }),
      expected,
    }),
  ),
  {
    gate: 'M1',
    claim: 'without MFA it does not apply (A30)',
    campaign: app,
    ruleset: '2026-09',
    given: mfa({ completed: false, method: 'passkey' }),
    expected: 'not-applicable',
  },
  {
    gate: 'M1',
    claim: 'it is about the app alone',
    campaign: 'fido2',
    ruleset: '2026-09',
    given: mfa({ method: 'hardware-totp' }),
    expected: 'not-applicable',
  },
];

/** Rows of R13.2 to R13.5 and R4: other events in this sign-in. */
const otherEvents: readonly GateRow[] = [
  { gate: 'R13.2', claim: 'nothing was registered', campaign: app, given: asIs, expected: 'met' },
  {
    gate: 'R13.2',
    claim: 'another method registered in this session stops',
    campaign: app,
    given: attempt({ registeredThisSession: true }),
    expected: 'registered-this-session',
  },
  { gate: 'R13.3', claim: 'the page is not blocked', campaign: app, given: asIs, expected: 'met' },
  {
    gate: 'R13.3',
    claim: 'a block of the registration page stops',
    campaign: app,
    given: attempt({ conditionalAccess: { registrationPageBlocked: true, registrationConditionMet: true } }),
    expected: 'registration-blocked',
  },
  {
    gate: 'R13.3',
    claim: 'an unmet condition is not a block (A49)',
    campaign: app,
    given: attempt({ conditionalAccess: { registrationPageBlocked: false, registrationConditionMet: false } }),
    expected: 'met',
  },
  { gate: 'R4', claim: 'the condition is met', campaign: app, given: asIs, expected: 'met' },
  {
    gate: 'R4',
    claim: 'an unmet condition stops',
    campaign: app,
    given: attempt({ conditionalAccess: { registrationPageBlocked: false, registrationConditionMet: false } }),
    expected: 'registration-condition-unmet',
  },
  {
    gate: 'R4',
    claim: 'a block is not an unmet condition (A49)',
    campaign: app,
    given: attempt({ conditionalAccess: { registrationPageBlocked: true, registrationConditionMet: true } }),
    expected: 'met',
  },
  { gate: 'R13.4', claim: 'no terms of use appear', campaign: app, given: asIs, expected: 'met' },
  {
    gate: 'R13.4',
    claim: 'a terms-of-use screen stops',
    campaign: app,
    given: attempt({ termsOfUse: true }),
    expected: 'terms-of-use',
  },
  { gate: 'R13.5', claim: 'no custom control redirects', campaign: app, given: asIs, expected: 'met' },
  {
    gate: 'R13.5',
    claim: 'a redirect by custom controls stops',
    campaign: app,
    given: attempt({ customControls: true }),
    expected: 'custom-controls',
  },
];

/** Rows of R13.6: surfaces, for both methods. */
const surfaces: readonly GateRow[] = (['vendorAuthenticator', 'fido2'] as const).flatMap((campaign) =>
  (
    [
      ['browser', 'met'],
      ['native-app', 'met'],
      ['embedded-app', 'met'],
      ['embedded-os-settings', 'unsupported-surface'],
      ['oobe', 'unsupported-surface'],
    ] as const
  ).map(
    ([surface, expected]): GateRow => ({
      gate: 'R13.6',
      claim: `surface ${surface} in a campaign for ${campaign}`,
      campaign,
      given: attempt({ surface }),
      expected,
    }),
  ),
);

/**
 * R5: snooze duration in days, elapsed milliseconds, and expected outcome of the timer. Boundaries are inclusive
 * (A6).
 */
const timer: readonly GateRow[] = (
  [
    [1, null, 'not-applicable'],
    [0, 0, 'met'],
    [0, 1, 'met'],
    [1, 0, 'snoozed'],
    [1, dayMs - 1, 'snoozed'],
    [1, dayMs, 'met'],
    [1, dayMs + 1, 'met'],
    [2, dayMs, 'snoozed'],
    [2, 2 * dayMs, 'met'],
    [13, 13 * dayMs - 1, 'snoozed'],
    [14, 14 * dayMs - 1, 'snoozed'],
    [14, 14 * dayMs, 'met'],
    [14, 100 * dayMs, 'met'],
    [null, dayMs - 1, 'snoozed'],
    [null, dayMs, 'met'],
    [1, -1, 'snoozed'],
    [1, -30 * dayMs, 'snoozed'],
    [0, -30 * dayMs, 'met'],
  ] as const
).map(
  ([days, agoMs, expected]): GateRow => ({
    gate: 'R5',
    claim: `${days ?? 'default'} days, snoozed ${agoMs === null ? 'never' : `${agoMs} ms ago`}`,
    campaign: app,
    given: ({ tenant, user }) => {
      tenant.campaign.snoozeDurationInDays = days;
      user.snooze = { count: agoMs === null ? 0 : 1, snoozedAtMs: agoMs === null ? null : nowMs - agoMs };
    },
    expected,
  }),
);

const timerElsewhere: readonly GateRow[] = [
  {
    gate: 'R5',
    claim: 'one timer for all devices and methods: a snooze of the app holds for a passkey (A8)',
    campaign: 'fido2',
    given: ({ user }) => {
      user.snooze = { count: 1, snoozedAtMs: nowMs - 1 };
    },
    expected: 'snoozed',
  },
  {
    gate: 'R5',
    claim: 'the provider’s days apply under default, not the stored ones (A17)',
    campaign: app,
    managed: true,
    given: ({ user }) => {
      user.snooze = { count: 1, snoozedAtMs: nowMs - 3 * dayMs + 1 };
    },
    expected: 'snoozed',
  },
  {
    gate: 'R5',
    claim: 'three days are over under default',
    campaign: app,
    managed: true,
    given: ({ user }) => {
      user.snooze = { count: 1, snoozedAtMs: nowMs - 3 * dayMs };
    },
    expected: 'met',
  },
];

/** Rows of the gates of the sign-in itself and the timer. */
export const signInGates: readonly GateRow[] = [
  ...authentication,
  ...otherEvents,
  ...surfaces,
  ...timer,
  ...timerElsewhere,
];
