import { describe, expect, it } from 'vitest';
import { seedRuleset } from '../../machines/rulesets/built-in.ts';
import { type CheckedRuleset, checkLog, getOptions } from '../../src/conformance/check-log.ts';
import { readRows } from '../../src/conformance/log/log-rows.ts';
import { readMappingText } from '../../src/conformance/log/read-mapping.ts';
import { createTimeline } from '../../src/conformance/model/policy-timeline.ts';
import { NudgeLabError } from '../../src/core/errors.ts';
import { readShipped } from '../properties/own-canaries.ts';

const own = readShipped('passkey-90-days');
const head = `user: who
time: { field: at }
event: { field: what, values: { ask: prompt-skippable, no: skipped } }
`;

/** Checks a log of one prompt and its answer. Returns the code and the problems of the error. */
async function fail(more: string, ruleset: CheckedRuleset, row: object): Promise<readonly unknown[]> {
  const mapping = readMappingText('log.mapping.yaml', `${head}${more}`);
  const rows = ['ask', 'no'].map((what) => JSON.stringify({ who: 'ada', at: '2026-01-05T09:00:00Z', what, ...row }));
  const first = Buffer.from(rows.join('\n'));
  const all = (async function* () {
    yield first;
  })();
  const { batches, rest } = readRows({ first, all }, 'log.ndjson', mapping);
  const log = { timeline: createTimeline(mapping), batches, rest, options: getOptions(mapping, 10) };
  const error = await checkLog(log, [ruleset]).catch((thrown: unknown) => thrown);
  if (!(error instanceof NudgeLabError)) throw new Error('The log was checked without an error.');
  return [error.code, error.problems];
}

const column = (key: string, rest = ''): string => `attempt:\n  ${key}: { field: how${rest} }\n`;

describe('faults of a mapping that only a ruleset or a log reveals', () => {
  it.each<readonly [string, string, CheckedRuleset, string, string]>([
    ['a constant that no ruleset declares', 'constants:\n  attempt.facts.byPasword: true\n', own, '5:3', 'byPassword'],
    [
      'a constant that no fact is',
      'constants:\n  attempt.surfaces: browser\n',
      own,
      '5:3',
      'constants.attempt.surfaces: ',
    ],
    ['a constant of the tenant', 'constants:\n  tenant.plan: pro\n', own, '5:3', 'constants.tenant.plan: '],
    ['a value of a constant', 'constants:\n  attempt.facts.byPassword: maybe\n', own, '5:3', '"maybe"'],
    [
      'a column for an undeclared fact',
      column('attempt.facts.byPasword'),
      own,
      '5:3',
      'attempt.attempt.facts.byPasword: ',
    ],
    ['a column for a fact that does not exist', column('attempt.surfce'), seedRuleset, '5:3', 'surface'],
    [
      'a meaning that a fact cannot have',
      column('attempt.surface', ', values: { 1: paper }'),
      seedRuleset,
      '5:44',
      'browser',
    ],
    [
      'a meaning for a declared fact',
      column('attempt.facts.byPassword', ', values: { 1: maybe }'),
      own,
      '5:53',
      '"maybe"',
    ],
    ['an id of an answer', 'answer:\n  field: how\n  values: { 1: notNw }\n', own, '6:13', 'did you mean "notNow"?'],
  ])('mapping-invalid: %s has its file, line and column', async (_name, more, ruleset, place, part) => {
    expect(await fail(more, ruleset, { how: '1' })).toEqual([
      'mapping-invalid',
      [{ location: `log.mapping.yaml:${place}`, message: expect.stringContaining(part) }],
    ]);
  });

  it.each<readonly [string, string, CheckedRuleset, string]>([
    ['a value of a fact', column('attempt.surface'), seedRuleset, 'log.ndjson:1'],
    ['a value of a declared fact', column('attempt.facts.byPassword'), own, 'line 1: attempt.facts.byPassword'],
    ['an answer', 'answer: { field: how, values: { later: notNow } }\n', own, 'line 1'],
  ])('log-invalid: %s that the log states is a fault of its line', async (_name, more, ruleset, location) => {
    expect(await fail(more, ruleset, { how: 'paper' })).toMatchObject(['log-invalid', [{ location }]]);
  });
});
