import { describe, expect, it } from 'vitest';
import { lastFailed, noteLastRun } from '../../src/cli/run/last-run.ts';
import type { RunReport } from '../../src/contract/result.schema.ts';
import { nonEmpty } from '../non-empty.ts';
import { parseOutput, runHere } from './command-context.ts';
import { failing, passing, rows, suiteFolder, writeIn } from './suite-folder.ts';

/** Returns the ids of the scenarios that a run executed, in order. */
async function listIds(cwd: string, ...argv: string[]): Promise<readonly string[]> {
  const { results } = parseOutput(await runHere(['run', '--json', ...argv], { cwd })) as RunReport;
  return results.map(({ id }) => id.replace('scenarios/', ''));
}

const suite = { 'scenarios/a.yaml': passing, 'scenarios/b.yaml': failing, 'scenarios/c.yaml': rows };

describe('run: scenario selection', () => {
  it('a suite outside the current folder prints a repeat command that finds its fixtures', async () => {
    const scenario = failing.replace('sms-user', 'hers');
    const suite = suiteFolder({ 'fixtures/users/hers.yaml': 'methods: [sms]\n', 'scenarios/mine.yaml': scenario });
    const cwd = suiteFolder({ 'readme.txt': '' });
    const { results } = parseOutput(await runHere(['run', '--json', suite], { cwd })) as RunReport;
    const commands = results.map(({ command }) => command.split(' ').slice(1, 3));
    expect(commands).toHaveLength(1);
    for (const argv of nonEmpty(commands)) {
      const again = await runHere([...argv, '--json'], { cwd });
      expect((parseOutput(again) as RunReport).results).toMatchObject([{ status: 'failed' }]);
    }
  });

  it('usage-invalid: an unknown rule is named', async () => {
    const { code, stderr } = await runHere(['run', '--covers', 'R1,R99'], { cwd: suiteFolder(suite) });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/usage-invalid[\s\S]*"R99"/) });
  });

  it.each([
    [['--filter', 'ASKED again'], ['b.yaml']],
    [['--filter', 'c.yaml#1'], ['c.yaml#1']],
    [
      ['--tag', 'rows'],
      ['c.yaml#1', 'c.yaml#2', 'c.yaml#3'],
    ],
    [['--tag', 'none,rows', '--filter', 'days 2'], ['c.yaml#3']],
    [['--covers', 'R1'], ['a.yaml']],
    [
      ['scenarios/a.yaml', 'scenarios/c.yaml#2'],
      ['a.yaml', 'c.yaml#2'],
    ],
    [
      ['scenarios/c.yaml#3', 'scenarios/c.yaml#1'],
      ['c.yaml#1', 'c.yaml#3'],
    ],
    [
      ['scenarios', 'scenarios/c.yaml#3'],
      ['a.yaml', 'b.yaml', 'c.yaml#1', 'c.yaml#2', 'c.yaml#3'],
    ],
    [
      ['--filter', 'a.yaml', '--repeat-each', '3'],
      ['a.yaml', 'a.yaml', 'a.yaml'],
    ],
    [['--bail'], ['a.yaml', 'b.yaml']],
  ])('the options %j run the scenarios %j', async (argv, ids) => {
    expect(await listIds(suiteFolder(suite), ...argv)).toEqual(ids);
  });

  it('the shards of a run include every scenario exactly once', async () => {
    const cwd = suiteFolder(suite);
    const parts = await Promise.all(['1/3', '2/3', '3/3'].map((part) => listIds(cwd, '--shard', part)));
    expect(parts.flat().toSorted()).toEqual((await listIds(cwd)).toSorted());
  });

  it('--last-failed runs the failed scenarios, and all scenarios once none fails', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing, 'scenarios/c.yaml': rows });
    await listIds(cwd);
    expect(await listIds(cwd, '--last-failed')).toEqual(['c.yaml#2']);
    writeIn(cwd, 'scenarios/c.yaml', rows.replace('days: 0', 'days: 3'));
    expect(await listIds(cwd, '--last-failed')).toEqual(['c.yaml#2']);
    expect(await listIds(cwd, '--last-failed')).toEqual(['a.yaml', 'c.yaml#1', 'c.yaml#2', 'c.yaml#3']);
  });

  it('--last-failed selects failed scenarios and ignores skipped ones', () => {
    const cwd = suiteFolder({});
    expect(lastFailed(cwd)).toEqual([]);
    const results = [
      ['a.yaml', 'passed'],
      ['b.yaml', 'failed'],
      ['c.yaml', 'skipped'],
      ['b.yaml', 'passed'],
      ['d.yaml', 'failed'],
      ['d.yaml', 'failed'],
    ].map(([id, status]) => ({ id, status }));
    noteLastRun({ results } as unknown as RunReport, cwd);
    expect(lastFailed(cwd)).toEqual(['b.yaml', 'd.yaml']);
  });

  it.each([
    [[], 'seed 1, 10000 ms'],
    [['--seed', '9'], 'seed 9, 10000 ms'],
    [['--timeout', '5000ms'], 'seed 1, 5000 ms'],
    [['--seed', '9', '--timeout', '5000ms'], 'seed 9, 5000 ms'],
  ])('the options %j reach the driver, and other settings keep their values', async (argv, message) => {
    const driver = `export const driver = {
      name: 'tells',
      can: new Set(['signIn']),
      open: async ({ plan, timeoutMs }) => { throw new Error('seed ' + plan.seed + ', ' + timeoutMs + ' ms'); },
      close: async () => undefined,
    };`;
    const cwd = suiteFolder({
      'nudgelab.config.json': '{"drivers": {"tells": {"module": "./tells.driver.mjs"}}}',
      'tells.driver.mjs': driver,
      'scenarios/a.yaml': passing,
    });
    const { results } = parseOutput(
      await runHere(['run', '--driver', 'tells', '--json', ...argv], { cwd }),
    ) as RunReport;
    expect(results[0]?.message).toContain(message);
  });

  it('a folder provides its own fixtures, which are not run as scenarios', async () => {
    const cwd = suiteFolder({
      'elsewhere/one.yaml': passing.replace('app-enabled', 'ours').replace('sms-user', 'theirs'),
      'elsewhere/fixtures/tenants/ours.yaml': 'extends: app-enabled\n',
      'elsewhere/fixtures/users/theirs.json': '{ "methods": ["voice"] }',
    });
    const { code, stdout } = await runHere(['run', 'elsewhere', '--json'], { cwd });
    expect({ code, ran: (JSON.parse(stdout) as RunReport).results.length }).toEqual({ code: 0, ran: 1 });
  });

  it('a folder can contain rulesets and descriptions of forecasts, which are errors if they are named', async () => {
    const cwd = suiteFolder({
      'scenarios/a.yaml': passing,
      'scenarios/own.ruleset.yaml': 'ruleset: own\n',
      'scenarios/own.forecast.yaml': 'days: 30\n',
    });
    expect(await listIds(cwd)).toEqual(['a.yaml']);
    const error = async (file: string) => (await runHere(['run', `scenarios/${file}`], { cwd })).stderr;
    expect(await error('own.ruleset.yaml')).toMatch(
      /is not a scenario but a ruleset; check it with `nudgelab ruleset check`/,
    );
    expect(await error('own.forecast.yaml')).toMatch(/is not a scenario but the description of a forecast/);
  });

  it('the random seed and the timeout of the command line override those of a scenario', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    const { results } = parseOutput(
      await runHere(['run', '--json', '--seed', '9', '--timeout', '5000ms'], { cwd }),
    ) as RunReport;
    expect(results[0]).toMatchObject({
      status: 'passed',
      command: expect.stringContaining('--seed 9 --timeout 5000ms'),
    });
  });
});
