import type { MethodKind } from '../../../machines/own/own-ruleset.ts';
import { ownRulesetShape, type RulesetKey } from '../../contract/ruleset.schema.ts';
import { toInstant } from '../../core/clock.ts';
import type { SuiteFile } from '../init/suite-files.ts';

/** What the author of a first ruleset decides. */
export interface RulesetChoices {
  readonly id: string;
  /** What the prompt asks for. */
  readonly kind: MethodKind;
  /** Time between two prompts, as it is written and in milliseconds. */
  readonly every: { readonly written: string; readonly ms: number };
  /** Snoozes after which the prompt is required; 0 for no limit. */
  readonly limit: number;
}

/** When a user has done what the prompt asks for, and how a scenario completes the setup, by kind. */
const doneBy: Readonly<Partial<Record<MethodKind, string>>> = {
  passkey: '{ fact: user.passkeys, size: { atLeast: 1 } }',
  app: '{ fact: user.methods, has: authenticator-push }',
  totp: '{ fact: user.methods, has: authenticator-totp }',
  phone: '{ fact: user.methods, has: sms }',
};

/** Keys with their text, or as a comment where the campaign needs them later. */
type KeyText = readonly [key: RulesetKey, text: string, use: 'used' | 'commented'];

function listKeys({ id, kind, every, limit }: RulesetChoices): readonly KeyText[] {
  const done = doneBy[kind];
  const user = ['pilot: { type: boolean, default: true, title: Takes part in the pilot }'];
  if (done === undefined) user.push('completed: { type: boolean, default: false, title: Has done it }');
  return [
    ['ruleset', id, 'used'],
    ['version', '1.0.0', 'used'],
    ['format', '1', 'used'],
    ['title', `A campaign for ${labels[kind]}`, 'used'],
    ['description', 'Members of the pilot are prompted until they have done it.', 'used'],
    ['source', "['our policy, section 1']", 'commented'],
    ['base', 'own', 'commented'],
    ['methods', `{ ${kind}: { label: ${labels[kind]}, kind: ${kind} } }`, 'used'],
    ['ask', kind, 'commented'],
    ['settings', `\n  window: { type: duration, default: ${every.written}, title: Time between two prompts }`, 'used'],
    ['facts', `\n  user:\n    ${user.join('\n    ')}`, 'used'],
    ['trigger', '{ on: [signIn, signUp] }', 'commented'],
    [
      'gates',
      '\n  - { id: G1, summary: The user is a member., when: { fact: user.type, is: member }, stop: guest-user }\n' +
        '  - { id: M2, summary: The user takes part in the pilot., when: { fact: user.facts.pilot, is: true }, stop: not-in-pilot }',
      'used',
    ],
    [
      'reasons',
      '\n  guest-user: Only members are prompted; this user is a {saw.type}.\n  not-in-pilot: The user does not take part in the pilot.',
      'used',
    ],
    ['done', done ?? '{ fact: user.facts.completed, is: true }', 'used'],
    ['matrix', '{ security-key: { ios: 1, mac-chrome: 0 } }', 'commented'],
    ['completion', '{ set: { user.facts.completed: true } }', done === undefined ? 'used' : 'commented'],
    ['answers', '\n  later: { label: Later, effect: snooze }', 'used'],
    ['ledger', '{ keys: [[user]] }', 'commented'],
    ['cadence', '{ kind: fixed, every: { setting: window } }', 'used'],
    [
      'limit',
      `{ of: ${limit === 0 ? 3 : limit}, counts: snoozes, then: required, after: wait }`,
      limit === 0 ? 'commented' : 'used',
    ],
    ['lifetime', '15m', 'commented'],
    ['deadline', "{ ends: [{ at: '2027-01-01' }], then: required }", 'commented'],
    ['requirement', '{ required: { fact: user.facts.pilot, is: true } }', 'commented'],
    ['failure', '{ skip: signsIn, stores: nothing }', 'commented'],
    ['resets', '[{ on: registered, clears: [count, timer] }]', 'commented'],
    ['rollout', '{ percent: 50, by: user }', 'commented'],
    ['screens', '{ prompt: { heading: Sign in faster, buttons: { next: Set it up } } }', 'commented'],
    ['editions', "[{ from: '2027-01-01', set: { cadence: { every: 30d } } }]", 'commented'],
  ];
}

const labels: Readonly<Record<MethodKind, string>> = {
  passkey: 'a passkey',
  app: 'an authenticator app',
  totp: 'one-time codes',
  phone: 'a phone number',
  email: 'an email address',
  password: 'a new password',
  terms: 'the terms of use',
  form: 'a form',
};

/**
 * Returns the files of a first ruleset: the ruleset with a comment on every key, two scenarios and a forecast.
 *
 * @param choices - what the author decides
 * @returns files with paths relative to their folder
 */
export function rulesetFiles(choices: RulesetChoices): readonly SuiteFile[] {
  const { id } = choices;
  return [
    { path: `${id}.ruleset.yaml`, text: rulesetText(choices) },
    { path: `${id}-later.yaml`, text: laterText(choices) },
    { path: `${id}-done.yaml`, text: completedText(choices) },
    { path: `${id}.forecast.yaml`, text: forecastText(choices) },
  ];
}

function rulesetText(choices: RulesetChoices): string {
  const keys = listKeys(choices).map(([key, text, use]) => {
    const line = `${key}:${text.startsWith('\n') ? '' : ' '}${text}`;
    return `# ${describeKey(key)}\n${use === 'used' ? line : `# ${line}`}\n`;
  });
  return `# yaml-language-server: $schema=./ruleset.schema.json\n${keys.join('')}`;
}

/** Returns what a key of a ruleset means, from the schema of the format. */
export function describeKey(key: RulesetKey): string {
  return ownRulesetShape[key].description ?? key;
}

/** Time at which scenarios begin. */
const startMs = 1_767_603_600_000;

/** Returns a user who has not done yet what the prompt asks for: by default, users have a phone number. */
function beforeSetup(kind: MethodKind): string {
  return kind === 'phone' ? '{ methods: [] }' : '{}';
}

function laterText({ id, kind, every, limit }: RulesetChoices): string {
  return `# A user who chooses Later is prompted again after the time between two prompts, not before.
name: Later holds for the time between two prompts
ruleset: ./${id}.ruleset.yaml
given: { users: { ada: ${beforeSetup(kind)} } }
steps:
  - signIn: { user: ada }
    expect: { page: prompt, outcome: skippable, ${limit === 0 ? '' : `snoozesLeft: ${limit}, `}answers: [later] }
  - skip: { answer: later }
    expect: { page: signed-in, snoozes: 1, nextPromptAt: '${toInstant(startMs + every.ms)}' }
  - signIn: { user: ada }
    expect: { page: not-nudged, reason: snoozed }
  - advance: { ms: ${every.ms} }
  - signIn: { user: ada }
    expect: { page: prompt }
`;
}

function completedText({ id, kind }: RulesetChoices): string {
  return `# Who has done it is not prompted, and neither are guests and users outside the pilot.
name: Only members of the pilot are prompted, until they have done it
ruleset: ./${id}.ruleset.yaml
given: { users: { ada: ${beforeSetup(kind)}, grace: { type: guest }, linus: { facts: { pilot: false } } } }
steps:
  - signIn: { user: grace }
    expect: { page: not-nudged, reason: guest-user }
  - signIn: { user: linus }
    expect: { page: not-nudged, reason: not-in-pilot }
  - signIn: { user: ada }
    expect: { page: prompt }
  - register: {}
    expect: { page: signed-in, state: registered }
  - signIn: { user: ada }
    expect: { page: not-nudged, reason: already-done }
`;
}

function forecastText({ id, kind }: RulesetChoices): string {
  return `# How many of 1,000 users are prompted and register within 60 days.
name: A first forecast
ruleset: ./${id}.ruleset.yaml
start: 2026-01-05
days: 60
users: 1000
defaults:
  # Probability that a user signs in on each day of the week.
  signIn:
    weekdays: { monday: 0.6, tuesday: 0.6, wednesday: 0.6, thursday: 0.6, friday: 0.5, saturday: 0.1, sunday: 0.1 }
  # Users before the campaign.
  users: [${beforeSetup(kind)}]
  # Shares of the values of facts.
  facts: { pilot: { true: 0.8, false: 0.2 } }
  # What users do at a prompt: the answers of the ruleset, register, close and letExpire.
  answers:
    skippable: [{ register: 0.2, later: 0.7, close: 0.1 }]
    required: [{ register: 1 }]
`;
}
