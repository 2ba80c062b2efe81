export { formatCount } from '../../../src/core/format-count.ts';

import type { Campaign, Population, Verdict } from '../control/answers.ts';
import type { Theme } from '../control/theme.ts';

type NudgeState = keyof Population['states'];
type VerdictOutcome = Verdict['outcome'];
type TargetedMethod = NonNullable<Campaign['campaign']['method']>;

/** Display names of the nudge states. */
export const stateLabels: Readonly<Record<NudgeState, string>> = {
  notPrompted: 'Not prompted',
  prompted: 'Prompted',
  snoozed: 'Snoozed',
  registrationRequired: 'Registration required',
  registered: 'Registered',
};

/** Display names of the verdict outcomes. */
export const outcomeLabels: Readonly<Record<VerdictOutcome, string>> = {
  none: 'Not prompted',
  skippable: 'Optional prompt',
  required: 'Required prompt',
  blocked: 'Sign-in blocked',
};

/** Display names of the targeted methods. */
export const methodLabels: Readonly<Record<TargetedMethod, string>> = {
  vendorAuthenticator: 'Authenticator app',
  fido2: 'Passkey',
};

/** Display names of the methods of the second factor. */
export const factorLabels: Readonly<Record<string, string>> = {
  sms: 'Text message',
  voice: 'Voice call',
  'authenticator-totp': 'Code from the app',
  'authenticator-push': 'Push notification',
  'hardware-totp': 'Hardware token',
};

/** Display names of the console themes. */
export const themeLabels: Readonly<Record<Theme, string>> = {
  system: 'System theme',
  light: 'Light theme',
  dark: 'Dark theme',
};

/** Formats an instant for display, in UTC like the virtual clock. */
export function formatInstant(at: string | null): string {
  return at === null ? '–' : `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

/** Formats an instant to the minute for narrow spaces. A nearby label states that times are in UTC. */
export function formatMinute(at: string | null): string {
  return at === null ? '–' : `${at.slice(0, 10)} ${at.slice(11, 16)}`;
}

/** Formats a code such as `not-included` as words. */
export function formatCode(code: string): string {
  const words = code.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Formats the outcome of a rule. `met` is shown as "Passed", because many rules describe what suppresses a prompt.
 */
export function formatRuleOutcome(outcome: string): string {
  return outcome === 'met' ? 'Passed' : outcome === 'not-applicable' ? 'Not applicable' : formatCode(outcome);
}

/** Labels of the rollout switches that the inputs show, by their name in the facts. */
export const rolloutLabels: Readonly<Record<string, string>> = {
  method: 'Method',
  snoozeDays: 'Snooze days',
  snoozeLimit: 'Snooze limit',
  targeting: 'Targeting',
};
