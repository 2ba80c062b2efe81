import type { Campaign, Population, Verdict } from '../control/answers.ts';
import type { Theme } from '../control/theme.ts';

type NudgeState = keyof Population['states'];
type VerdictOutcome = Verdict['outcome'];
type TargetedMethod = NonNullable<Campaign['campaign']['method']>;

/** What states of the lifecycle are called. */
export const stateLabels: Readonly<Record<NudgeState, string>> = {
  notPrompted: 'Not prompted',
  prompted: 'Prompted',
  snoozed: 'Snoozed',
  registrationRequired: 'Registration required',
  registered: 'Registered',
};

/** What outcomes of a verdict are called. */
export const outcomeLabels: Readonly<Record<VerdictOutcome, string>> = {
  none: 'Not prompted',
  skippable: 'Optional prompt',
  required: 'Required prompt',
};

/** What targeted methods are called. */
export const methodLabels: Readonly<Record<TargetedMethod, string>> = {
  vendorAuthenticator: 'Authenticator app',
  fido2: 'Passkey',
};

/** What themes of the console are called. */
export const themeLabels: Readonly<Record<Theme, string>> = {
  system: 'System theme',
  light: 'Light theme',
  dark: 'Dark theme',
};

/** An instant as people read it, in UTC as the virtual clock has it. */
export function formatInstant(at: string | null): string {
  return at === null ? '–' : `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

/** An instant to the minute, where there is little room; it stands near a word that times are in UTC. */
export function formatMinute(at: string | null): string {
  return at === null ? '–' : `${at.slice(0, 10)} ${at.slice(11, 16)}`;
}

/** A number with its noun. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** A code such as `not-included` as words. */
export function formatCode(code: string): string {
  const words = code.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a rule came to: many say what suppresses a prompt, so that one which is met is told as passed. */
export function formatRuleOutcome(outcome: string): string {
  return outcome === 'met' ? 'Passed' : outcome === 'not-applicable' ? 'Not applicable' : formatCode(outcome);
}
