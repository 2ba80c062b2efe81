import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
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

it('OC50 an import cannot be compared under own rulesets', async () => {
  mkdirSync(join(cwd, 'import'), { recursive: true });
  const ran = await runHere(['compare', 'import', '--ruleset', 'daily.ruleset.yaml', '--json'], { cwd });
  expect(ran.code).toBe(2);
  expect(`${ran.stdout}${ran.stderr}`).toContain('usage-invalid');
});
