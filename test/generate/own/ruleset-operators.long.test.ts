import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { areSameTables } from '../../../src/generate/own/equal-tables.ts';
import { rulesetOperators } from '../../../src/generate/own/operator-names.ts';
import { listRulesetMutants, testRulesetMutants } from '../../../src/generate/own/ruleset-mutants.ts';
import { listWrittenMutants } from '../../../src/generate/own/ruleset-operators.ts';
import { parseRuleset } from '../../forecast/own/own-descriptions.ts';
import { nonEmpty } from '../../non-empty.ts';
import { rulesetText } from '../../scenario/rulesets/ruleset-text.ts';

const twoGates =
  'gates: [{ id: G1, summary: A., when: { all: [{ fact: user.type, is: member }, { fact: user.facts.endsAt, inFuture: true, missing: pass }] }, stop: a }, { id: G2, summary: B., when: { fact: kept.createdAt, olderThan: 1d }, stop: b }]';
const reasons = 'reasons: { a: A., b: B. }';
const cadence = 'cadence: { kind: fixed, every: 3d }';
const limit = 'limit: { of: 2, counts: snoozes, then: required, after: wait }';
const deadline = "deadline: { ends: [{ at: '2026-02-01' }, { after: 9d, since: firstShown }], opens: 5d }";

/** Rows by operator: lines of the ruleset, and text of the changes that it has to make. */
const rows: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
  ['RM1', { gates: twoGates, reasons }, ['gates.0 left out', 'gates.1 left out']],
  ['RM2', { gates: twoGates, reasons }, ['gates 0 and 1 swapped']],
  ['RM3', { gates: twoGates, reasons }, ['gates.0.when {"not"']],
  ['RM4', { gates: twoGates, reasons }, ['gates.0.when.all.0 left out', 'gates.0.when.all.1 left out']],
  ['RM5', { gates: twoGates, reasons }, ['gates.0.when {"any"']],
  ['RM6', { gates: twoGates, reasons }, ['"missing":"fail"']],
  ['RM7', { gates: twoGates, reasons }, ['"atLeastOld":"1d"', '"inPast":true']],
  ['RM8', { done: 'done: { fact: user.passkeys, size: { atLeast: 2 } }' }, ['{"atLeast":1}', '{"atLeast":3}']],
  ['RM9', { cadence }, ['"0"', '"259200001ms"', '"259199999ms"', '"518400000ms"']],
  ['RM10', { cadence, deadline }, ['cadence.boundary "exclusive"', 'deadline.boundary "exclusive"']],
  ['RM11', { cadence }, ['"firstShown"', '"lastShown"']],
  ['RM12', { cadence, deadline }, ['cadence.measure "calendar"', 'deadline.measure "date"']],
  ['RM13', { limit }, ['limit.of 1', 'limit.of 3', 'limit.counts "shown"']],
  ['RM14', { limit }, ['limit.then "never"', 'limit.then "blocked"', 'limit.after "now"']],
  ['RM15', { deadline }, ['2026-01-31T23:59:59.999Z', 'choose "latest"', 'opens left out', 'before and then swapped']],
  [
    'RM16',
    { answers: 'answers: { skip: { label: A, effect: [snooze, session] } }' },
    ['"never"', '["session"]', '["snooze"]'],
  ],
  ['RM17', { answers: 'answers: { skip: { label: A, effect: snooze } }' }, ['answers.next']],
  ['RM18', { answers: 'answers: { skip: { label: A, effect: snooze } }', limit }, ['"offered"']],
  [
    'RM19',
    { ledger: 'ledger: { keys: [[user, ecosystem], [device]], ecosystems: { a: [ios], b: [windows] } }' },
    ['[["device"]]', '[["user"],["device"]]', '"b":["windows","ios"]'],
  ],
  [
    'RM20',
    {
      matrix:
        'matrix: { rows: [keychain], columns: [ios-native-app, mac-safari], keychain: { ios-native-app: 1, mac-safari: 0 } }',
    },
    [],
  ],
  ['RM21', { done: 'done: { fact: user.passkeys, size: { atLeast: 1 } }' }, ['{"all":[]}', 'done left out']],
  [
    'RM22',
    { completion: 'completion: { set: { user.facts.level: 3 } }' },
    ['completion.set.user.facts.level left out'],
  ],
  [
    'RM23',
    { resets: 'resets: [{ on: removed, clears: [count, timer] }]', cadence, limit },
    ['resets.0 left out', 'resets.0.clears.0 left out'],
  ],
  ['RM24', {}, ['failure.skip "refused"', 'failure.stores "snooze"']],
  [
    'RM25',
    { rollout: 'rollout: { percent: 30, by: user }' },
    ['percent 0', 'percent 100', 'percent 29', 'percent 31', 'by "signIn"'],
  ],
  [
    'RM26',
    { editions: 'editions: [{ from: 2026-02-01, source: [a], set: { lifetime: 10m } }]' },
    ['left out', 'starts -1 ms later', 'starts 1 ms later'],
  ],
  [
    'RM27',
    { answers: 'answers: { skip: { label: A, effect: snooze }, never: { label: B, effect: never } }' },
    ['labels of skip and never swapped'],
  ],
];

describe('OC54 mutants of a ruleset', () => {
  it('there is a row for each operator', () => {
    expect(rows.map(([operator]) => operator)).toEqual(Object.keys(rulesetOperators));
  });

  it.each(nonEmpty(rows.filter(([, , changes]) => changes.length > 0)))(
    '%s makes its changes',
    (operator, changes, wanted) => {
      const data = parse(rulesetText(changes)) as Readonly<Record<string, unknown>>;
      const found = listWrittenMutants(data).filter((mutant) => mutant.operator === operator);
      for (const text of nonEmpty(wanted))
        expect(found.map(({ change }) => change)).toEqual(expect.arrayContaining([expect.stringContaining(text)]));
    },
  );

  it.each(nonEmpty(rows.filter(([operator]) => !['RM20', 'RM27'].includes(operator))))(
    '%s keeps some mutants valid',
    (operator, changes) => {
      const text = rulesetText(changes);
      const original = parseRuleset(text);
      const mutants = listRulesetMutants(parse(text) as Readonly<Record<string, unknown>>, original, 'a.ruleset.yaml');
      expect(mutants.filter((mutant) => mutant.operator === operator).length).toBeGreaterThan(0);
      expect(mutants.every(({ ruleset }) => ruleset.id === original.id)).toBe(true);
    },
  );

  it('a survivor has the shortest journey that kills it, and an equivalent mutant is proved to be one', () => {
    const text = rulesetText({ cadence, limit: 'limit: { of: 2, counts: snoozes, then: required, after: now }' });
    const original = parseRuleset(text);
    const mutants = listRulesetMutants(
      parse(text) as Readonly<Record<string, unknown>>,
      original,
      'a.ruleset.yaml',
    ).filter(({ id }) => id.includes('limit.of') || id.includes('measure'));
    const options = { journeys: 300, decide: true, canContinue: () => true, onProgress: () => undefined };
    const { results } = testRulesetMutants(original, mutants, [], options);
    expect(results.map(({ mutant, verdict }) => [mutant.id, verdict])).toEqual([
      ['RM12 cadence.measure "calendar"', 'equivalent'],
      ['RM13 limit.of 1', 'survived'],
      ['RM13 limit.of 3', 'survived'],
    ]);
    const lengths = results.flatMap(({ killer }) => (killer === null ? [] : [killer.steps.length]));
    expect(lengths.length).toBe(2);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(6);
  });

  it('tables prove that rulesets are the same, and that they are not', () => {
    const one = parseRuleset(rulesetText({ cadence, limit }));
    const renamed = parseRuleset(rulesetText({ cadence, limit, title: 'title: Another title' }));
    const other = parseRuleset(rulesetText({ cadence, limit: limit.replace('of: 2', 'of: 3') }));
    expect([areSameTables(one, renamed), areSameTables(one, other)]).toEqual([true, false]);
  });
});
