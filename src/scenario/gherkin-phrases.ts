import { parse } from 'yaml';
import type { WrittenStep } from '../contract/scenario.schema.ts';
import type { StepKind } from '../contract/step-names.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import { yamlLine, yamlScalar } from './yaml-line.ts';

/** The sentence of a step, but for who signs in. Behind it stands what the step says, as YAML on one line. */
const sentences: { readonly [K in Exclude<StepKind, 'signIn'>]: string } = {
  signOut: 'someone signs out',
  next: 'Next is chosen',
  skip: 'the prompt is skipped',
  closeBrowser: 'the browser is closed',
  abandon: 'no one answers',
  reload: 'the sign-in page is loaded again',
  register: 'the method is registered',
  upgradePasskey: 'the browser creates a passkey by itself',
  failRegistration: 'the registration fails',
  skipError: 'the error screen is skipped',
  advance: 'time passes',
  setClock: 'the clock is set to',
  setTenant: 'the tenant is changed by',
  setFaults: 'the faults become',
  setUser: 'the user is changed by',
  removeMethod: 'a method is removed',
  getPolicy: 'the policy is read',
  patchPolicy: 'the policy is patched',
  explain: 'the rules are asked about',
  lookup: 'the lookup API is asked',
  document: 'the document API is asked',
};

/** Sentences about what a step led to, by the key of the expectation; the nudge status has one for all of its keys. */
const outcomes = {
  page: 'the page is',
  visitedPages: 'the pages passed are',
  outcome: 'the outcome is',
  reason: 'the reason is',
  status: 'the status is',
  headers: 'the headers are',
  body: 'the body has',
  remaining: 'the requests left are',
  warnings: 'the warnings are',
  ceremony: 'the passkey ceremony is',
  signals: 'the signals are',
} as const;

const nudgeStatusSentence = 'the nudge status says';
const nudgeStatusKeys: readonly string[] = ['snoozes', 'snoozesLeft', 'nextPromptAt', 'state'];

/** Keys of what a scenario begins with that have a sentence, besides the users. */
const givenKeys = ['tenant', 'clients', 'faults', 'lookup', 'clock', 'ruleset', 'seed'] as const;

/** Patterns of sentences, by the word before them; anyone who defines steps needs no others. */
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

/** What a scenario begins with as sentences. Takes its `given`, with clock, ruleset and seed where it names them. */
export function givenSentences(given: Readonly<Record<string, unknown>>): readonly string[] {
  const users = isPlainObject(given['users']) ? Object.entries(given['users']) : [];
  const said = givenKeys.filter((key) => given[key] !== undefined);
  return [
    ...said.map((key) => `the ${key}: ${yamlLine(given[key])}`),
    ...users.map(([id, facts]) => `the user ${yamlScalar(id)}: ${yamlLine(facts)}`),
  ];
}

/** A step as a sentence. Takes it as it is written. */
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

/** What a step is expected to lead to, as sentences. */
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

/** What a sentence of the beginning gives: a key of `given`, or a user. `null` for another sentence. */
export function parseGiven(sentence: string): Readonly<Record<string, unknown>> | null {
  const [, userId, facts] =
    /^the user ('(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^'"{}:](?:[^{}:]|:+[^{}: ])*): (.+)$/.exec(sentence) ?? [];
  if (userId !== undefined) return { users: { [String(parse(userId))]: parse(facts ?? '') } };
  const [, key, value] = new RegExp(`^the (${givenKeys.join('|')}): (.+)$`).exec(sentence) ?? [];
  return key === undefined ? null : { [key]: parse(value ?? '') };
}

/** The step of a sentence, as it is written; `null` for another sentence. */
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

/** What a sentence expects, by the keys of expectations; `null` for another sentence. */
export function parseExpectation(sentence: string): Readonly<Record<string, unknown>> | null {
  if (sentence.startsWith(`${nudgeStatusSentence} `)) return parse(sentence.slice(nudgeStatusSentence.length + 1));
  for (const [key, words] of Object.entries(outcomes)) {
    if (sentence.startsWith(`${words} `)) return { [key]: parse(sentence.slice(words.length + 1)) };
  }
  return null;
}
