import { describe, expect, it } from 'vitest';
import { chooseMutants } from '../../src/cli/mutate/mutate.ts';
import { type MutationReport, mutationText } from '../../src/cli/mutate/mutation-text.ts';
import type { MutantResult } from '../../src/generate/mutate/mutation-test.ts';
import { plainPalette } from '../../src/report/palette.ts';
import { parseOutput, runHere } from './command-context.ts';
import { suiteFolder } from './suite-folder.ts';

/** Result of one mutant of the rule R6. */
function result(id: string, changed: Partial<MutantResult>): MutantResult {
  const mutant = { id, operator: 'limit-changed', place: 'R6', rules: ['R6'] };
  return { mutant, verdict: 'killed', kill: null, killer: null, message: null, ...changed } as never;
}

/** Lines of the report of some results. */
function lines(results: readonly MutantResult[], changed: Partial<MutationReport> = {}): readonly string[] {
  const report = {
    results,
    scenarios: 7,
    failing: [],
    skipped: [],
    complete: true,
    files: new Map(),
    elapsedMs: 12,
    ...changed,
  };
  return mutationText(report, plainPalette).trimEnd().split('\n');
}

describe('mutate: text of the report', () => {
  it('survivors and undecided mutants are listed with the journey that kills them, and killed mutants are not', () => {
    const steps = [{ signIn: { user: 'ada' } }, { skip: {}, expect: { snoozes: 1 } }];
    const text = lines(
      [
        result('one more', { verdict: 'survived', killer: { given: { tenant: 'app-enabled' }, steps } as never }),
        result('one less', { verdict: 'killed' }),
        result('none', { verdict: 'undecided', message: 'too many states' }),
      ],
      { files: new Map([['one more', 'killers/one-more.yaml']]) },
    );
    expect(text.slice(0, text.indexOf('By operator'))).toEqual([
      'SURVIVED one more  limit-changed; R6',
      '  given {"tenant":"app-enabled"}, the shortest journey that kills it:',
      '    1. {"signIn":{"user":"ada"}}',
      '    2. {"skip":{}}  expect {"snoozes":1}',
      '  written to killers/one-more.yaml',
      'UNDECIDED none  limit-changed; R6',
      '  too many states',
    ]);
    expect(text.filter((line) => /^ +R6 /.test(line))).toEqual([expect.stringContaining('33.3 %')]);
  });

  it('at most 40 survivors are listed, and the others are counted', () => {
    const survivors = (count: number) =>
      Array.from({ length: count }, (_, at) => result(`m${at}`, { verdict: 'survived' }));
    const listed = (count: number) => lines(survivors(count)).filter((line) => line.startsWith('SURVIVED'));
    expect([listed(40).length, listed(42).length]).toEqual([40, 40]);
    expect(lines(survivors(40))[40]).toBe('By operator');
    expect(lines(survivors(42))[40]).toMatch(/\b2 more\b/);
  });

  it('the score is rounded down, and an incomplete measurement and failing scenarios are reported', () => {
    const results = [
      ...Array.from({ length: 1_999 }, (_, at) => result(`m${at}`, {})),
      result('last', { verdict: 'survived' }),
    ];
    const text = lines(results, { complete: false, failing: ['a.yaml'] });
    expect(text.at(-2)).toMatch(/99\.9 %.*2000 mutants: 1999 killed, 1 survived; 7 scenarios, 12 ms/);
    expect(text.at(-1)).toMatch(/incomplete/);
    expect(text).toContainEqual(expect.stringMatching(/: a\.yaml$/));
    expect(lines([result('m', {})]).at(-1)).toMatch(/100 %/);
  });
});

describe('mutate: choice of mutants', () => {
  const all = [
    { id: 'R6 limit: one more', operator: 'boundary-shifted', rules: ['R6', 'A12'] },
    { id: 'R5 snoozed removed', operator: 'gate-removed', rules: ['R5'] },
    { id: 'R6 gate removed', operator: 'gate-removed', rules: ['R6'] },
  ] as never;
  const everything = { rule: [], operator: [], filter: null };

  it.each([
    [{}, 3],
    [{ rule: ['A12', 'R5'] }, 2],
    [{ operator: ['gate-removed'] }, 2],
    [{ operator: ['gate-removed'], rule: ['R6'] }, 1],
    [{ filter: 'LIMIT' }, 1],
    [{ filter: 'Removed' }, 2],
  ])('the options %j choose %i of three mutants', (options, count) => {
    expect(chooseMutants(all, { ...everything, ...options })).toHaveLength(count);
  });

  it.each([
    [{ rule: ['R99'] }, ''],
    [{ filter: 'painted' }, ''],
    [{ operator: ['gate-removed', 'painted'] }, 'guard-negated'],
  ])('usage-invalid: the options %j are rejected', (options, named) => {
    expect(() => chooseMutants(all, { ...everything, ...options })).toThrow(
      expect.objectContaining({ code: 'usage-invalid', message: expect.stringContaining(named) }),
    );
  });
});

describe('mutate: own machines', () => {
  it.each([
    ['elevator', 'usage-invalid'],
    ['./none.ts', 'config-invalid'],
    ['none.js', 'config-invalid'],
  ])('--machine %s fails with the error %s', async (name, code) => {
    const ended = await runHere(['mutate', '--machine', name, '--json'], { cwd: suiteFolder({}) });
    expect([ended.code, parseOutput(ended)]).toMatchObject([2, { error: { code } }]);
  });
});
