import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Comparison } from '../../src/contract/comparison.schema.ts';
import { readOwn, recordOwn } from '../replay/compare/own-history.ts';
import { rulesetText } from '../scenario/rulesets/ruleset-text.ts';
import { parseOutput, runHere } from './command-context.ts';

const cwd = mkdtempSync(join(tmpdir(), 'nudgelab-compare-own-'));
const id = 'ruleset: compared-own';
const editions =
  'editions: [{ from: 2026-03-01, set: { requirement: { required: { fact: user.type, is: member } } } }]';

function write(file: string, changes: Readonly<Record<string, string>>): void {
  writeFileSync(join(cwd, file), rulesetText({ ruleset: id, ...changes }));
}

beforeAll(async () => {
  const daily = { cadence: 'cadence: { kind: fixed, every: 1d }' };
  write('daily.ruleset.yaml', daily);
  write('weekly.ruleset.yaml', { cadence: 'cadence: { kind: fixed, every: 7d }' });
  write('dated.ruleset.yaml', { ...daily, editions });
  write('unlike.ruleset.yaml', { ruleset: 'ruleset: compared-unlike', ...daily });
  const text = await recordOwn(readOwn('compared-own', daily), async ({ sandbox, signInAndSkip }) => {
    for (let day = 0; day < 2; day += 1) {
      await signInAndSkip('ada');
      await sandbox.clock.advance({ days: 1 });
    }
  });
  writeFileSync(join(cwd, 'journey.ndjson'), text);
});

it('OC50 two versions of one ruleset are compared, and the first is that of the history', async () => {
  const files = 'daily.ruleset.yaml,weekly.ruleset.yaml';
  const ran = await runHere(['compare', 'journey.ndjson', '--ruleset', files, '--json'], { cwd });
  const { variants, baseRuleset, attempts } = parseOutput(ran) as Comparison;
  expect({ attempts, baseRuleset }).toEqual({ attempts: 2, baseRuleset: 'compared-own 1.0.0' });
  expect(variants.map(({ name, users, actions }) => [name, users.changed, actions.inapplicable])).toEqual([
    ['daily.ruleset.yaml', 0, 0],
    ['weekly.ruleset.yaml', 1, 1],
  ]);
});

it('OC50 files of one name and one ruleset id are variants named by their paths', async () => {
  for (const folder of ['old', 'new']) {
    mkdirSync(join(cwd, folder), { recursive: true });
    write(`${folder}/daily.ruleset.yaml`, { cadence: 'cadence: { kind: fixed, every: 1d }' });
  }
  const files = 'old/daily.ruleset.yaml,new/daily.ruleset.yaml,weekly.ruleset.yaml';
  const ran = await runHere(['compare', 'journey.ndjson', '--ruleset', files, '--json'], { cwd });
  const { variants } = parseOutput(ran) as Comparison;
  expect(variants.map(({ name }) => name)).toEqual([
    'old/daily.ruleset.yaml',
    'new/daily.ruleset.yaml',
    'weekly.ruleset.yaml',
  ]);
});

it.each([
  ['--ruleset', ['--ruleset', 'weekly.ruleset.yaml,weekly.ruleset.yaml'], '"weekly.ruleset.yaml"'],
  ['--at', ['--ruleset', 'dated.ruleset.yaml', '--at', '2026-02-01,2026-03-01,2026-03-01'], '"2026-03-01"'],
])(
  'usage-invalid: a repeated value of %s is refused, since two variants would have one name',
  async (option, argv, value) => {
    const { code, stderr } = await runHere(['compare', 'journey.ndjson', ...argv], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(`${option}: ${value} is repeated; name each variant once`);
  },
);

it('OC50 the text report lists the changed users', async () => {
  const ran = await runHere(
    ['compare', 'journey.ndjson', '--ruleset', 'daily.ruleset.yaml,weekly.ruleset.yaml', '--html', 'page.html'],
    { cwd },
  );
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain('Changes by user');
  expect(ran.stdout).toContain('prompted → X.cadence snoozed');
  expect(ran.stdout).toContain('Wrote page.html.');
});

it('OC50 --user of someone without attempts says so', async () => {
  const ran = await runHere(['compare', 'journey.ndjson', '--ruleset', 'weekly.ruleset.yaml', '--user', 'eve'], {
    cwd,
  });
  expect(ran).toMatchObject({ code: 0, stdout: 'No attempts of eve.\n' });
});

it('OC50 OC58 of several times, the first is the baseline', async () => {
  const at = '2026-02-01,2026-03-01';
  const ran = await runHere(['compare', 'journey.ndjson', '--ruleset', 'dated.ruleset.yaml', '--at', at, '--json'], {
    cwd,
  });
  const { variants } = parseOutput(ran) as Comparison;
  expect(variants.map(({ name, totals }) => [name, totals.certain.newlyRequired])).toEqual([
    ['compared-own at 2026-03-01', 1],
  ]);
});

it.each([
  ['both bases', ['--ruleset', 'daily.ruleset.yaml,2026-09'], 'usage-invalid'],
  ['another base than the history', ['--ruleset', '2026-09', '--config', 'own.config.json'], 'usage-invalid'],
  ['a policy', ['--ruleset', 'daily.ruleset.yaml', '--policy', 'policy.json'], 'usage-invalid'],
  [
    'times of two rulesets',
    ['--ruleset', 'daily.ruleset.yaml,weekly.ruleset.yaml', '--at', '2026-03-01'],
    'usage-invalid',
  ],
  ['a policy of an own history', ['--policy', 'policy.json', '--config', 'own.config.json'], 'usage-invalid'],
  ['a ruleset of the history that is not loaded', ['--ruleset', 'unlike.ruleset.yaml'], 'ruleset-missing'],
])('OC50 %s end with an error', async (_what, options, code) => {
  writeFileSync(join(cwd, 'policy.json'), JSON.stringify({ campaign: { state: 'disabled' } }));
  writeFileSync(join(cwd, 'own.config.json'), JSON.stringify({ rulesets: ['daily.ruleset.yaml'] }));
  const ran = await runHere(['compare', 'journey.ndjson', ...options, '--json'], { cwd });
  expect(ran.code).not.toBe(0);
  expect(`${ran.stdout}${ran.stderr}`).toContain(code);
});

describe('OC50 imports', () => {
  const examples = resolve('docs/examples');
  const ruleset = join(examples, 'paid-plan.ruleset.yaml');

  it('OC50 the shipped log is imported with the columns of its ruleset and compared', async () => {
    const log = join(examples, 'plans.csv');
    const imported = await runHere(['import', log, '--ruleset', ruleset, '--out', 'plans', '--json'], { cwd });
    expect(imported.code).toBe(0);
    expect(parseOutput(imported)).toMatchObject({ attempts: 8, users: 3, unusedColumns: [] });
    const ran = await runHere(['compare', 'plans', '--ruleset', ruleset, '--html', 'plans.html', '--json'], { cwd });
    const { variants, baseRuleset, attempts } = parseOutput(ran) as Comparison;
    expect({ attempts, baseRuleset }).toEqual({ attempts: 8, baseRuleset: 'no campaign' });
    expect(variants[0]?.totals.certain).toMatchObject({ attempts: 5, promptedInVariant: 2 });
    expect(variants[0]?.totals.assumed).toMatchObject({ attempts: 3, promptedInVariant: 1 });
    expect(variants[0]?.own?.defaults).toEqual({ verdicts: 2, facts: [{ fact: 'user.facts.plan', verdicts: 2 }] });
    expect(readFileSync(join(cwd, 'plans.html'), 'utf8')).toContain('<th scope="row">user.facts.plan</th><td>2</td>');
    const text = await runHere(['compare', 'plans', '--ruleset', ruleset], { cwd });
    expect(text.stdout).toMatch(/2 verdicts depend on the default .*user\.facts\.plan \(2\)/);
  });

  it('OC50 the first of several rulesets is the baseline of an import', async () => {
    const daily = readFileSync(ruleset, 'utf8').replace('every: 2d', 'every: 1d');
    writeFileSync(join(cwd, 'paid-daily.ruleset.yaml'), daily.replace('ruleset: paid-plan', 'ruleset: paid-daily'));
    const log = join(examples, 'plans.csv');
    await runHere(['import', log, '--ruleset', ruleset, '--out', 'plans', '--force', '--json'], { cwd });
    const both = `${ruleset},paid-daily.ruleset.yaml`;
    const ran = await runHere(['compare', 'plans', '--ruleset', both, '--json'], { cwd });
    const { variants, baseRuleset } = parseOutput(ran) as Comparison;
    expect(baseRuleset).toBe('paid-plan 1.0.0');
    expect(variants.map(({ name, totals }) => [name, totals.assumed.newlyPrompted])).toEqual([['paid-daily', 1]]);
  });

  it('log-value-invalid the error of an import names file, line, column and value', async () => {
    writeFileSync(join(cwd, 'bad.csv'), 'createdDateTime,userId,License SKU\n2026-02-02T09:00:00Z,ada,E9\n');
    const ran = await runHere(['import', 'bad.csv', '--ruleset', ruleset, '--out', 'bad', '--json'], { cwd });
    expect(ran.code).toBe(2);
    const problem = /bad\.csv:2.*column License SKU.*E9.*F1, E3, E5/;
    expect(`${ran.stdout}${ran.stderr}`).toMatch(problem);
  });

  it('usage-invalid an import keeps no columns for a registration campaign', async () => {
    const ran = await runHere(['import', 'bad.csv', '--ruleset', '2026-09', '--out', 'other', '--json'], { cwd });
    expect(ran.code).toBe(2);
    expect(`${ran.stdout}${ran.stderr}`).toContain('usage-invalid');
  });

  it('import-unrecognized a folder that is no import ends with an error', async () => {
    mkdirSync(join(cwd, 'import'), { recursive: true });
    const ran = await runHere(['compare', 'import', '--ruleset', 'daily.ruleset.yaml', '--json'], { cwd });
    expect(ran.code).toBe(2);
    expect(`${ran.stdout}${ran.stderr}`).toContain('import-unrecognized');
  });
});
