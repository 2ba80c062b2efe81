import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/contract/result.schema.ts';
import { runReportSchema } from '../../src/contract/result.schema.ts';
import { parseOutput, runHere } from './command-context.ts';
import { failing, passing, rows, suiteFolder } from './suite-folder.ts';

/** Runs a suite with `--json`. Returns the exit code and the report, which must match its schema. */
async function report(cwd: string, ...argv: string[]): Promise<{ code: number; report: RunReport }> {
  const ended = await runHere(['run', '--json', ...argv], { cwd });
  const value = parseOutput(ended);
  expect(runReportSchema.safeParse(value).error).toBeUndefined();
  return { code: ended.code, report: value as RunReport };
}

describe('run: results', () => {
  it('a passed suite exits with 0, and the report names each scenario', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing, 'scenarios/deep/b.yml': passing });
    const { code, report: run } = await report(cwd);
    expect(code).toBe(0);
    expect(run.summary).toMatchObject({ passed: 2, failed: 0, skipped: 0 });
    expect(run.results.map(({ id, driver, status }) => [id, driver, status])).toEqual([
      ['scenarios/a.yaml', 'model', 'passed'],
      ['scenarios/deep/b.yml', 'model', 'passed'],
    ]);
  });

  it('a failed scenario exits with 1, and the report states the location and the reason', async () => {
    const { code, report: run } = await report(suiteFolder({ 'scenarios/a.yaml': failing }));
    expect(code).toBe(1);
    const [step] = run.results[0]?.steps.filter(({ status }) => status === 'failed') ?? [];
    expect(step).toMatchObject({ kind: 'signIn', line: 7, reason: 'snoozed' });
    expect(step?.mismatches).toEqual([
      {
        key: 'page',
        expected: 'prompt',
        actual: 'not-nudged',
        message: expect.stringContaining('Not prompted: snoozed less than a minute ago'),
      },
      { key: 'reason', expected: null, actual: 'snoozed' },
    ]);
    expect(step?.rules?.find(({ outcome }) => outcome === 'stopped')).toMatchObject({ id: 'R5' });
  });

  it.each([
    [passing, failing],
    [failing, passing],
  ])('one passed and one failed scenario exit with 1 in any order', async (first, second) => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': first, 'scenarios/b.yaml': second });
    const { code, report: run } = await report(cwd);
    expect([code, run.summary.passed, run.summary.failed, run.summary.skipped]).toEqual([1, 1, 1, 0]);
    const both = await report(cwd, '--driver', 'model,http', '--no-coverage');
    expect([both.code, both.report.summary.passed, both.report.summary.failed]).toEqual([1, 2, 2]);
    expect((await runHere(['run'], { cwd })).code).toBe(1);
  });

  it('scenario-invalid: a scenario with an impossible step is reported, and the other scenarios run', async () => {
    const never = passing.replace('app-enabled', 'disabled').replace('{ page: prompt }', '{ page: not-nudged }');
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing, 'scenarios/b.yaml': `${never}  - skip: {}\n` });
    const { code, stdout, stderr } = await runHere(['run'], { cwd });
    expect([code, stdout]).toEqual([2, expect.stringMatching(/1 passed/)]);
    expect(stderr).toMatch(/^scenarios\/b\.yaml:7\b.*unexpected-screen/m);
    const json = await runHere(['run', '--json'], { cwd });
    expect([json.code, json.stderr]).toEqual([2, '']);
    const { results } = parseOutput(json) as RunReport;
    expect(results.map(({ id, status }) => `${id} ${status}`).toSorted()).toEqual([
      'scenarios/a.yaml passed',
      'scenarios/b.yaml failed',
    ]);
  });

  it('both drivers have the same results', async () => {
    const { report: run } = await report(
      suiteFolder({ 'scenarios/a.yaml': failing, 'scenarios/b.yaml': rows }),
      '--driver',
      'model,http',
    );
    const of = (driver: string): unknown[] =>
      run.results.filter((result) => result.driver === driver).map(({ id, status, steps }) => [id, status, steps]);
    expect(of('http')).toHaveLength(4);
    expect(of('http')).toEqual(of('model'));
  });

  it('a failure is reported with location, expected and actual values, gates and the command that repeats it', async () => {
    const cwd = suiteFolder({ 'scenarios/a b.yaml': failing });
    const { code, stdout } = await runHere(['run', '--seed', '7'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('scenarios/a b.yaml:7 signIn');
    expect(stdout).toMatch(/page\n +expected "prompt"\n +actual {3}"not-nudged"/);
    expect(stdout).toMatch(/Stopped R5 snoozed {2}Snoozed less than a minute ago; the snooze lasts 24 h/);
    expect(stdout).toMatch(/Passed +C1 S1 S2/);
    expect(stdout).toContain("repeat: nudgelab run 'scenarios/a b.yaml' --driver model --seed 7");
  });

  it('the command that repeats a failed row runs only that row', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': rows });
    const first = await report(cwd);
    const [failed] = first.report.results.filter(({ status }) => status === 'failed');
    expect(failed?.command).toBe('nudgelab run scenarios/a.yaml#2 --driver model');
    const again = await report(cwd, ...(failed?.command.split(' ').slice(2) ?? []));
    expect(again.report.results.map(({ id, status }) => [id, status])).toEqual([['scenarios/a.yaml#2', 'failed']]);
  });

  it('npm start prints the next command', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    const { stdout } = await runHere(['run'], { cwd, env: { npm_lifecycle_event: 'start' } });
    expect(stdout).toContain('npm run serve');
    expect((await runHere(['run'], { cwd })).stdout).not.toContain('npm run serve');
  });

  it('rule coverage is printed unless it is disabled', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    expect((await runHere(['run'], { cwd })).stdout).toMatch(/Rule coverage.*\n.*R1 1\/0/);
    expect((await runHere(['run', '--quiet'], { cwd })).stdout).not.toContain('Rule coverage');
    const without = await runHere(['run', '--no-coverage'], { cwd });
    expect(without).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Rule coverage') });
  });

  it('a run of one file that fails omits the list of covered rules', async () => {
    const cwd = suiteFolder({ 'scenarios/b.yaml': failing });
    const { code, stdout } = await runHere(['run', 'scenarios/b.yaml'], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.not.stringContaining('Rules that this file covers') });
  });

  it('the printed command repeats a failure with the fixtures of the named folder', async () => {
    const own = failing.replace('ada: sms-user', 'ada: mine');
    const cwd = suiteFolder({ 'suite/scenarios/b.yaml': own, 'suite/fixtures/users/mine.yaml': 'methods: [sms]' });
    const whole = await runHere(['run', 'suite'], { cwd });
    const [, words = ''] = /repeat: nudgelab (.*)/.exec(whole.stdout) ?? [];
    const again = await runHere(words.split(' '), { cwd });
    expect([whole.code, again.code, words]).toEqual([1, 1, 'run suite/scenarios/b.yaml --driver model']);
    expect(again.stdout).toContain('actual   "not-nudged"');
  });

  it('a run fails if it does not confirm a claim to cover a rule, unless coverage is disabled', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing.replace('[R1]', '[R1, R9]') });
    const { code, report: run } = await report(cwd);
    expect({ code, unconfirmedClaims: run.results[0]?.unconfirmedClaims }).toEqual({
      code: 1,
      unconfirmedClaims: ['R9'],
    });
    expect((await report(cwd, '--no-coverage')).code).toBe(0);
  });

  it('reports are written as JSON, JUnit XML and Markdown with the same results', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': failing });
    const { code, stdout } = await runHere(['run', '--report', 'out'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain(
      'Reports: out/report.json, out/junit.xml, out/ctrf.json, out/report.html, out/summary.md, out/coverage.json, out/coverage.md',
    );
    const read = (name: string): string => readFileSync(join(cwd, 'out', name), 'utf8');
    const written = runReportSchema.parse(JSON.parse(read('report.json')));
    expect(written.summary).toMatchObject({ passed: 0, failed: 1 });
    expect(JSON.parse(read('coverage.json'))).toEqual(written.coverage);
    expect(read('junit.xml')).toContain('tests="1" failures="1"');
    expect(read('coverage.md')).toContain('| R5 |');
  });

  it('progress is one line on a terminal, and is omitted in CI and without a terminal', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': rows });
    expect((await runHere(['run'], { cwd, isTty: true })).stderr).toContain('\r\u001b[2K3/3 model');
    expect((await runHere(['run'], { cwd, isTty: true, env: { CI: 'true' } })).stderr).toBe('');
    expect((await runHere(['run'], { cwd })).stderr).toBe('');
  });
});

describe('run: validation before the first scenario', () => {
  it('scenario-invalid: every problem of every file is reported with its location', async () => {
    const cwd = suiteFolder({
      'scenarios/a.yaml': passing,
      'scenarios/b.yaml': passing.replace('user: ada', 'user: bob'),
      'scenarios/c.yaml': 'name: [',
      'scenarios/d.yaml': passing.replace('page: prompt', 'page: promt').replace('[R1]', '[R99]'),
    });
    const { code, stdout, stderr } = await runHere(['run'], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error scenario-invalid: /);
    for (const place of ['b.yaml:5:5', 'c.yaml:1:', 'd.yaml:2:'])
      expect(stderr).toMatch(new RegExp(`^scenarios/${place}`, 'm'));
  });

  it('scenario-invalid: a skip without a prompt is detected on the model first', async () => {
    const never = passing
      .replace('app-enabled', 'disabled')
      .replace('[R1]', '[]')
      .replace('{ page: prompt }', '{ page: not-nudged }');
    const cwd = suiteFolder({ 'scenarios/a.yaml': `${never}  - skip: {}\n` });
    const { code, stdout, stderr } = await runHere(['run', '--driver', 'http'], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^scenarios\/a\.yaml:7\b/m);
  });

  it('scenario-empty: filters without a match and empty folders exit with 1', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing, 'empty/readme.txt': '' });
    expect(await runHere(['run', '--filter', 'zebra'], { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('scenario-empty'),
    });
    expect(await runHere(['run', 'empty'], { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('scenario-empty'),
    });
  });

  it('file-unreadable: the error for a folder without scenarios suggests how to create some', async () => {
    const { code, stderr } = await runHere(['run'], { cwd: suiteFolder({}) });
    expect({ code, hint: stderr.includes('nudgelab init') }).toEqual({ code: 2, hint: true });
  });

  it('usage-invalid: a row that the file does not contain is rejected', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': rows });
    expect(await runHere(['run', 'scenarios/a.yaml#4'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('usage-invalid'),
    });
  });

  it('server-unreachable: a URL without a server is reported', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    const { code, stderr } = await runHere(['run', '--url', 'http://localhost:1'], { cwd });
    expect({ code, known: stderr.startsWith('error server-unreachable') }).toEqual({ code: 2, known: true });
  });
});
