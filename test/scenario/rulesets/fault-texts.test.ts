import { describe, expect, test } from 'vitest';
import { checkOwnText } from '../../../src/scenario/rulesets/read-ruleset.ts';
import { formatFault } from '../../../src/scenario/rulesets/ruleset-fault.ts';
import { parseRulesetText } from '../../../src/scenario/rulesets/ruleset-text.ts';
import { nonEmpty } from '../../non-empty.ts';
import { rulesetText } from './ruleset-text.ts';

type Changes = Readonly<Record<string, string>>;

const gate = (when: string): Changes => ({
  gates: `gates: [{ id: G1, summary: A., when: ${when}, stop: not-a-member }]`,
});
const snoozing: Changes = {
  done: 'done: { fact: user.passkeys, size: { atLeast: 1 } }',
  answers: 'answers: { later: { effect: snooze } }',
  cadence: 'cadence: { kind: fixed, every: 7d }',
};
const editions = (...list: readonly string[]): Changes => ({ editions: `editions: [${list.join(', ')}]` });

function list(changes: Changes): readonly string[] {
  const text = rulesetText({ ...snoozing, ...changes });
  const { faults } = checkOwnText(parseRulesetText('a.ruleset.yaml', text));
  return faults.map((fault) => formatFault(fault).replace(/ a\.ruleset\.yaml:\d+:\d+/, ''));
}

/** Mistakes with the only fault that is reported: its code and its sentence, without the place. */
const mistakes: readonly (readonly [code: string, sentence: string, changes: Changes])[] = [
  ['RS01', 'version: 1 is not a string; write a version such as 1.0.0', { version: 'version: 1.0' }],
  ['RS01', 'the key "format" is repeated; keep one of its values', { title: 'format: 1\ntitle: A' }],
  [
    'RS06',
    'settings.count.max: 3 is below min, which is 5',
    { settings: 'settings: { count: { type: integer, min: 5, max: 3, default: 4 } }' },
  ],
  [
    'RS06',
    'settings.window.default: 7 days is above max, which is 5 days',
    { settings: 'settings: { window: { type: duration, max: 5d, default: 7d } }' },
  ],
  [
    'RS07',
    'facts.user.a.values.1: "x" is repeated',
    { facts: 'facts: { user: { a: { type: enum, values: [x, x], default: x } } }', gates: 'gates: []', reasons: '' },
  ],
  [
    'RS09',
    'gates.0: use names a built-in gate, which needs the base registration-campaign; write id, summary, when and stop, or another base',
    { gates: 'gates: [{ use: R99 }]' },
  ],
  [
    'RS09',
    'gates.0.place: "X.dune" is not one of "X.trigger", "X.rollout", "X.done", "X.window", "X.never", "X.session", "X.cadence"; did you mean "X.done"?',
    { gates: 'gates: [{ place: X.dune }]', reasons: '' },
  ],
  [
    'RS09',
    'gates.0.summary: is missing; must be a string',
    { gates: 'gates: [{ id: G1, when: { fact: user.type, is: member }, stop: not-a-member }]' },
  ],
  ['RS09', 'gates.0.when: "user.type == member" is not an object', gate('"user.type == member"')],
  [
    'RS09',
    'gates.0.when.signIns.within: is no time; write a duration above 0, such as 30d',
    gate('{ signIns: { within: 0 }, atLeast: 3 }'),
  ],
  [
    'RS16',
    'cadence.measure: the kind daily counts calendar days; leave measure out',
    { cadence: 'cadence: { kind: daily, measure: elapsed }' },
  ],
  ['RS16', 'cadence.signIns: 0 is below 1; write 2 or more', { cadence: 'cadence: { kind: signIns, signIns: 0 }' }],
  ['RS17', 'lifetime: "1mo" is no duration in elapsed units above 0, such as 15m', { lifetime: 'lifetime: 1mo' }],
  ['RS18', 'deadline.ends: [] is empty', { deadline: 'deadline: { ends: [] }' }],
  [
    'RS21',
    'resets.0.on: "registred" is no event; write registered, removed, edition, control, browserCleared, { settingChanged: NAME } or { newVersion: FACT }',
    { resets: 'resets: [{ on: registred, clears: [count] }]' },
  ],
  [
    'RS21',
    'resets.0.on.newVersion: "user.facts.levl" is no declared integer or instant of the user or tenant; did you mean "user.facts.level"?',
    { resets: 'resets: [{ on: { newVersion: user.facts.levl }, clears: [count] }]' },
  ],
  [
    'RS22',
    'rollout.variants.0.settings: no setting has the name "wndow"; did you mean "window"?',
    { rollout: 'rollout: { variants: [{ id: a, share: 1, settings: { wndow: 1d } }] }' },
  ],
  [
    'RS24',
    'editions.0.set.gates: no gate has the id "G9"; did you mean "G1"?',
    editions("{ from: '2026-05-01', set: { lifetime: 5m, gates: { G9: { stop: not-a-member } } } }"),
  ],
  [
    'RS26',
    'gates.0.id: "X.done" is a generated gate; choose another id, or write { place: X.done } for its position',
    { gates: 'gates: [{ id: X.done, summary: A., when: { fact: user.type, is: member }, stop: not-a-member }]' },
  ],
  [
    'RS27',
    'gates.0.when.is: 99 is no value of user.facts.level, which is from 0 to 9',
    gate('{ fact: user.facts.level, is: 99 }'),
  ],
  [
    'RS28',
    'rollout.percent: the campaign reaches 0 percent, so no user is ever prompted; write a share above 0, or a setting',
    { rollout: 'rollout: { percent: 0 }' },
  ],
  [
    'RS28',
    'rollout.steps: the campaign reaches 0 percent, so no user is ever prompted; write a share above 0, or a setting',
    { rollout: "rollout: { steps: [{ from: '2026-05-01', percent: 0 }] }" },
  ],
  [
    'RS28',
    'gates.0.when.all.1: G1 always stops, for example with user.facts.endsAt: null, so no user is ever prompted: "user.facts.endsAt is not before 2026-02-01T00:00:00.000Z" contradicts "user.facts.endsAt is before 2026-01-01T00:00:00.000Z"; correct the condition',
    gate(
      "{ all: [{ fact: user.facts.endsAt, before: '2026-01-01' }, { fact: user.facts.endsAt, since: '2026-02-01' }] }",
    ),
  ],
  [
    'RS28',
    'gates.0.when: G1 always stops, for example with user.type: member, so no user is ever prompted: "user.type is one of nothing" never holds; correct the condition',
    gate('{ fact: user.type, in: [] }'),
  ],
  [
    'RS29',
    'warning: cadence.every: a wait of no time has no effect; write kind: everySignIn, or a longer time',
    { cadence: 'cadence: { kind: fixed, every: 0 }' },
  ],
  [
    'RS29',
    'warning: gates.1.place: X.rollout is left out, because the ruleset does not state rollout; leave the position out',
    {
      gates:
        'gates: [{ id: G1, summary: A., when: { fact: user.type, is: member }, stop: not-a-member }, { place: X.rollout }]',
    },
  ],
  [
    'RS29',
    'warning: requirement.required: blocked holds for everyone for whom this holds, so nothing is required; correct one of them',
    {
      requirement:
        'requirement: { required: { fact: user.facts.level, above: 5 }, blocked: { fact: user.facts.level, above: 3 } }',
    },
  ],
  [
    'RS29',
    'warning: resets.0.on: the ruleset has no editions, so nothing is cleared; leave the reset out',
    { resets: 'resets: [{ on: edition, clears: [count] }]' },
  ],
  [
    'RS31',
    'limit.of: a limit of -3 is reached before the first prompt; write requirement.required, or 1 or more',
    { limit: 'limit: { of: -3, counts: snoozes, then: required, after: wait }' },
  ],
  [
    'RS32',
    'editions.1.id: "s" is the id of an edition before; give each edition its own',
    editions(
      "{ from: '2026-05-01', id: s, set: { lifetime: 5m } }",
      "{ from: '2026-06-01', id: s, set: { lifetime: 6m } }",
    ),
  ],
];

const kinds = '"everySignIn", "fixed", "growing", "signIns", "daily", "once"';

/** Mistakes with the only fault that is reported, where others could follow from it or be hidden by it. */
const alone: readonly (readonly [code: string, sentence: string, changes: Changes])[] = [
  [
    'RS14',
    'answers.later.effect: nothing stands alone; leave it out of the list',
    { answers: 'answers: { later: { effect: [snooze, nothing] } }' },
  ],
  [
    'RS06',
    'settings: 5 is not an object',
    { settings: 'settings: 5', cadence: 'cadence: { kind: fixed, every: { setting: window } }' },
  ],
  [
    'RS06',
    'settings: "3": must be a name: a letter, then letters, digits, - or _, at most 64 characters',
    { settings: 'settings: { 3: { type: duration, default: 7d } }' },
  ],
  [
    'RS17',
    'limit: unknown key "than"; allowed: of, counts, when, then, after; did you mean "then"?',
    { limit: 'limit: { of: 3, counts: snoozes, than: required, after: wait }' },
  ],
  [
    'RS10',
    'gates.0.stop: no reason has the code "not-a-membr"; did you mean "not-a-member"?',
    { gates: 'gates: [{ id: G1, summary: A., when: { fact: user.type, is: member }, stop: not-a-membr }]' },
  ],
  [
    'RS32',
    'editions.1.from: "2026-05-01" is the id of an edition before; write another id',
    editions(
      "{ from: '2026-05-01', set: { lifetime: 5m } }",
      "{ from: '2026-05-01T12:00:00Z', set: { lifetime: 6m } }",
    ),
  ],
  ...['every: 7d', 'durations: [1d, 7d]', 'signIns: 3', 'zone: UTC'].map(
    (keys) =>
      ['RS16', `cadence.kind: "x" is not one of ${kinds}`, { cadence: `cadence: { kind: x, ${keys} }` }] as const,
  ),
  ['RS01', 'a list or mapping is no key; write a name', { done: 'done: { [a]: 3 }' }],
  [
    'RS17',
    'lifetime: Infinity is no duration; write one such as 5m, 36h, 7d, 2w or 7d12h',
    { lifetime: 'lifetime: .inf' },
  ],
  [
    'RS17',
    'lifetime: {"setting":"window"} is no constant, and a lifetime is one; write a duration such as 15m',
    { lifetime: 'lifetime: { setting: window }' },
  ],
  [
    'RS17',
    'limit.of: NaN is not a whole number',
    { limit: 'limit: { of: .nan, counts: snoozes, then: never, after: wait }' },
  ],
  [
    'RS16',
    'cadence: the kind everySignIn has no every; write kind: fixed, or leave it out',
    { cadence: 'cadence: { every: 7d }' },
  ],
  ['RS18', 'deadline.ends.0.since: is missing', { deadline: 'deadline: { ends: [{ after: 7d }] }' }],
  [
    'RS23',
    'screens: unknown key "h"; allowed: prompt, required, error, blocked',
    { screens: 'screens: { h: { heading: A } }' },
  ],
  [
    'RS24',
    'editions.0.set.gates.G1: 7 is no change of a gate; write the changed keys, or null to remove the gate',
    editions("{ from: '2026-05-01', set: { lifetime: 5m, gates: { G1: 7 } } }"),
  ],
  [
    'RS24',
    'editions.0.set.gates.G1: after places a new gate, and this one is in the list already; write gates as a list to move it',
    editions("{ from: '2026-05-01', set: { lifetime: 5m, gates: { G1: { after: G2 } } } }"),
  ],
  [
    'RS05',
    'editions.0.set.methods: the key methods is needed; write a value, or leave it out',
    editions("{ from: '2026-05-01', set: { methods: null } }"),
  ],
  [
    'RS27',
    'gates.0.when.is: ["member"] is a list; write a single text, or another operator',
    gate('{ fact: user.id, is: [member] }'),
  ],
];

/** What looks like one of these mistakes, and is none. */
const valid: readonly (readonly [what: string, changes: Changes])[] = [
  [
    'a number beside the range of a fact, which is a way to write its bounds',
    gate('{ fact: user.facts.level, below: 10 }'),
  ],
  [
    'a share of 0 percent that a step raises',
    { rollout: "rollout: { percent: 0, steps: [{ from: '2026-05-01', percent: 5 }] }" },
  ],
  [
    'a share of 0 percent that an edition raises',
    { rollout: 'rollout: { percent: 0 }', ...editions("{ from: '2026-05-01', set: { rollout: { percent: 5 } } }") },
  ],
  [
    'the position of a gate that an edition states',
    {
      gates:
        'gates: [{ place: X.rollout }, { id: G1, summary: A., when: { fact: user.type, is: member }, stop: not-a-member }]',
      ...editions("{ from: '2026-05-01', set: { rollout: { percent: 5 } } }"),
    },
  ],
  [
    'a requirement of which only some are blocked',
    {
      requirement:
        'requirement: { required: { fact: user.facts.level, above: 3 }, blocked: { fact: user.facts.level, above: 5 } }',
    },
  ],
  [
    'a reset of editions',
    {
      resets: 'resets: [{ on: edition, clears: [count] }]',
      ...editions("{ from: '2026-05-01', set: { lifetime: 5m } }"),
    },
  ],
  [
    'instants with one bound or none',
    {
      settings:
        "settings: { window: { type: duration, default: 7d }, a: { type: instant, default: '2026-01-01' }, b: { type: instant, min: '2026-01-01', default: '2026-02-01' } }",
    },
  ],
  [
    'an exclusive wait of no time, which is one millisecond',
    { cadence: 'cadence: { kind: fixed, every: 0, boundary: exclusive }' },
  ],
];

describe('sentences about faults of ruleset files', () => {
  test.each(nonEmpty([...mistakes, ...alone]))('%s %s', (code, sentence, changes) => {
    expect(list(changes)).toEqual([`${code} ${sentence}`]);
  });

  test.each(nonEmpty(valid))('RS28 and RS29 do not report %s', (_what, changes) => {
    expect(list(changes).filter((text) => !text.includes('never stops'))).toEqual([]);
  });

  test('RS01 a key that is a number is located', () => {
    const { faults } = checkOwnText(parseRulesetText('a.ruleset.yaml', rulesetText({ more: '7: 3' })));
    expect(faults[0]).toMatchObject({ code: 'RS01', location: 'a.ruleset.yaml:10:1' });
  });

  test('RS21 a reset beside one of another shape is read', () => {
    const resets = 'resets: [{ on: restarted, clears: [count] }, { on: { settingChanged: windw }, clears: [count] }]';
    expect(list({ resets })).toEqual([
      expect.stringMatching(/^RS21 resets.0.on: "restarted" is no event/),
      'RS21 resets.1.on.settingChanged: "windw" is not one of window, count; did you mean "window"?',
    ]);
  });

  test('RS01 an alias inside the node that it repeats is located', () => {
    const text = rulesetText({ title: 'title: A\ndescription: &whole [{ a: *whole }]' });
    const [fault] = checkOwnText(parseRulesetText('a.ruleset.yaml', text)).faults;
    expect(fault).toMatchObject({ code: 'RS01', location: 'a.ruleset.yaml:5:27' });
  });
});
