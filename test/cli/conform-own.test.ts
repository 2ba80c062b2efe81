import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { ConformanceReport } from '../../src/contract/conformance-report.ts';
import { readOwn, recordOwn } from '../replay/compare/own-history.ts';
import { rulesetText } from '../scenario/rulesets/ruleset-text.ts';
import { parseOutput, runHere } from './command-context.ts';

const cwd = mkdtempSync(join(tmpdir(), 'nudgelab-conform-own-'));
const examples = join(import.meta.dirname, '..', '..', 'docs', 'examples');

function write(file: string, changes: Readonly<Record<string, string>>): void {
  writeFileSync(join(cwd, file), rulesetText({ ruleset: 'ruleset: conform-own', ...changes }));
}

const daily = { cadence: 'cadence: { kind: fixed, every: 1d }' };

beforeAll(async () => {
  write('daily.ruleset.yaml', daily);
  write('weekly.ruleset.yaml', { cadence: 'cadence: { kind: fixed, every: 7d }' });
  const text = await recordOwn(readOwn('conform-own', daily), async ({ sandbox, signInAndSkip }) => {
    for (let day = 0; day < 3; day += 1) {
      await signInAndSkip('ada');
      await sandbox.clock.advance({ days: 1 });
    }
  });
  writeFileSync(join(cwd, 'journey.ndjson'), text);
  await runHere(['import', '--synthesize', '300', '--seed', '3', '--format', 'csv', '--out', 'made-up'], { cwd });
  const parts = ['made-up/sign-ins.csv', '--registrations', 'made-up/registrations.csv'];
  await runHere(['import', ...parts, '--out', 'tenant'], { cwd });
});

const run = async (...args: readonly string[]) => {
  const ran = await runHere(['conform', ...args, '--json'], { cwd });
  return { code: ran.code, report: parseOutput(ran) as ConformanceReport };
};

it('CF40: a journey of an own campaign fits its ruleset, and another version does not explain it', async () => {
  const fits = await run('journey.ndjson', '--ruleset', 'daily.ruleset.yaml');
  expect([fits.code, fits.report.rulesets[0]]).toMatchObject([0, { fits: true, users: 1 }]);
  const { code, report } = await run('journey.ndjson', '--ruleset', 'weekly.ruleset.yaml,daily.ruleset.yaml');
  expect(code).toBe(0);
  expect(report.rulesets).toMatchObject([
    { ruleset: 'daily.ruleset.yaml', fits: true },
    { ruleset: 'weekly.ruleset.yaml', fits: false, misfits: 2, examples: [{ user: 'ada', rule: 'X.cadence' }] },
  ]);
});

it('CF41: rulesets of both bases explain no journey of an own campaign together', async () => {
  const ran = await runHere(['conform', 'journey.ndjson', '--ruleset', 'seed,daily.ruleset.yaml', '--json'], { cwd });
  expect([ran.code, parseOutput(ran)]).toMatchObject([2, { error: { code: 'usage-invalid' } }]);
});

it('CF42: own and built-in rulesets are ranked on one log', async () => {
  for (const name of ['prompts-february.csv', 'prompts.mapping.yaml'])
    copyFileSync(join(examples, name), join(cwd, name));
  const { report } = await run(
    'prompts-february.csv',
    '--mapping',
    'prompts.mapping.yaml',
    '--ruleset',
    'weekly.ruleset.yaml,seed',
  );
  expect(report.rulesets.map(({ ruleset }) => ruleset)).toEqual(['seed', 'conform-own']);
});

it('CF43: the folder of an import is a log, and other folders are refused', async () => {
  const { report } = await run('tenant', '--ruleset', 'seed,2026-09');
  const manifest = JSON.parse(readFileSync(join(cwd, 'tenant', 'import.json'), 'utf8')) as {
    readonly report: { readonly attempts: number };
  };
  expect(report.events).toBeGreaterThan(0);
  expect(report.events).toBeLessThanOrEqual(manifest.report.attempts);
  expect(report.rulesets.map(({ ruleset }) => ruleset).toSorted()).toEqual(['2026-09', 'seed']);
  const other = await runHere(['conform', '.', '--json'], { cwd });
  expect([other.code, parseOutput(other)]).toMatchObject([2, { error: { code: 'import-unrecognized' } }]);
  const own = await runHere(['conform', 'tenant', '--ruleset', 'daily.ruleset.yaml', '--json'], { cwd });
  expect([own.code, parseOutput(own)]).toMatchObject([2, { error: { code: 'usage-invalid' } }]);
});
