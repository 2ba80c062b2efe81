/** Ids of the built-in gates, and the codes of the reasons with which they stop a prompt. */

export const reasonCodes = [
  'campaign-disabled',
  'not-included',
  'excluded',
  'not-voice-or-sms',
  'not-mfa-capable',
  'sso-session',
  'mfa-not-completed',
  'external-mfa',
  'mfa-not-voice-or-sms',
  'registered-this-session',
  'registration-blocked',
  'registration-condition-unmet',
  'terms-of-use',
  'custom-controls',
  'unsupported-surface',
  'mobile-not-supported',
  'native-android',
  'linux',
  'unknown-platform',
  'guest',
  'method-not-enabled',
  'mode-passwordless',
  'self-service-off',
  'restricted-profile',
  'already-registered',
  'local-passkey',
  'snoozed',
] as const;
export type ReasonCode = (typeof reasonCodes)[number];
/** Code of a reason: a built-in one, or one of a ruleset file. */
export type Reason = ReasonCode | (string & Record<never, never>);

export const gateIds = [
  'C1',
  'S1',
  'S2',
  'S3',
  'R13.1',
  'R1',
  'R3',
  'M1',
  'R13.2',
  'R13.3',
  'R4',
  'R13.4',
  'R13.5',
  'R13.6',
  'R10.4',
  'R11.4',
  'R11.6',
  'R11.9',
  'R11.5',
  'R10.5',
  'R10.2',
  'R10.3',
  'R11.1',
  'R11.2',
  'R11.7',
  'R10.1',
  'R11.3',
  'R5',
] as const;
export type GateId = (typeof gateIds)[number];
/** Id of a rule in a verdict: a built-in gate, or one of a ruleset file. */
export type RuleId = GateId | (string & Record<never, never>);
