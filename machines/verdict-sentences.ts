import { type EvaluatedRule, factsText, fileSentence, type RulesetWords } from './file-gate-sentences.ts';
import type { GateId, Verdict } from './vocabulary.ts';

export type { EvaluatedRule, RulesetWords } from './file-gate-sentences.ts';

/** Number of snoozes left, for the headline of a prompt that can be skipped. */
export interface SnoozesLeft {
  readonly left: number;
  readonly limit: number;
}

type Values = EvaluatedRule['saw'];

/** Sentences of a rule, generated from its evaluated facts. */
interface Sentences {
  readonly met: (saw: Values) => string;
  /** Returns why the rule stopped, without the end of the sentence. */
  readonly stopped: (saw: Values) => string;
  /** Returns the end of the sentence, if it is not the default that no prompt is shown. */
  readonly ending?: (saw: Values) => string;
  readonly notApplicable?: (saw: Values) => string;
}

const noPrompt = (): string => ', so no prompt is shown.';
const appOnly = (): string => 'Applies only to authenticator app campaigns.';
const passkeyOnly = (): string => 'Applies only to passkey campaigns.';

const sentences: Readonly<Record<GateId, Sentences>> = {
  C1: {
    met: ({ state }) =>
      state === 'providerManaged'
        ? 'The campaign is active because the provider manages it.'
        : 'The campaign is enabled.',
    stopped: () => 'The campaign is disabled',
  },
  S1: {
    met: ({ target }) =>
      target === undefined
        ? "The include list is empty; the provider's own targeting decides."
        : `The user is included through the ${targetText(target)}.`,
    stopped: ({ includeTargets }) => {
      if (includeTargets === 0) return 'The include list is empty';
      return `The user is not in ${formatAny(includeTargets, 'include target')}`;
    },
    ending: ({ includeTargets }) => (includeTargets === 0 ? ', so the campaign targets no users.' : noPrompt()),
  },
  S2: {
    met: ({ excludeTargets }) =>
      excludeTargets === 0
        ? 'The campaign has no exclude targets.'
        : `The user is not in ${formatAny(excludeTargets, 'exclude target')}.`,
    stopped: ({ target }) => `The user is excluded through the ${targetText(target)}`,
  },
  S3: {
    met: ({ methods, targetingRolledOut }) =>
      targetingRolledOut === true
        ? 'The user is capable of MFA, as required since the targeting rollout.'
        : `The user has a voice-call or text-message method (${listText(methods)}).`,
    stopped: ({ methods, targetingRolledOut }) =>
      targetingRolledOut === true
        ? 'The user is not capable of MFA'
        : `The user has no voice-call or text-message method (${listText(methods)})`,
    notApplicable: () => 'Applies only while the provider manages the campaign.',
  },
  R1: {
    met: () => 'The user completed MFA in this sign-in.',
    stopped: () => 'The user did not complete MFA in this sign-in',
  },
  R3: {
    met: () => 'The second factor was verified by this service.',
    stopped: ({ provider }) =>
      `The second factor was verified by ${provider === 'home-tenant' ? "the user's home tenant" : 'an external provider'}`,
    notApplicable: () => 'No second factor was completed, so there is no provider to check.',
  },
  R4: {
    met: () => 'The user meets the conditional access conditions for registering security information.',
    stopped: () =>
      'The user does not meet the conditional access conditions for registering security information on this network or device',
  },
  R5: {
    met: ({ elapsedMs, snoozeDays }) =>
      snoozeDays === 0
        ? 'The snooze duration is 0 days, so the user is prompted at every MFA.'
        : `Snoozed ${spanText(elapsedMs)} ago; the snooze of ${daysText(snoozeDays)} is over.`,
    stopped: ({ elapsedMs, snoozeDays }) =>
      `Snoozed ${spanText(elapsedMs)} ago; the snooze lasts ${daysText(snoozeDays)} and ends in ` +
      spanText(Number(snoozeDays) * dayMs - Number(elapsedMs)),
    notApplicable: () => 'The user has never snoozed.',
  },
  'R10.1': {
    met: ({ methods }) =>
      `The authenticator app is not set up for push notifications (registered: ${listText(methods)}).`,
    stopped: () => 'The authenticator app is already set up for push notifications',
    notApplicable: appOnly,
  },
  'R10.2': {
    met: () => 'The authentication methods policy allows the app for this user.',
    stopped: (saw) => `The authentication methods policy does not allow the app for this user (${policyText(saw)})`,
    notApplicable: appOnly,
  },
  'R10.3': {
    met: ({ modes }) => `The authentication mode is ${listText(modes)}.`,
    stopped: () => 'The only authentication mode for this user is passwordless',
    notApplicable: ({ enabled }) =>
      enabled === false ? 'The app is not allowed for this user, so there is no mode to check.' : appOnly(),
  },
  'R10.4': {
    met: ({ os }) => `The user signs in on ${osText(os)}, which is not a mobile device.`,
    stopped: ({ os }) => `The user signs in on a mobile device (${osText(os)}), which app campaigns do not support`,
    notApplicable: appOnly,
  },
  'R10.5': {
    met: () => 'The user is a guest; app campaigns prompt guests too.',
    stopped: () => 'This rule never stops a prompt',
    ending: () => '.',
    notApplicable: ({ type }) => (type === undefined ? appOnly() : 'The user is a member, not a guest.'),
  },
  'R11.1': {
    met: () => 'The authentication methods policy allows passkeys for this user.',
    stopped: (saw) => `The authentication methods policy does not allow passkeys for this user (${policyText(saw)})`,
    notApplicable: passkeyOnly,
  },
  'R11.2': {
    met: () => 'Self-service setup of passkeys is on.',
    stopped: () => 'Self-service setup of passkeys is off',
    notApplicable: passkeyOnly,
  },
  'R11.3': {
    met: ({ passkeys, platform }) => {
      const count = listItems(passkeys).length;
      if (count === 0) return 'The user has no passkeys.';
      const none =
        count === 1 ? "The user's passkey does not suppress" : `None of the user's ${count} passkeys suppresses`;
      return `${none} the prompt on ${platformText(platform)}.`;
    },
    stopped: ({ suppressedBy, platform }) =>
      `A ${String(suppressedBy)} passkey already covers ${platformText(platform)}`,
    notApplicable: ({ platform }) =>
      platform === undefined ? passkeyOnly() : `The suppression matrix has no column for ${platformText(platform)}.`,
  },
  'R11.4': {
    met: () => 'The sign-in is not in a native Android app.',
    stopped: () => 'The sign-in is in a native Android app, which passkey campaigns do not support',
    notApplicable: passkeyOnly,
  },
  'R11.5': {
    met: () => 'The user is a member.',
    stopped: () => 'The user is a guest, and passkey campaigns do not prompt guests',
    notApplicable: passkeyOnly,
  },
  'R11.6': {
    met: () => 'The user does not sign in on Linux.',
    stopped: () => 'The user signs in on Linux, which passkey campaigns do not support',
    notApplicable: passkeyOnly,
  },
  'R11.7': {
    met: ({ profiles }) =>
      `The passkey profile ${listProfiles(profiles).find(({ passes }) => passes)?.id} allows the prompt.`,
    stopped: ({ profiles }) => {
      const all = listProfiles(profiles);
      if (all.length === 0) return 'The user has no passkey profile';
      const none =
        all.length === 1
          ? "The user's passkey profile does not allow"
          : `None of the user's ${all.length} passkey profiles allows`;
      return `${none} the prompt (${listText(all.map(({ id }) => id))})`;
    },
    notApplicable: () => 'Applies only to passkey campaigns that the provider manages.',
  },
  'R11.9': {
    met: ({ os }) => `The platform is known (${osText(os)}).`,
    stopped: () => 'The platform is unknown, so passkey support cannot be determined',
    ending: () => ' and no prompt is shown.',
    notApplicable: passkeyOnly,
  },
  'R13.1': {
    met: () => 'The user is not already signed in through SSO.',
    stopped: () => 'The user is already signed in through SSO',
  },
  'R13.2': {
    met: () => 'The user has not registered another method in this sign-in.',
    stopped: () => 'The user registered another method in this sign-in',
  },
  'R13.3': {
    met: () => 'No conditional access policy blocks registering security information.',
    stopped: () => 'A conditional access policy blocks registering security information',
  },
  'R13.4': {
    met: () => 'No terms of use are shown in this sign-in.',
    stopped: () => 'Terms of use are shown in this sign-in',
  },
  'R13.5': {
    met: () => 'No conditional access custom control redirects this sign-in.',
    stopped: () => 'A conditional access custom control redirects this sign-in',
  },
  'R13.6': {
    met: ({ surface }) => `The sign-in runs in ${surfaceText(surface)}, which is supported.`,
    stopped: ({ surface }) => `The sign-in runs in ${surfaceText(surface)}, which is not supported`,
  },
  M1: {
    met: ({ method }) => `The second factor was ${factorText(method)}.`,
    stopped: ({ method }) => `The second factor was ${factorText(method)}, not a voice call or text message`,
    notApplicable: ({ completed }) =>
      completed === false
        ? 'No second factor was completed, so there is no method to check.'
        : 'Applies only to authenticator app campaigns in ruleset 2026-09.',
  },
};

/**
 * Formats the result of one rule as a sentence with the values that decided it.
 *
 * @param rule - a rule of a verdict
 * @param words - words of the ruleset, for gates that a file states
 * @returns the sentence, with a full stop
 */
export function ruleSentence(rule: EvaluatedRule, words?: RulesetWords): string {
  const { id, outcome, saw } = rule;
  const own = words?.sentence?.(rule) ?? null;
  if (own !== null) return own;
  const known = sentences[id as GateId] as Sentences | undefined;
  if (outcome === 'not-applicable' && 'skipIf' in saw)
    return `The ruleset does not apply this rule here (${factsText(saw['skipIf'])}).`;
  if (known === undefined) return fileSentence(rule, words);
  if (outcome === 'met') return known.met(saw);
  if (outcome === 'not-applicable') return known.notApplicable?.(saw) ?? 'Always applies.';
  return `${known.stopped(saw)}${(known.ending ?? noPrompt)(saw)}`;
}

/**
 * Formats the result of a verdict in one line, for the top of a page or of the output.
 *
 * @param verdict - verdict of the engine or of a response
 * @param snoozes - the snoozes left if the caller knows them, or `null` if they are unlimited
 * @param words - words of the ruleset, for gates that a file states
 * @returns such as "Not prompted: the user is already signed in through SSO."
 */
export function verdictHeadline(
  { outcome, rules }: { readonly outcome: Verdict['outcome']; readonly rules: readonly EvaluatedRule[] },
  snoozes?: SnoozesLeft | null,
  words?: RulesetWords,
): string {
  if (outcome === 'blocked') return 'Blocked: the sign-in ends without a way on';
  if (outcome === 'required') return 'Prompted; registration required';
  if (outcome === 'skippable') {
    if (snoozes === undefined) return 'Prompted; may skip';
    return snoozes === null
      ? 'Prompted; may skip (snoozes are unlimited)'
      : `Prompted; may skip (${snoozes.left} of ${snoozes.limit} snoozes left)`;
  }
  const decisive = rules.find((rule) => rule.outcome === 'stopped');
  if (decisive === undefined) return 'Not prompted';
  const known = sentences[decisive.id as GateId] as Sentences | undefined;
  const own = words?.sentence?.(decisive) ?? null;
  const reason = (own ?? known?.stopped(decisive.saw) ?? fileSentence(decisive, words)).replace(/\.$/, '');
  return `Not prompted: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}.`;
}

/** Snoozes of a user: how many were used, and how many the campaign allows; `null` if they are unlimited. */
export interface SnoozeUse {
  readonly used: number;
  readonly limit: number | null;
}

/**
 * Formats the snoozes of a user in the words of R6, which decides whether a prompt can be skipped.
 *
 * @param snoozes - the used snoozes and the limit of the campaign
 * @returns the sentence, with a full stop
 */
export function snoozeSentence({ used, limit }: SnoozeUse): string {
  if (limit === null) return `Snoozes are unlimited in this campaign (${used} used).`;
  if (used < limit) return `${used} of ${limit} snoozes used; ${limit - used} left.`;
  return `${used} of ${limit} snoozes used, so the prompt has no skip button and registration is required.`;
}

/** Display names of the rule outcomes. */
export const ruleOutcomeLabels: Readonly<Record<EvaluatedRule['outcome'], string>> = {
  met: 'Passed',
  stopped: 'Stopped',
  'not-applicable': 'Not applicable',
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const minuteMs = 60_000;

/** Formats a duration for display: `23 h`, `23 h 59 min`, `5 min`. */
function spanText(value: unknown): string {
  const ms = Number(value);
  const [hours, minutes] = [Math.floor(ms / hourMs), Math.floor((ms % hourMs) / minuteMs)];
  if (hours === 0 && minutes === 0) return 'less than a minute';
  return [hours === 0 ? '' : `${hours} h`, minutes === 0 ? '' : `${minutes} min`]
    .filter((part) => part !== '')
    .join(' ');
}

function daysText(value: unknown): string {
  const days = Number(value);
  return `${days * 24} h (${days} ${days === 1 ? 'day' : 'days'})`;
}

/** Returns a phrase such as "the include target" or "any of the 2 include targets". */
function formatAny(count: unknown, what: string): string {
  return count === 1 ? `the ${what}` : `any of the ${String(count)} ${what}s`;
}

function targetText(target: unknown): string {
  const { targetType, id } = target as { readonly targetType: string; readonly id: string };
  return targetType === 'user' ? `target for user ${id}` : `${targetType} ${id}`;
}

function listItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function listText(value: unknown): string {
  const items = listItems(value);
  return items.length === 0 ? 'none' : items.map(String).join(', ');
}

function listProfiles(value: unknown): readonly { readonly id: string; readonly passes: boolean }[] {
  return listItems(value) as readonly { readonly id: string; readonly passes: boolean }[];
}

/** Returns the reason why an authentication methods policy does not allow a method. */
function policyText({ state, included, excluded }: Values): string {
  const reasons = [
    state === 'enabled' ? '' : 'method disabled',
    included === true ? '' : 'not included',
    excluded === true ? 'excluded' : '',
  ];
  return reasons.filter((reason) => reason !== '').join(', ');
}

const osNames: Readonly<Record<string, string>> = {
  windows: 'Windows',
  macos: 'macOS',
  mac: 'Mac',
  ios: 'iOS',
  android: 'Android',
  linux: 'Linux',
  unknown: 'an unknown system',
  chrome: 'Chrome',
  other: 'other browsers',
};

function osText(os: unknown): string {
  return osNames[String(os)] ?? String(os);
}

/** Formats a column of the matrix, such as "Windows, Chrome". */
function platformText(platform: unknown): string {
  return String(platform).split('-').map(osText).join(', ');
}

const surfaceNames: Readonly<Record<string, string>> = {
  browser: 'a browser',
  'native-app': 'a native app',
  'embedded-app': 'a view embedded in an app',
  'embedded-os-settings': 'a view embedded in OS settings',
  oobe: 'the out-of-box setup',
};

function surfaceText(surface: unknown): string {
  return surfaceNames[String(surface)] ?? String(surface);
}

const factorNames: Readonly<Record<string, string>> = {
  sms: 'a text message',
  voice: 'a voice call',
  'authenticator-totp': 'a code from the authenticator app',
  'authenticator-push': 'a push notification',
  'hardware-totp': 'a code from a hardware token',
  passkey: 'a passkey',
};

function factorText(method: unknown): string {
  return factorNames[String(method)] ?? 'of an unknown kind';
}
