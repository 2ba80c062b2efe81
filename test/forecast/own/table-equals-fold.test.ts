import { describe, expect, it } from 'vitest';
import { type OwnForecastInput, ownForecastSchema } from '../../../src/contract/own-forecast.schema.ts';
import { foldUser } from '../../../src/forecast/own/fold-users.ts';
import { prepareOwnForecast } from '../../../src/forecast/own/own-forecast.ts';
import { nonEmpty } from '../../non-empty.ts';
import { rulesetText } from '../../scenario/rulesets/ruleset-text.ts';
import { byTier } from '../../tier.ts';
import { parseRuleset, shippedForecast, simulateBoth, usual } from './own-descriptions.ts';

const skipOnly = { skippable: [{ skip: 0.8, close: 0.1, letExpire: 0.1 }], required: [{ register: 0.1, close: 0.9 }] };
const everyDay = { monday: 1, tuesday: 1, wednesday: 1, thursday: 1, friday: 1, saturday: 1, sunday: 1 };
/** Sign-ins at 09:00, 09:15 and so on, and the same shares of answers at every prompt. */
const atNine = (perDay: number[], shares: Record<string, number>) => ({
  signIn: { weekdays: { ...everyDay, sunday: 0.5, saturday: 0 }, perDay },
  answers: { skippable: [shares], required: [{ register: 0.5, letExpire: 0.5 }] },
});
const answers = (changes: string): string => `answers: { ${changes} }`;

/** Rows by the id of the requirement: lines of the ruleset, and what the description has besides the usual. */
const rows: readonly (readonly [
  id: string,
  changes: Readonly<Record<string, string>>,
  description?: OwnForecastInput['defaults'],
])[] = [
  ['OC26 every sign-in', {}],
  ['OC26 a fixed window', { cadence: 'cadence: { kind: fixed, every: 3d }' }],
  ['OC26 an exclusive window', { cadence: 'cadence: { kind: fixed, every: 1d, boundary: exclusive }' }],
  ['OC26 a window that ends within a minute', { cadence: 'cadence: { kind: fixed, every: 1d30s1ms }' }],
  ['OC18 a window as a setting', { cadence: 'cadence: { kind: fixed, every: { setting: window } }' }],
  ['OC26 a growing window', { cadence: 'cadence: { kind: growing, durations: [1d, 4d, 9d] }' }],
  ['OC26 a window from the first showing', { cadence: 'cadence: { kind: fixed, every: 5d, anchor: firstShown }' }],
  ['OC26 a window from the last showing', { cadence: 'cadence: { kind: fixed, every: 2d, anchor: lastShown }' }],
  ['OC26 every third sign-in', { cadence: 'cadence: { kind: signIns, signIns: 3 }' }],
  [
    'OC26 every third sign-in from the first showing',
    { cadence: 'cadence: { kind: signIns, signIns: 3, anchor: firstShown }' },
  ],
  ['OC26 once a day in a zone', { cadence: 'cadence: { kind: daily, zone: America/New_York }' }],
  [
    'OC26 once a day, until a deadline that ends within a day',
    { cadence: 'cadence: { kind: daily }', deadline: "deadline: { ends: [{ at: '2026-01-20T10:00:00Z' }] }" },
  ],
  ['OC26 once ever', { cadence: 'cadence: { kind: once, anchor: lastShown }' }],
  [
    'OC26 calendar days in a zone',
    { cadence: 'cadence: { kind: fixed, every: 2d, measure: calendar, zone: Europe/Berlin }' },
  ],
  [
    'OC52 two rules that reach their times together',
    {
      facts: "facts: { user: { changedAt: { type: instant, default: '2025-12-01' } } }",
      done: 'done: { fact: user.facts.changedAt, youngerThan: 40d }',
      completion: 'completion: { set: { user.facts.changedAt: now } }',
      deadline: 'deadline: { ends: [{ after: 50d, since: { fact: user.facts.changedAt } }], opens: 10d }',
    },
  ],
  ['OC17 calendar months', { cadence: 'cadence: { kind: fixed, every: 1mo }' }],
  [
    'OC24 answers of their own',
    {
      answers: answers(
        'skip: { label: Later, effect: snooze, for: 2d }, never: { label: Never, effect: never }, close: { effect: snooze }, expire: { effect: nothing }',
      ),
      cadence: 'cadence: { kind: fixed, every: 6d }',
    },
    { answers: { skippable: [{ skip: 0.5, never: 0.1, close: 0.3, letExpire: 0.1 }] } },
  ],
  [
    'OC24 next stores by itself',
    {
      answers: answers('skip: { label: Later, effect: snooze }, next: { effect: snooze }'),
      cadence: 'cadence: { kind: fixed, every: 2d }',
    },
  ],
  [
    'OC24 a session',
    {
      answers: answers('skip: { label: Later, effect: [session, snooze] }'),
      cadence: 'cadence: { kind: fixed, every: 1d }',
    },
    { signInContexts: [{ share: 0.5 }, { share: 0.5, session: 'same' }] },
  ],
  [
    'OC24 an answer at a required prompt',
    {
      answers: answers('skip: { label: Later, effect: snooze, whenRequired: offered }'),
      limit: 'limit: { of: 1, counts: snoozes, then: required, after: now }',
      cadence: 'cadence: { kind: fixed, every: 2d }',
    },
    { answers: { skippable: [{ skip: 1 }], required: [{ skip: 0.5, close: 0.5 }] } },
  ],
  [
    'OC7 required after two snoozes',
    {
      limit: 'limit: { of: 2, counts: snoozes, then: required, after: wait }',
      cadence: 'cadence: { kind: fixed, every: 1d }',
    },
  ],
  ['OC7 never after two showings', { limit: 'limit: { of: 2, counts: shown, then: never, after: wait }' }],
  [
    'OC7 blocked after three snoozes',
    { limit: 'limit: { of: 3, counts: snoozes, then: blocked, after: now }' },
    { answers: skipOnly },
  ],
  ['OC8 an absolute deadline', { deadline: "deadline: { ends: [{ at: '2026-01-20T09:30:00Z' }], opens: 5d }" }],
  [
    'OC8 an exclusive deadline',
    { deadline: "deadline: { ends: [{ at: '2026-01-20T09:00:00Z' }], boundary: exclusive, then: blocked }" },
  ],
  [
    'OC8 a deadline by date in a zone',
    { deadline: "deadline: { ends: [{ at: '2026-01-20T22:30:00Z' }], measure: date, zone: Europe/Berlin, opens: 3d }" },
  ],
  [
    'OC8 the latest of a deadline since the first showing and a fact',
    {
      deadline:
        'deadline: { ends: [{ after: 10d, since: firstShown }, { at: { fact: user.facts.endsAt } }], choose: latest, then: none }',
    },
    { facts: { endsAt: { null: 0.5, '2026-01-25T12:00:00Z': 0.5 } } },
  ],
  [
    'OC8 a deadline since the creation',
    { deadline: 'deadline: { ends: [{ after: 30d, since: created }], before: none, then: required }' },
    {
      users: [
        { share: 0.5, createdDaysAgo: 20 },
        { share: 0.5, createdDaysAgo: 0.01 },
      ],
    },
  ],
  [
    'OC9 required for some',
    { requirement: 'requirement: { required: { fact: user.facts.level, atLeast: 5 } }' },
    { facts: { level: { 1: 0.5, 7: 0.5 } } },
  ],
  [
    'OC10 a failure that snoozes',
    { failure: 'failure: { skip: signsIn, stores: snooze }', cadence: 'cadence: { kind: fixed, every: 3d }' },
  ],
  ['OC10 a failure that is refused', { failure: 'failure: { skip: refused }' }],
  [
    'OC11 an edition that clears the ledger',
    {
      cadence: 'cadence: { kind: fixed, every: 30d }',
      resets: 'resets: [{ on: edition, clears: [timer, count] }]',
      editions: "editions: [{ from: '2026-01-20T10:00:00Z', source: [a], set: { lifetime: 10m } }]",
    },
  ],
  [
    'OC57 editions with other windows',
    {
      cadence: 'cadence: { kind: fixed, every: 9d }',
      editions:
        'editions: [{ from: 2026-01-15, source: [a], set: { cadence: { every: 2d } } }, { from: 2026-02-01, source: [a], set: { requirement: { required: { fact: user.type, is: member } } } }]',
    },
  ],
  [
    'OC12 a share of users with steps',
    { rollout: 'rollout: { percent: 20, by: user, steps: [{ from: 2026-01-20, percent: 60 }] }' },
  ],
  ['OC12 a share of devices', { rollout: 'rollout: { percent: 40, by: device }' }],
  ['OC12 a share of sign-ins', { rollout: 'rollout: { percent: 30, by: signIn }' }],
  [
    'OC28 variants of settings',
    {
      rollout:
        'rollout: { percent: 100, by: user, variants: [{ id: a, share: 50, settings: { window: 1d } }, { id: b, share: 50, settings: { window: 10d } }] }',
      cadence: 'cadence: { kind: fixed, every: { setting: window } }',
    },
  ],
  [
    'OC25 a ledger of browsers',
    { ledger: 'ledger: { keys: [[browser]] }', cadence: 'cadence: { kind: fixed, every: 4d }' },
  ],
  [
    'OC25 two keys',
    {
      ledger: 'ledger: { keys: [[user, ecosystem], [device]], ecosystems: { apple: [ios, macos] } }',
      cadence: 'cadence: { kind: growing, durations: [1d, 5d] }',
    },
  ],
  [
    'OC20 kept facts',
    {
      gates:
        'gates: [{ id: K1, summary: Known., when: { fact: kept.signIns, atLeast: 3 }, stop: too-new }, { id: K2, summary: Rested., when: { fact: kept.answeredAt, olderThan: 2d, missing: pass }, stop: rested }, { id: K3, summary: Some., when: { fact: kept.shown, below: 4 }, stop: enough }, { id: K4, summary: Away., when: { fact: kept.previousSignInAt, atLeastOld: 6h, missing: pass }, stop: here }]',
      reasons: 'reasons: { too-new: A., rested: B., enough: C., here: D. }',
    },
  ],
  [
    'OC13 a completion that is too old',
    {
      facts:
        'facts: { user: { doneAt: { type: instant, default: null }, level: { type: integer, min: 0, max: 9, default: 0 }, on: { type: set, values: [a, b], default: [] } } }',
      done: 'done: { fact: user.facts.doneAt, youngerThan: 7d }',
      completion: 'completion: { set: { user.facts.doneAt: now } }',
    },
    {
      facts: { doneAt: { null: 0.5, '2026-01-03T11:00:00Z': 0.5 } },
      answers: { skippable: [{ register: 0.9, skip: 0.1 }] },
    },
  ],
  [
    'OC8 a deadline between the close of a page and the end of its prompt',
    {
      cadence: 'cadence: { kind: fixed, every: 12h }',
      deadline: "deadline: { ends: [{ at: '2026-01-20T09:30:00Z' }], then: required, before: skippable }",
    },
    {
      answers: { skippable: [{ close: 1 }], required: [{ close: 1 }] },
      signIn: { weekdays: everyDay, perDay: [1], hours: { 9: 1 } },
    },
  ],
  [
    'OC57 an edition between the close of a page and the end of its prompt',
    {
      cadence: 'cadence: { kind: fixed, every: 12h }',
      editions: "editions: [{ from: '2026-01-20T09:30:00Z', set: { answers: { close: { effect: nothing } } } }]",
      answers: answers('skip: { label: Later, effect: snooze }, close: { effect: snooze }'),
    },
    {
      answers: { skippable: [{ close: 1 }], required: [{ close: 1 }] },
      signIn: { weekdays: everyDay, perDay: [1], hours: { 9: 1 } },
    },
  ],
  [
    'OC20 what was before a prompt',
    {
      requirement:
        'requirement: { required: { any: [{ fact: kept.previousSignInAt, olderThan: 3d }, { fact: kept.lastShownAt, youngerThan: 6h10m }] } }',
    },
  ],
  [
    'OC20 what was before each of two open prompts',
    {
      lifetime: 'lifetime: 25m',
      requirement:
        'requirement: { required: { all: [{ fact: kept.firstShownAt, present: true }, { fact: kept.previousSignInAt, youngerThan: 12m }] } }',
    },
    {
      answers: { skippable: [{ skip: 0.3, letExpire: 0.7 }], required: [{ register: 0.1, letExpire: 0.9 }] },
      signIn: { weekdays: { monday: 0.7, thursday: 0.7 }, perDay: [0.5, 0.5], hours: { 0: 0.2, 9: 0.3, 10: 0.5 } },
    },
  ],
  [
    'OC29 a lifetime over two sign-ins',
    { lifetime: 'lifetime: 25m', cadence: 'cadence: { kind: fixed, every: 1d }' },
    {
      answers: { skippable: [{ skip: 0.5, letExpire: 0.5 }] },
      signIn: { weekdays: { monday: 0.7, thursday: 0.7 }, perDay: [0.5, 0.5], hours: { 0: 0.2, 9: 0.3, 10: 0.5 } },
    },
  ],
  [
    'OC24 a snooze by next before a page is closed for good',
    { answers: answers('next: { effect: snooze }, close: { effect: never }') },
    atNine([1], { closeDuringSetup: 1 }),
  ],
  [
    'OC24 a page closed before an earlier prompt expires',
    { lifetime: 'lifetime: 16m' },
    atNine([0.3, 0.4, 0.3], { letExpire: 0.7, closeDuringSetup: 0.3 }),
  ],
  [
    'OC26 a page closed on the day before its prompt expires',
    { cadence: 'cadence: { kind: daily }' },
    atNine([1], { close: 1 }),
  ],
  [
    'OC20 sign-ins compared with a fact that a completion sets',
    {
      gates:
        'gates: [{ id: K1, summary: A., when: { fact: user.facts.level, above: { fact: kept.signIns } }, stop: a }]',
      reasons: 'reasons: { a: A. }',
      completion: 'completion: { set: { user.facts.level: 7 } }',
    },
    { ...atNine([1], { register: 0.3, skip: 0.7 }), facts: { level: { 2: 0.5, 4: 0.5 } } },
  ],
  [
    'OC13 a number that a completion sets',
    { done: 'done: { fact: user.facts.level, is: 3 }', completion: 'completion: { set: { user.facts.level: 3 } }' },
    { ...atNine([1], { register: 0.3, skip: 0.7 }), facts: { level: { 1: 0.5, 3: 0.5 } } },
  ],
  [
    'OC13 a completion that keeps the sign-in before',
    {
      facts: 'facts: { user: { seenAt: { type: instant, default: null } } }',
      requirement: 'requirement: { blocked: { not: { fact: user.facts.seenAt, present: true } } }',
      completion: 'completion: { set: { user.facts.seenAt: { fact: kept.previousSignInAt } } }',
    },
    { ...atNine([1], { register: 0.1, skip: 0.9 }), facts: { seenAt: '2026-01-01' } },
  ],
  [
    'OC20 a sign-in half an hour before a prompt expires',
    { requirement: 'requirement: { required: { fact: kept.previousSignInAt, atLeastOld: 30m } }' },
    atNine([0.5, 0.5], { letExpire: 1 }),
  ],
  [
    'OC20 the first showing before a prompt that expires',
    { requirement: 'requirement: { required: { not: { fact: kept.firstShownAt, present: true } } }' },
    atNine([1], { letExpire: 1 }),
  ],
  [
    'OC57 an edition at the end of a prompt',
    { editions: "editions: [{ from: '2026-01-20T09:15:00Z', set: { answers: { expire: { effect: nothing } } } }]" },
    atNine([1], { letExpire: 1 }),
  ],
];

/** The quick tier takes every tenth row, because compiling takes most of the time. */
const checked = rows.filter((_row, index) => (index + 8) % byTier({ quick: 10, all: 1 }) === 0);

/** Worked examples, the ones that are compiled soonest first. The quick tier takes two of them. */
const shipped = ['second-factor-deadline', 'passkey-by-ecosystem', 'passkey-90-days', 'passkey-week'];

describe('OC53 tables give the numbers of the campaign itself', () => {
  it.each(nonEmpty(checked.map(([id, changes, extra = {}]) => ({ id, changes, extra }))))(
    '$id',
    ({ changes, extra }) => {
      const description = ownForecastSchema.parse({ ...usual, defaults: { ...usual.defaults, ...extra } });
      const { table, fold, layout } = simulateBoth(
        description,
        parseRuleset(rulesetText(changes)),
        byTier({ quick: 12, all: 60 }),
      );
      expect([...table.counters]).toEqual([...fold.counters]);
      expect([...table.population]).toEqual([...fold.population]);
      expect(fold.counters.slice(layout.prompts, layout.unreached).some((count) => count > 0)).toBe(true);
    },
  );

  it.each(nonEmpty(shipped.slice(0, byTier({ quick: 2, all: shipped.length }))))('%s', (name) => {
    const { ruleset, description } = shippedForecast(name);
    const { table, fold } = simulateBoth(description, ruleset, byTier({ quick: 8, all: 80 }), 7);
    expect([...table.counters]).toEqual([...fold.counters]);
    expect([...table.population]).toEqual([...fold.population]);
  });
});

/** Rows by the code of the cause: lines of the ruleset, what the description has besides the usual, and the key. */
const uncompiled: readonly (readonly [string, Readonly<Record<string, string>>, object, string])[] = [
  [
    'RC2',
    {
      gates:
        'gates: [{ id: K1, summary: A., when: { fact: kept.answeredAt, since: { fact: user.facts.endsAt }, missing: pass }, stop: a }]',
      reasons: 'reasons: { a: A. }',
    },
    {},
    'gates.K1.when',
  ],
  ['RC2', { done: 'done: { fact: kept.shown, is: { fact: kept.signIns } }' }, {}, 'done'],
  ['RC2', { limit: 'limit: { of: { fact: kept.signIns }, counts: shown, then: never, after: now }' }, {}, 'limit.of'],
  ['RC2', { completion: 'completion: { set: { user.facts.level: { fact: kept.shown } } }' }, {}, 'completion.set'],
  ['RC2', { deadline: 'deadline: { ends: [{ after: 6h, since: firstShown }], measure: date }' }, {}, 'deadline.ends'],
  ['RC3', { lifetime: 'lifetime: 2h' }, {}, 'lifetime'],
  ['RC4', { done: 'done: { signIns: { within: 30d }, atLeast: 10 }' }, {}, 'done'],
  [
    'RC5',
    { ledger: 'ledger: { keys: [[user, browser]] }', cadence: 'cadence: { kind: fixed, every: 1d }' },
    { devices: undefined },
    'ledger.keys',
  ],
];

describe('OC53 a ruleset without tables', () => {
  it.each(uncompiled)('%s names its key, and the other engine still works', (code, changes, extra, key) => {
    const description = ownForecastSchema.parse({ ...usual, days: 10, defaults: { ...usual.defaults, ...extra } });
    const ruleset = parseRuleset(rulesetText(changes));
    expect(() => prepareOwnForecast(description, ruleset, 'table')).toThrow(
      expect.objectContaining({ code, path: key.split('.') }),
    );
    const { plan, draws } = prepareOwnForecast(description, ruleset, 'fold');
    expect(foldUser(plan, draws, 1, 0).attempts.length).toBeGreaterThan(0);
  });
});
