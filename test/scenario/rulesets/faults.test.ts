import { describe, expect, test } from 'vitest';
import { readOwnText } from '../../../src/scenario/rulesets/read-ruleset.ts';
import { parseRulesetText } from '../../../src/scenario/rulesets/ruleset-text.ts';
import { nonEmpty } from '../../non-empty.ts';
import { lineWith, rulesetText } from './ruleset-text.ts';

/** Planted faults: the code, the key whose line has the fault, and that line. The key decides where it is reported. */
const planted: readonly (readonly [code: string, key: string, line: string])[] = [
  ['RS01', 'ruleset', 'ruleset: Example'],
  ['RS01', 'ruleset', 'ruleset: seed'],
  ['RS01', 'version', 'version: 1'],
  ['RS01', 'unknownKey', 'unknownKey: 1'],
  ['RS01', 'done', 'done: !!js/function x'],
  ['RS01', 'done', 'done: { <<: { fact: user.id } }'],
  ['RS01', 'done', 'done: { constructor: 1 }'],
  ['RS01', 'done', 'done: { fact: user.type, fact: user.id, is: member }'],
  ['RS02', 'format', 'format: 2'],
  ['RS03', 'title', 'title: 7'],
  ['RS04', 'base', 'base: other'],
  ['RS05', 'methods', 'methods: { passkey: { label: passkey, kind: paskey } }'],
  ['RS05', 'methods', 'methods: {}'],
  ['RS05', 'ask', 'ask: app'],
  ['RS06', 'settings', 'settings: { window: { type: duration, default: 7 } }'],
  ['RS06', 'settings', 'settings: { count: { type: integer, default: 7 } }'],
  ['RS06', 'settings', 'settings: { count: { type: integer, min: 0, max: 3, default: 7 } }'],
  ['RS07', 'facts', 'facts: { user: { a: { type: bool, default: true } } }'],
  ['RS07', 'facts', 'facts: { user: { a: { type: boolean, default: null } } }'],
  ['RS07', 'facts', 'facts: { user: { a: { type: enum, default: x } } }'],
  ['RS07', 'facts', 'facts: { user: { a: { type: boolean } } }'],
  ['RS07', 'facts', 'facts: { user: { a: { type: boolean, default: true, map: { yes: true } } } }'],
  ['RS07', 'facts', 'facts: { user: { a: { type: boolean, default: true, import: x, map: { yes: maybe } } } }'],
  ['RS07', 'facts', 'facts: { user: { a: { type: boolean, default: true, import: x, map: {} } } }'],
  ['RS07', 'facts', "facts: { user: { a: { type: boolean, default: true, import: ' ' } } }"],
  ['RS06', 'settings', 'settings: { a: { type: boolean, default: true, import: x } }'],
  ['RS08', 'trigger', 'trigger: { on: [signOut] }'],
  ['RS09', 'gates', 'gates: [{ id: g1, summary: A., when: { all: [] }, stop: not-a-member }]'],
  ['RS09', 'gates', 'gates: [{ id: G1, summary: A., when: { every: [] }, stop: not-a-member }]'],
  ['RS09', 'gates', 'gates: [{ id: G1, summary: A., when: { fact: user.type, equals: member }, stop: not-a-member }]'],
  ['RS09', 'gates', 'gates: [{ place: X.nothing }]'],
  ['RS10', 'gates', 'gates: [{ id: G1, summary: A., when: { fact: user.type, is: member }, stop: not-told }]'],
  ['RS10', 'reasons', "reasons: { not-a-member: 'Only members, not {saw.name}.' }"],
  ['RS11', 'done', 'done: [true]'],
  ['RS12', 'matrix', 'matrix: { keychains: { ios: 1 } }'],
  ['RS12', 'matrix', 'matrix: { keychain: { ios: 2 } }'],
  ['RS12', 'matrix', 'matrix: { keychain: { tv: 1 } }'],
  ['RS13', 'completion', 'completion: { set: { user.type: guest } }'],
  ['RS13', 'completion', 'completion: { add: { user.facts.level: 1 } }'],
  ['RS13', 'completion', 'completion: { set: { user.facts.level: high } }'],
  ['RS14', 'answers', 'answers: { skip: { effect: later } }'],
  ['RS14', 'answers', 'answers: { close: { label: Close, effect: nothing } }'],
  ['RS14', 'answers', 'answers: { skip: { effect: never, for: 7d } }'],
  ['RS15', 'ledger', 'ledger: { keys: [[users]] }'],
  ['RS15', 'ledger', 'ledger: { keys: [[user, ecosystem]] }'],
  ['RS15', 'ledger', 'ledger: { ecosystems: { apple: [ios], other: [ios] } }'],
  ['RS16', 'cadence', 'cadence: { kind: fixed, every: 7 }'],
  ['RS16', 'cadence', 'cadence: { kind: fixed, every: { setting: windows } }'],
  ['RS16', 'cadence', 'cadence: { kind: fixed, every: { setting: count } }'],
  ['RS16', 'cadence', 'cadence: { kind: fixed }'],
  ['RS16', 'cadence', 'cadence: { kind: daily, every: 1d }'],
  ['RS16', 'cadence', 'cadence: { kind: daily, zone: Europe/Nowhere }'],
  ['RS17', 'limit', 'limit: { of: three, counts: snoozes, then: required, after: wait }'],
  ['RS17', 'lifetime', 'lifetime: 0'],
  ['RS18', 'deadline', 'deadline: { ends: [{ at: tomorrow }] }'],
  ['RS18', 'deadline', "deadline: { ends: [{ at: '2026-02-30' }] }"],
  ['RS18', 'deadline', 'deadline: { ends: [{ after: 30d, since: birth }] }'],
  ['RS19', 'requirement', 'requirement: { required: true }'],
  ['RS20', 'failure', 'failure: { skip: never }'],
  ['RS21', 'resets', 'resets: [{ on: restarted, clears: [count] }]'],
  ['RS21', 'resets', 'resets: [{ on: { settingChanged: windows }, clears: [count] }]'],
  ['RS22', 'rollout', 'rollout: { percent: 101 }'],
  ['RS22', 'rollout', 'rollout: { percent: 1.23456 }'],
  ['RS22', 'rollout', 'rollout: { variants: [{ id: a, share: 1, settings: { windows: 1d } }] }'],
  ['RS23', 'screens', 'screens: { prompt: { heading: "Hello {name}" } }'],
  ['RS23', 'screens', 'screens: { prompt: { buttons: { later: Later } } }'],
  ['RS24', 'editions', 'editions: [{ from: soon, set: {} }]'],
  ['RS24', 'editions', "editions: [{ from: '2026-05-01', set: { gates: { G9: null } } }]"],
  [
    'RS26',
    'gates',
    'gates: [{ id: G1, summary: A., when: { all: [] }, stop: not-a-member }, { id: G1, summary: A., when: { all: [] }, stop: not-a-member }]',
  ],
  ['RS26', 'gates', 'gates: [{ id: M1, summary: A., when: { all: [] }, stop: not-a-member }]'],
  ['RS27', 'done', 'done: { fact: user.facts.levels, atLeast: 1 }'],
  ['RS27', 'done', 'done: { fact: user.facts.level, has: a }'],
  ['RS27', 'done', 'done: { fact: user.facts.on, has: c }'],
  ['RS27', 'done', 'done: { fact: attempt.os, is: widnows }'],
  ['RS27', 'done', 'done: { fact: user.facts.level, atLeast: { fact: user.id } }'],
  ['RS31', 'cadence', 'cadence: { kind: growing, durations: [7d, 1d] }'],
  ['RS31', 'limit', 'limit: { of: 0, counts: snoozes, then: required, after: wait }'],
  ['RS31', 'deadline', 'deadline: { ends: [{ after: 7d, since: created }], opens: 30d }'],
  ['RS32', 'editions', "editions: [{ from: '2026-05-01', set: {} }, { from: '2026-05-01', set: {} }]"],
  ['RS32', 'editions', "editions: [{ from: '2026-05-01', set: { facts: { user: null } } }]"],
  ['RS32', 'editions', "editions: [{ from: '2026-05-01', set: { ledger: { keys: [[device]] } } }]"],
];

describe('faults of ruleset files', () => {
  test('OC16 a ruleset without faults is read', () => {
    const { ruleset, faults } = readOwnText(parseRulesetText('a.ruleset.yaml', rulesetText()));
    expect(faults).toEqual([]);
    expect(ruleset?.id).toBe('example');
  });

  test.each(nonEmpty(planted))('%s is reported at the line of %s: %s', (code, key, line) => {
    const text = rulesetText({ [key]: line });
    const { ruleset, faults } = readOwnText(parseRulesetText('a.ruleset.yaml', text));
    expect(ruleset).toBeNull();
    const places = faults.map((fault) => `${fault.code} ${fault.location.split(':')[1]}`);
    expect(places).toContain(`${code} ${lineWith(text, key)}`);
  });

  test.each(['ruleset', 'version', 'format', 'title', 'methods', 'gates'])('OC18 the key %s is needed', (key) => {
    const { ruleset, faults } = readOwnText(parseRulesetText('a.ruleset.yaml', rulesetText({ [key]: '' })));
    expect(ruleset).toBeNull();
    expect(faults.some(({ message }) => message.includes(`the key ${key} is missing`))).toBe(true);
  });

  test('OC16 all faults are shown at once, with the column and the path of the value', () => {
    const text = rulesetText({ format: 'format: 2', cadence: 'cadence: { kind: fixed, every: 7 }', limit: 'limit: 3' });
    const { faults } = readOwnText(parseRulesetText('a.ruleset.yaml', text));
    expect(faults.map(({ code }) => code)).toEqual(['RS02', 'RS16', 'RS17']);
    expect(faults[1]).toMatchObject({ location: 'a.ruleset.yaml:10:32', path: 'cadence.every' });
  });

  test.each([
    ['a document after another', '---\nruleset: other\n', 'keep one, and remove the line ---'],
    ['a repeated key', 'title: Another\n', 'keep one of its values'],
  ])('OC16 %s is reported with what to write instead', (_what, more, advice) => {
    const { faults } = readOwnText(parseRulesetText('a.ruleset.yaml', rulesetText() + more));
    expect(faults[0]).toMatchObject({ code: 'RS01', message: expect.stringContaining(advice) });
  });

  test('OC16 a file above the limits of nodes and depth is rejected', () => {
    const many = rulesetText({ done: `done: { any: [${'{ all: [] }, '.repeat(2_000)}] }` });
    const deep = rulesetText({ done: `done: ${'{ not: '.repeat(30)}{ all: [] }${' }'.repeat(30)}` });
    for (const text of [many, deep]) {
      const { ruleset, faults } = readOwnText(parseRulesetText('a.ruleset.yaml', text));
      expect(ruleset).toBeNull();
      expect(faults[0]?.code).toBe('RS01');
    }
  });

  test('RS29 a reason that no gate uses is a warning and does not prevent the use', () => {
    const reasons = 'reasons: { not-a-member: Only members., unused: No one. }';
    const { ruleset, faults } = readOwnText(parseRulesetText('a.ruleset.yaml', rulesetText({ reasons })));
    expect(ruleset).not.toBeNull();
    expect(faults.map(({ code, severity }) => [code, severity])).toEqual([['RS29', 'warning']]);
  });
});
