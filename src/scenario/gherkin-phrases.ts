import { parse } from 'yaml';
import type { WrittenStep } from '../contract/scenario.schema.ts';
import type { StepKind } from '../contract/step-names.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import { yamlLine, yamlScalar } from './yaml-line.ts';

/**
 * Sentence of each step, except for sign-ins, which start with their user. The options of the step follow as YAML
 * on one line.
 */
const sentences: { readonly [K in Exclude<StepKind, 'signIn'>]: string } = {
  signOut: 'a user signs out',
  next: 'Next is selected',
  skip: 'the prompt is skipped',
  closeBrowser: 'the browser is closed',
  abandon: 'the sign-in is abandoned',
  reload: 'the sign-in page is reloaded',
  register: 'the method is registered',
  upgradePasskey: 'the browser creates a passkey automatically',
  failRegistration: 'the registration fails',
  skipError: 'the error screen is skipped',
  advance: 'time passes',
  setClock: 'the clock is set to',
  setTenant: 'the tenant is changed by',
  setFaults: 'the faults are set to',
  setUser: 'the user is changed by',
  removeMethod: 'a method is removed',
  getPolicy: 'the policy is read',
  patchPolicy: 'the policy is patched',
  callApi: 'an API is called',
  explain: 'the verdict is explained',
  lookup: 'the lookup API is called',
  document: 'the document API is called',
};

/** Sentence of each expectation key. All keys of the nudge status share one sentence. */
const outcomes = {
  page: 'the page is',
  visitedPages: 'the visited pages are',
  outcome: 'the outcome is',
  reason: 'the reason is',
  status: 'the status is',
  headers: 'the headers are',
  body: 'the body has',
  remaining: 'the remaining requests are',
  warnings: 'the warnings are',
  ceremony: 'the passkey ceremony is',
  signals: 'the signals are',
} as const;

const nudgeStatusSentence = 'the nudge status has';
const nudgeStatusKeys: readonly string[] = ['snoozes', 'snoozesLeft', 'nextPromptAt', 'state'];

/** Keys of the initial state that have a sentence, in addition to the users. */
const givenKeys = ['tenant', 'clients', 'faults', 'lookup', 'clock', 'ruleset', 'seed'] as const;

/** Patterns of all sentences by their keyword. Step definitions need no others. */
export const sentencePatterns: Readonly<Record<'Given' | 'When' | 'Then', readonly RegExp[]>> = {
  Given: [
    new RegExp(`^(the (?:${givenKeys.join('|')}): .+)$`),
    /^(the user (?:'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^'"{}:](?:[^{}:]|:+[^{}: ])*): .+)$/,
  ],
  When: [
    /^((?:'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^'"{}][^{}]*) signs in(?: with \{.*\})?)$/,
    ...Object.values(sentences).map((sentence) => new RegExp(`^(${sentence}(?: [{[].*| \\S+)?)$`)),
  ],
  Then: [...Object.values(outcomes), nudgeStatusSentence].map((sentence) => new RegExp(`^(${sentence} .+)$`)),
};

/**
 * Converts the initial state of a scenario to sentences. `given` also contains its clock, ruleset and random seed,
 * if any.
 */
export function givenSentences(given: Readonly<Record<string, unknown>>): readonly string[] {
  const users = isPlainObject(given['users']) ? Object.entries(given['users']) : [];
  const said = givenKeys.filter((key) => given[key] !== undefined);
  return [
    ...said.map((key) => `the ${key}: ${yamlLine(given[key])}`),
    ...users.map(([id, facts]) => `the user ${yamlScalar(id)}: ${yamlLine(facts)}`),
  ];
}

/** Converts a step in its original form to a sentence. */
export function stepSentence(step: WrittenStep): string {
  const [kind, say] = Object.entries(step)[0] as [StepKind, unknown];
  if (kind === 'signIn') {
    const { user, ...rest } = say as Readonly<Record<string, unknown>>;
    return `${yamlScalar(user)} signs in${withDetails(rest, ' with')}`;
  }
  return `${sentences[kind]}${withDetails(say ?? {}, '')}`;
}

function withDetails(say: unknown, word: string): string {
  return isPlainObject(say) && Object.keys(say).length === 0 ? '' : `${word} ${yamlLine(say)}`;
}

/** Converts the expectations of a step to sentences. */
export function expectationSentences(expected: Readonly<Record<string, unknown>>): readonly string[] {
  const nudgeStatus = Object.entries(expected).filter(
    ([key, value]) => nudgeStatusKeys.includes(key) && value !== undefined,
  );
  const keys = Object.keys(outcomes) as (keyof typeof outcomes)[];
  return [
    ...keys.filter((key) => expected[key] !== undefined).map((key) => `${outcomes[key]} ${yamlLine(expected[key])}`),
    ...(nudgeStatus.length === 0 ? [] : [`${nudgeStatusSentence} ${yamlLine(Object.fromEntries(nudgeStatus))}`]),
  ];
}

/**
 * Parses a sentence about the initial state to a key of `given` or a user. Returns `null` for any other sentence.
 */
export function parseGiven(sentence: string): Readonly<Record<string, unknown>> | null {
  const [, userId, facts] =
    /^the user ('(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^'"{}:](?:[^{}:]|:+[^{}: ])*): (.+)$/.exec(sentence) ?? [];
  if (userId !== undefined) return { users: { [String(parse(userId))]: parse(facts ?? '') } };
  const [, key, value] = new RegExp(`^the (${givenKeys.join('|')}): (.+)$`).exec(sentence) ?? [];
  return key === undefined ? null : { [key]: parse(value ?? '') };
}

/** Parses a sentence to a step in its original form. Returns `null` if it is not a step. */
export function stepOfSentence(sentence: string): WrittenStep | null {
  const [, user, attempt] =
    /^('(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^'"{}][^{}]*) signs in(?: with (\{.*\}))?$/.exec(sentence) ?? [];
  if (user !== undefined) return { signIn: { ...parse(attempt ?? '{}'), user: String(parse(user)) } };
  for (const [kind, words] of Object.entries(sentences)) {
    if (sentence !== words && !sentence.startsWith(`${words} `)) continue;
    const rest = sentence.slice(words.length).trim();
    return { [kind]: rest === '' ? {} : parse(rest) } as WrittenStep;
  }
  return null;
}

/** Parses a sentence to expectations by their keys. Returns `null` if it is not an expectation. */
export function parseExpectation(sentence: string): Readonly<Record<string, unknown>> | null {
  if (sentence.startsWith(`${nudgeStatusSentence} `)) return parse(sentence.slice(nudgeStatusSentence.length + 1));
  for (const [key, words] of Object.entries(outcomes)) {
    if (sentence.startsWith(`${words} `)) return { [key]: parse(sentence.slice(words.length + 1)) };
  }
  return null;
}
