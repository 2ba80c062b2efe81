import { describe, expect, test } from 'vitest';
import type { OwnRuleset } from '../../../../machines/own/own-ruleset.ts';
import {
  describeDecision,
  findOwnDifferences,
} from '../../../../src/scenario/rulesets/difference/find-own-differences.ts';
import { findOwnJourney } from '../../../../src/scenario/rulesets/difference/find-own-journey.ts';
import { listKeyDifferences } from '../../../../src/scenario/rulesets/difference/list-key-differences.ts';
import { readOwnText } from '../../../../src/scenario/rulesets/read-ruleset.ts';
import { formatFault } from '../../../../src/scenario/rulesets/ruleset-fault.ts';
import { parseRulesetText } from '../../../../src/scenario/rulesets/ruleset-text.ts';
import { nonEmpty } from '../../../non-empty.ts';
import { rulesetText } from '../ruleset-text.ts';

type Changes = Readonly<Record<string, string>>;

function read(changes: Changes): OwnRuleset {
  const { ruleset, faults } = readOwnText(parseRulesetText('a.ruleset.yaml', rulesetText(changes)));
  expect(faults.map(formatFault)).toEqual([]);
  if (ruleset === null) throw new RangeError('The ruleset has faults.');
  return ruleset;
}

function compare(one: Changes, other: Changes) {
  const { differences, exact } = findOwnDifferences([read(one), read(other)]);
  return {
    exact,
    found: differences.map(({ verdicts, facts }) => [...verdicts.map(describeDecision), Object.fromEntries(facts)]),
  };
}

/** Returns the steps of the shortest journey, or `null`. */
function journey(one: Changes, other: Changes) {
  const pair = [read(one), read(other)] as const;
  const [start] = findOwnDifferences(pair).prompted;
  if (start === undefined) throw new RangeError('No facts are prompted by both rulesets.');
  const { journey: found, complete } = findOwnJourney(pair, start);
  expect(complete || found !== null).toBe(true);
  return found === null
    ? null
    : [...found.steps.map((step) => JSON.stringify(step)), ...found.verdicts.map(describeDecision)];
}

const gates = (when: string): Changes => ({
  gates: `gates: [{ id: G1, summary: A., when: ${when}, stop: not-a-member }]`,
});
const prompted = 'skippable with skip';
const stop = 'not-a-member';
const level = 'user.facts.level';

const endsAt = (opens: string): Changes => ({
  deadline: `deadline: { ends: [{ at: { fact: user.facts.endsAt } }], opens: ${opens} }`,
});

/** Changed rulesets: what is compared, both rulesets, and the differences with their facts. */
const byFacts: readonly (readonly [string, Changes, Changes, readonly unknown[]])[] = [
  [
    'the opening before an end that a fact states',
    endsAt('14d'),
    endsAt('10d'),
    [[prompted, 'not-yet-open', { 'user.facts.endsAt': Date.parse('2026-01-19T09:00:00Z') }]],
  ],
  [
    'a boundary',
    gates(`{ fact: ${level}, above: 3 }`),
    gates(`{ fact: ${level}, atLeast: 3 }`),
    [[stop, prompted, { [level]: 3 }]],
  ],
  [
    'a value',
    {},
    gates('{ fact: user.type, is: guest }'),
    [
      [prompted, stop, {}],
      [stop, prompted, { 'user.type': 'guest' }],
    ],
  ],
  [
    'two facts',
    gates(`{ any: [{ fact: ${level}, below: 5 }, { fact: user.type, is: member }] }`),
    gates(`{ fact: ${level}, below: 5 }`),
    [[prompted, stop, { [level]: 5 }]],
  ],
  [
    'an unknown value',
    gates('{ fact: user.facts.endsAt, inPast: true }'),
    gates('{ fact: user.facts.endsAt, inPast: true, missing: pass }'),
    [[stop, prompted, {}]],
  ],
  [
    'the default of a setting',
    gates(`{ fact: ${level}, below: { setting: count } }`),
    {
      ...gates(`{ fact: ${level}, below: { setting: count } }`),
      settings:
        'settings: { window: { type: duration, default: 7d }, count: { type: integer, min: 0, max: 9, default: 0 } }',
    },
    [[prompted, stop, {}]],
  ],
  [
    'answers',
    {},
    { answers: 'answers: { later: { label: Later, effect: snooze } }' },
    [[prompted, 'skippable with later', {}]],
  ],
  ['a requirement', {}, { requirement: 'requirement: { required: { all: [] } }' }, [[prompted, 'required', {}]]],
  [
    'the order of gates',
    {
      gates:
        'gates: [{ id: G1, summary: A., when: { fact: user.type, is: member }, stop: not-a-member }, { id: G2, summary: A., when: { fact: user.facts.level, below: 5 }, stop: too-high }]',
      reasons: 'reasons: { not-a-member: A., too-high: B. }',
    },
    {
      gates:
        'gates: [{ id: G2, summary: A., when: { fact: user.facts.level, below: 5 }, stop: too-high }, { id: G1, summary: A., when: { fact: user.type, is: member }, stop: not-a-member }]',
      reasons: 'reasons: { not-a-member: A., too-high: B. }',
    },
    [[stop, 'too-high', { 'user.type': 'guest', [level]: 5 }]],
  ],
  [
    'nothing but words',
    {},
    {
      title: 'title: Another',
      gates: 'gates: [{ id: G1, summary: Another., when: { fact: user.type, is: member }, stop: not-a-member }]',
    },
    [],
  ],
  ['an equal condition', gates(`{ fact: ${level}, above: 3 }`), gates(`{ not: { fact: ${level}, atMost: 3 } }`), []],
];

const signIn = '{"signIn":{}}';
const skip = '{"skip":{"answer":"skip"}}';
const dayMs = 86_400_000;
const wait = (ms: number): string => `{"advance":{"ms":${ms}}}`;
/** Lifetime of a prompt, after which it has expired. */
const expiry = wait(15 * 60_000);
const weekly: Changes = { cadence: 'cadence: { kind: fixed, every: 7d }' };

/** Rulesets that differ after answers: what is compared, both rulesets, and the shortest journey. */
const byTime: readonly (readonly [string, Changes, Changes, readonly string[] | null])[] = [
  [
    'a longer cadence',
    weekly,
    { cadence: 'cadence: { kind: fixed, every: 14d }' },
    [signIn, wait(14 * dayMs), signIn, prompted, 'snoozed'],
  ],
  [
    'its boundary',
    weekly,
    { cadence: 'cadence: { kind: fixed, every: 7d, boundary: exclusive }' },
    [signIn, skip, wait(7 * dayMs), signIn, prompted, 'snoozed'],
  ],
  [
    'an answer for good',
    weekly,
    { answers: 'answers: { skip: { label: No, effect: never } }' },
    [signIn, expiry, signIn, 'snoozed', 'answered-never'],
  ],
  [
    'a limit',
    weekly,
    { ...weekly, limit: 'limit: { of: 1, counts: snoozes, then: required, after: now }' },
    [signIn, expiry, signIn, 'snoozed', 'required'],
  ],
  [
    'a registration',
    { done: 'done: { fact: user.passkeys, size: { atLeast: 1 } }' },
    {},
    [signIn, '{"register":{}}', signIn, 'already-done', prompted],
  ],
  [
    'a closed page',
    weekly,
    { ...weekly, answers: 'answers: { skip: { effect: snooze }, close: { effect: nothing } }' },
    [signIn, '{"closeBrowser":{}}', signIn, 'snoozed', prompted],
  ],
  [
    'a session',
    { answers: 'answers: { skip: { effect: session }, close: { effect: nothing }, expire: { effect: nothing } }' },
    { answers: 'answers: { skip: { effect: nothing }, close: { effect: nothing }, expire: { effect: nothing } }' },
    [signIn, skip, '{"signIn":{"session":"same"}}', 'answered-this-session', prompted],
  ],
  ['nothing', weekly, { cadence: 'cadence: { kind: fixed, every: 168h }' }, null],
];

describe('differences of own rulesets', () => {
  test.each(nonEmpty(byFacts))('OC43 %s: the smallest facts, and all were compared', (_name, one, other, expected) => {
    expect(compare(one, other)).toEqual({ exact: true, found: expected });
  });

  test.each(nonEmpty(byTime))('OC43 %s: the shortest journey', (_name, one, other, expected) => {
    expect(journey(one, other)).toEqual(expected);
  });

  test('OC43 an edition is compared in its period', () => {
    const later = {
      editions:
        "editions: [{ from: '2026-05-01', set: { gates: [{ id: G1, summary: A., when: { fact: user.type, is: guest }, stop: not-a-member }] } }]",
    };
    const { differences } = findOwnDifferences([read({}), read(later)]);
    expect(differences.map(({ period }) => period.fromMs)).toEqual([
      Date.parse('2026-05-01'),
      Date.parse('2026-05-01'),
    ]);
  });

  test('OC43 a rollout is compared by a user who is in one share only', () => {
    const { differences } = findOwnDifferences([read({}), read({ rollout: 'rollout: { percent: 50, by: user }' })]);
    expect(differences.map(({ verdicts }) => verdicts.map(describeDecision))).toEqual([
      [prompted, 'not-rolled-out'],
      [stop, 'not-rolled-out'],
    ]);
  });

  test('rulesets-not-comparable: a fact of two types is named', () => {
    const text = read({ facts: 'facts: { user: { level: { type: text, default: null } } }' });
    expect(() => findOwnDifferences([read({}), text])).toThrow(
      expect.objectContaining({
        code: 'rulesets-not-comparable',
        message: expect.stringContaining('user.facts.level'),
      }),
    );
  });

  test('OC43 keys are compared by the ids of gates, and their order counts', () => {
    const one = {
      ruleset: 'a',
      gates: [
        { id: 'G1', stop: 'x' },
        { id: 'G2', stop: 'y' },
      ],
      limit: { of: 3 },
    };
    const other = {
      ruleset: 'b',
      gates: [
        { id: 'G2', stop: 'z' },
        { id: 'G1', stop: 'x' },
      ],
      lifetime: '5m',
    };
    expect(listKeyDifferences(one, other)).toEqual([
      { path: 'gates.G1 (position)', one: 'first', other: 'after G2' },
      { path: 'gates.G2.stop', one: 'y', other: 'z' },
      { path: 'gates.G2 (position)', one: 'after G1', other: 'first' },
      { path: 'limit.of', one: 3 },
      { path: 'lifetime', other: '5m' },
    ]);
  });

  test('OC43 a journey also begins far ahead of the next instant, so that waits fit before it', () => {
    const answers = 'answers: { skip: { effect: snooze }, close: { effect: nothing }, expire: { effect: nothing } }';
    const kind = (every: string): Changes => ({
      ...endsAt('45d'),
      answers,
      cadence: `cadence: { kind: fixed, every: ${every} }`,
    });
    const pair = [read(kind('1d')), read(kind('2d'))] as const;
    const gated = gates('{ fact: user.facts.endsAt, present: true }');
    expect(findOwnDifferences(pair).differences).toEqual([]);
    const gatedPair = [read({ ...kind('1d'), ...gated }), read({ ...kind('2d'), ...gated })] as const;
    const found = findOwnDifferences(gatedPair).prompted.map((start) => findOwnJourney(gatedPair, start).journey);
    expect(found.filter((one) => one !== null).map(({ steps }) => steps.length)).toEqual([4]);
  });

  test('OC43 items of other lists have no position, because dates order them', () => {
    const edition = { id: '2026-02', source: ['a'] };
    expect(listKeyDifferences({ editions: [edition, { id: '2026-03' }] }, { editions: [{ id: '2026-03' }] })).toEqual([
      { path: 'editions.2026-02.id', one: '2026-02' },
      { path: 'editions.2026-02.source', one: ['a'] },
    ]);
  });

  test('OC43 lists of texts, such as sources and values, are compared as a whole', () => {
    expect(listKeyDifferences({ source: ['a', 'b'] }, { source: ['a'], values: ['x'] })).toEqual([
      { path: 'source', one: ['a', 'b'], other: ['a'] },
      { path: 'values', other: ['x'] },
    ]);
  });
});
