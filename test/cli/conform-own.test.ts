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

function write(file: string, changes: Readonly<Record<string, string>>): string {
  writeFileSync(join(cwd, file), rulesetText({ ruleset: 'ruleset: conform-own', ...changes }));
  return file;
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
});

it('CF44: an import is checked with the facts of its columns, and what it lacks is unknown', async () => {
  const plan = { column: 'plan', rest: 'values: [free, pro], default: pro' };
  const writeGated = (file: string, fact: string) =>
    write(file, {
      facts: `facts: { user: { plan: { type: enum, ${plan.rest}${fact} } } }`,
      gates: 'gates: [{ id: G8, summary: The plan is pro., when: { fact: user.facts.plan, is: pro }, stop: free }]',
      reasons: 'reasons: { free: Only the plan pro. }',
    });
  writeGated('plans.ruleset.yaml', `, import: ${plan.column}`);
  writeGated('unknown-plans.ruleset.yaml', '');
  write('closed.ruleset.yaml', {
    gates: 'gates: [{ id: G9, summary: The campaign is open., when: { any: [] }, stop: closed }]',
    reasons: 'reasons: { closed: The campaign is closed. }',
  });
  const rows = [
    ['1', '2026-03-02T09:00:00Z', 'ada', 50203, 'pro'],
    ['2', '2026-03-02T10:00:00Z', 'eve', 50203, 'free'],
    ['3', '2026-03-05T09:00:00Z', 'ada', 0, 'pro'],
    ['4', '2026-03-09T09:00:00Z', 'ada', 50203, 'pro'],
  ];
  const head = 'id,createdDateTime,userId,errorCode,plan';
  writeFileSync(join(cwd, 'prompts.csv'), `${[head, ...rows.map((row) => row.join(','))].join('\n')}\n`);
  await runHere(['import', 'prompts.csv', '--ruleset', 'plans.ruleset.yaml', '--out', 'plans'], { cwd });
  const files = 'plans.ruleset.yaml,unknown-plans.ruleset.yaml,closed.ruleset.yaml';
  const { code, report } = await run('plans', '--ruleset', files);
  expect(code).toBe(0);
  expect(report).toMatchObject({
    events: 4,
    rulesets: [
      { ruleset: 'unknown-plans.ruleset.yaml', fits: true, users: 2, unstated: ['user.facts.plan'] },
      { ruleset: 'plans.ruleset.yaml', fits: false, misfits: 1, examples: [{ user: 'eve', rule: 'G8' }], unstated: [] },
      { ruleset: 'closed.ruleset.yaml', fits: false, misfits: 3, examples: [{ rule: 'G9' }, { rule: 'G9' }] },
    ],
  });
});
