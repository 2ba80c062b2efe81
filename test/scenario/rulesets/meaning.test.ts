import { describe, expect, test } from 'vitest';
import { checkOwnText } from '../../../src/scenario/rulesets/read-ruleset.ts';
import { checkOwnFile } from '../../../src/scenario/rulesets/read-ruleset-file.ts';
import { formatFault } from '../../../src/scenario/rulesets/ruleset-fault.ts';
import { parseRulesetText } from '../../../src/scenario/rulesets/ruleset-text.ts';
import { nonEmpty } from '../../non-empty.ts';
import { lineWith, rulesetText } from './ruleset-text.ts';

type Changes = Readonly<Record<string, string>>;

/** Returns a list of gates with the conditions, and the reason codes that they need. */
function gates(...conditions: readonly string[]): Changes {
  const list = conditions.map(
    (when, index) => `{ id: G${index + 1}, summary: A., when: ${when}, stop: stop-${index + 1} }`,
  );
  const reasons = conditions.map((_, index) => `stop-${index + 1}: A.`);
  return { gates: `gates: [${list.join(', ')}]`, reasons: `reasons: { ${reasons.join(', ')} }` };
}

const boolean = 'facts: { user: { a: { type: boolean, default: false }, b: { type: boolean, default: false } } }';
const instants = 'facts: { user: { at: { type: instant, default: null }, other: { type: instant, default: null } } }';
const texts = 'facts: { attempt: { client: { type: text, default: null } } }';
const set = 'facts: { user: { on: { type: set, values: [apple, windows], default: [] } } }';
const ecosystems = 'ledger: { ecosystems: { apple: [ios], windows: [windows] } }';

/** Planted faults: the code, the key whose line has the fault, a part of its message, and the other lines. */
const planted: readonly (readonly [code: string, key: string, part: string, changes: Changes])[] = [
  ['RS28', 'gates', '"user.facts.level is above 9" never holds', gates('{ fact: user.facts.level, above: 9 }')],
  ['RS28', 'gates', 'for example with user.facts.level: 0', gates('{ fact: user.facts.level, above: 9 }')],
  [
    'RS28',
    'gates',
    '"user.facts.level is below 5" contradicts "user.facts.level is at least 5"',
    gates('{ all: [{ fact: user.facts.level, atLeast: 5 }, { fact: user.facts.level, below: 5 }] }'),
  ],
  [
    'RS28',
    'gates',
    'G1 always stops',
    {
      facts: boolean,
      ...gates('{ all: [{ fact: user.facts.a, is: true }, { not: { fact: user.facts.a, is: true } }] }'),
    },
  ],
  ['RS28', 'gates', 'no facts let it pass', gates('{ any: [] }')],
  [
    'RS28',
    'gates',
    'G1 always stops',
    gates('{ all: [{ fact: user.type, is: member }, { fact: user.type, is: guest }] }'),
  ],
  [
    'RS28',
    'gates',
    'contradicts',
    {
      facts: set,
      ...gates('{ all: [{ fact: user.facts.on, has: apple }, { fact: user.facts.on, size: { atMost: 0 } }] }'),
    },
  ],
  [
    'RS28',
    'gates',
    'contradicts',
    {
      facts: instants,
      ...gates('{ all: [{ fact: user.facts.at, olderThan: 7d }, { fact: user.facts.at, youngerThan: 7d }] }'),
    },
  ],
  [
    'RS28',
    'gates',
    'contradicts',
    {
      facts: instants,
      ...gates('{ all: [{ fact: user.facts.at, inFuture: true }, { fact: user.facts.at, olderThan: 1h }] }'),
    },
  ],
  [
    'RS28',
    'gates',
    'contradicts',
    {
      facts: instants,
      ...gates(
        "{ all: [{ fact: user.facts.at, before: '2026-05-01' }, { fact: user.facts.at, since: '2026-05-01' }] }",
      ),
    },
  ],
  [
    'RS28',
    'gates',
    'G1 always stops',
    {
      facts: instants,
      ...gates(
        '{ all: [{ fact: user.facts.at, before: { fact: user.facts.other } }, { fact: user.facts.other, before: { fact: user.facts.at } }] }',
      ),
    },
  ],
  [
    'RS28',
    'gates',
    'contradicts',
    {
      facts: texts,
      ...gates('{ all: [{ fact: attempt.facts.client, startsWith: a }, { fact: attempt.facts.client, is: b }] }'),
    },
  ],
  [
    'RS28',
    'gates',
    'contradicts',
    {
      ledger: ecosystems,
      ...gates('{ all: [{ fact: attempt.os, is: ios }, { fact: attempt.ecosystem, is: windows }] }'),
    },
  ],
  [
    'RS28',
    'gates',
    'G2 stops whenever G1 passes, for example with user.facts.a: true',
    { facts: boolean, ...gates('{ fact: user.facts.a, is: true }', '{ fact: user.facts.a, is: false }') },
  ],
  ['RS28', 'done', 'X.done always stops', { done: 'done: { fact: user.facts.level, atLeast: 0 }' }],
  ['RS28', 'trigger', 'X.trigger always stops', { trigger: 'trigger: { factors: { any: [] } }' }],
  [
    'RS28',
    'deadline',
    'X.window always stops',
    { deadline: 'deadline: { ends: [{ after: 7d, since: created }], before: none, then: none }' },
  ],
  ['RS29', 'gates', 'G1 never stops', gates('{ fact: user.facts.level, atMost: 9 }')],
  [
    'RS29',
    'gates',
    'G2 is never the reason: whenever it stops, for example with the default facts, G1 stops first',
    gates('{ fact: user.facts.level, above: 3 }', '{ fact: user.facts.level, above: 2 }'),
  ],
  ['RS29', 'done', 'X.done never stops', { done: 'done: { fact: user.facts.level, above: 9 }' }],
  [
    'RS29',
    'requirement',
    'so nothing is required',
    { requirement: 'requirement: { required: { fact: user.facts.level, above: 9 } }' },
  ],
  ['RS29', 'requirement', 'so no user is blocked', { requirement: 'requirement: { blocked: { any: [] } }' }],
  [
    'RS29',
    'limit',
    'so the limit never applies',
    { limit: 'limit: { of: 3, counts: snoozes, when: { any: [] }, then: never, after: wait }' },
  ],
  ['RS29', 'matrix', 'on no platform', { matrix: 'matrix: { keychain: { ios: 0 } }' }],
  [
    'RS29',
    'rollout',
    'no sign-in draws the variant b',
    { rollout: 'rollout: { variants: [{ id: a, share: 1, settings: {} }, { id: b, share: 0, settings: {} }] }' },
  ],
  [
    'RS29',
    'answers',
    'every prompt is required',
    {
      answers: 'answers: { later: { effect: session } }',
      requirement: 'requirement: { required: { all: [] } }',
      done: 'done: { fact: user.passkeys, size: { atLeast: 1 } }',
    },
  ],
  ['RS29', 'answers', 'starts a snooze that nothing reads', { answers: 'answers: { later: { effect: snooze } }' }],
  ['RS29', 'editions', 'changes no rule', { editions: "editions: [{ from: '2026-05-01', set: { title: A } }]" }],
  [
    'RS30',
    'cadence',
    'the time of a snooze',
    { answers: 'answers: { no: { effect: never } }', cadence: 'cadence: { kind: fixed, every: 7d }' },
  ],
  [
    'RS30',
    'cadence',
    'the snooze count',
    {
      answers:
        'answers: { no: { effect: snooze, counts: false }, close: { effect: nothing }, expire: { effect: nothing } }',
      cadence: 'cadence: { kind: growing, durations: [1d, 7d] }',
    },
  ],
  [
    'RS30',
    'limit',
    'the snooze count',
    {
      answers: 'answers: { no: { effect: session } }',
      limit: 'limit: { of: 3, counts: snoozes, then: never, after: wait }',
    },
  ],
  ['RS30', 'resets', 'clears never', { resets: 'resets: [{ on: removed, clears: [never] }]' }],
  [
    'RS30',
    'resets',
    'answers are not stored under [browser]; write [user]',
    { resets: 'resets: [{ on: removed, clears: [timer], keys: [[browser]] }]' },
  ],
  ['RS33', 'requirement', 'without a way to do it', { requirement: 'requirement: { required: { all: [] } }' }],
  [
    'RS33',
    'requirement',
    'for example with user.facts.level: 1',
    { requirement: 'requirement: { required: { fact: user.facts.level, atLeast: 1 } }' },
  ],
  [
    'RS33',
    'requirement',
    'after the setup of app (totp)',
    {
      methods: 'methods: { totp: { label: app, kind: totp } }',
      requirement: 'requirement: { required: { all: [] } }',
      done: 'done: { fact: user.methods, has: sms }',
    },
  ],
  [
    'RS33',
    'requirement',
    'after the setup of passkey (passkey)',
    { requirement: 'requirement: { required: { all: [] } }', matrix: 'matrix: { keychain: { ios: 0 } }' },
  ],
  ['RS33', 'limit', 'without a way', { limit: 'limit: { of: 3, counts: shown, then: required, after: now }' }],
  ['RS33', 'deadline', 'without a way', { deadline: 'deadline: { ends: [{ after: 7d, since: created }] }' }],
];

/** Rulesets without any of these faults. */
const sound: readonly (readonly [name: string, changes: Changes])[] = [
  ['a condition that holds at its boundary alone', gates('{ all: [{ fact: user.facts.level, atLeast: 9 }] }')],
  [
    'an instant exactly at a duration',
    {
      facts: instants,
      ...gates('{ all: [{ fact: user.facts.at, atLeastOld: 7d }, { not: { fact: user.facts.at, olderThan: 7d } }] }'),
    },
  ],
  [
    'a text with a prefix and a suffix',
    {
      facts: texts,
      ...gates('{ all: [{ fact: attempt.facts.client, startsWith: a }, { fact: attempt.facts.client, endsWith: b }] }'),
    },
  ],
  ['a number of sign-ins in a window', gates('{ signIns: { within: 30d }, atLeast: 10 }')],
  ['an unknown value that passes', { facts: texts, ...gates('{ fact: attempt.facts.client, present: false }') }],
  ['a condition that only a setting fulfills', gates('{ fact: tenant.settings.count, is: 9 }')],
  [
    'a requirement that the setup ends by a fact',
    {
      requirement: 'requirement: { required: { fact: user.facts.level, below: 1 } }',
      completion: 'completion: { set: { user.facts.level: 1 } }',
    },
  ],
  [
    'a requirement that the matrix ends on one platform',
    { requirement: 'requirement: { required: { all: [] } }', matrix: 'matrix: { keychain: { ios: 1 } }' },
  ],
  [
    'a limit that the registration clears',
    {
      limit: 'limit: { of: 3, counts: shown, then: required, after: now }',
      resets: 'resets: [{ on: registered, clears: [shown] }]',
    },
  ],
  [
    'a deadline that the setup moves',
    {
      facts: 'facts: { user: { changedAt: { type: instant, default: null } } }',
      deadline: 'deadline: { ends: [{ after: 90d, since: { fact: user.facts.changedAt } }] }',
      completion: 'completion: { set: { user.facts.changedAt: now } }',
    },
  ],
  [
    'an edition that makes a gate possible later',
    {
      ...gates("{ fact: attempt.nowMs, since: '2026-04-01' }"),
      editions: "editions: [{ from: '2026-05-01', set: { gates: [] , reasons: null } }]",
    },
  ],
];

function check(changes: Changes) {
  return checkOwnText(parseRulesetText('a.ruleset.yaml', rulesetText(changes)));
}

describe('meaning of ruleset files', () => {
  test.each(nonEmpty(planted))('%s is reported at the line of %s: %s', (code, key, part, changes) => {
    const { ruleset, faults } = check(changes);
    const line = lineWith(rulesetText(changes), key);
    const wanted = faults.filter((fault) => fault.code === code && fault.message.includes(part));
    expect(faults.map(formatFault).join('\n')).toContain(part);
    expect(wanted.map(({ location }) => Number(location.split(':')[1]))).toEqual([line]);
    expect(ruleset === null).toBe(faults.some(({ severity }) => severity === 'fault'));
    expect(wanted.map(({ severity }) => severity)).toEqual([code === 'RS29' ? 'warning' : 'fault']);
  });

  test.each(nonEmpty(sound))('RS28 to RS33 are not reported for %s', (_name, changes) => {
    expect(check(changes).faults.map(formatFault)).toEqual([]);
  });

  test('RS28 names the column of the comparison', () => {
    const changes = gates('{ all: [{ fact: user.type, is: member }, { fact: user.facts.level, above: 9 }] }');
    const { gates: line = '' } = changes;
    const [fault] = check(changes).faults;
    expect(fault?.location).toBe(`a.ruleset.yaml:8:${line.indexOf('{ fact: user.facts.level') + 1}`);
    expect(fault?.path).toBe('gates.0.when.all.1');
  });

  test('RS28 of an edition is located in its patch, and a fault that it inherits is reported once', () => {
    const gate = '{ id: G2, summary: A., when: { any: [] }, stop: not-a-member }';
    const later = check({ editions: `editions: [{ from: '2026-05-01', set: { gates: [${gate}] } }]` });
    expect(later.faults.map(({ code, path }) => [code, path])).toEqual([['RS28', 'editions.0.set.gates.0.when']]);
    const both = check({
      ...gates('{ any: [] }'),
      editions: "editions: [{ from: '2026-05-01', set: { lifetime: 5m } }]",
    });
    expect(both.faults.map(({ code }) => code)).toEqual(['RS28']);
  });

  test.each(['passkey-week', 'passkey-by-ecosystem', 'passkey-90-days', 'second-factor-deadline'])(
    'RS28 to RS33 are not reported for the example %s',
    (name) => {
      const path = `rulesets/${name}.ruleset.yaml`;
      expect(checkOwnFile(path, path).faults).toEqual([]);
    },
  );

  test('RS29 too many facts to decide are not reported, and the check ends', () => {
    const names = Array.from({ length: 24 }, (_, index) => `f${index}`);
    const facts = names.map((name) => `${name}: { type: integer, min: 0, max: 99, default: 0 }`).join(', ');
    const chain = names
      .slice(1)
      .map((name, index) => `{ fact: user.facts.${name}, above: { fact: user.facts.f${index} } }`);
    const when = `{ all: [${chain.join(', ')}, { fact: user.facts.f0, above: { fact: user.facts.f23 } }] }`;
    expect(check({ facts: `facts: { user: { ${facts} } }`, ...gates(when) }).faults).toEqual([]);
  });
});
