export { formatCount } from '../../../src/core/format-count.ts';

import type { Campaign, Population, Rulesets, Verdict } from '../control/answers.ts';
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

/** Names of the bases of rulesets. */
export const baseLabels: Readonly<Record<Rulesets['rulesets'][number]['base'], string>> = {
  own: 'Own campaign',
  'registration-campaign': 'Registration campaign',
};

/** Formats a ruleset for a choice: its id, and the title of one that is not built in. */
export function formatRuleset({
  ruleset,
  title,
  origin,
}: Pick<Rulesets['rulesets'][number], 'ruleset' | 'title' | 'origin'>): string {
  return origin === 'built-in' ? ruleset : `${ruleset}: ${title}`;
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** Formats the value of a setting. A duration in milliseconds is shown in the largest unit that divides it. */
export function formatSetting(type: string, value: unknown): string {
  const ms = type === 'duration' ? /^(\d+)ms$/.exec(String(value))?.[1] : undefined;
  if (ms === undefined) return Array.isArray(value) ? value.join(', ') || 'none' : String(value ?? 'not set');
  const [unit, size] = units.find(([, one]) => Number(ms) % one === 0) ?? ['ms', 1];
  return `${Number(ms) / size}${unit}`;
}
