import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { controlClient } from '../../src/client/control-client.ts';
import { type TestContext, testContext } from './command-context.ts';
import { failing, passing, suiteFolder, writeIn } from './suite-folder.ts';

const timeout = 30_000;

/** Starts `run --ui` in a folder and returns its client, once the console has a URL. */
async function openConsole(cwd: string, argv: readonly string[] = []) {
  const context: TestContext = testContext({ cwd });
  const ended = runProgram(['run', '--ui', '--json', ...argv], context);
  await Promise.race([context.stdout.until((text) => text.includes('\n')), ended]);
  const { url } = JSON.parse(context.stdout.text) as { readonly url: string };
  const api = controlClient({ url: new URL(url).origin });
  /** Waits until the latest run has another id and has finished, and returns it. */
  const latest = async (after: string | null) => {
    const getLatest = async () => (await api.listRuns()).runs[0];
    await expect
      .poll(async () => ((await getLatest())?.id === after ? 'none' : (await getLatest())?.state), { timeout })
      .toBe('finished');
    const run = await getLatest();
    if (run === undefined) throw new Error('There is no run.');
    return run;
  };
  return { context, ended, url, api, latest };
}

describe('run --ui', () => {
  it('runs at once and after each change, shows pages and verdicts of the steps, and ends with exit code 0', {
    timeout,
  }, async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': failing, 'fixtures/users/own.yaml': 'methods: [sms]\n' });
    const { context, ended, url, api, latest } = await openConsole(cwd);
    expect(new URL(url).pathname).toBe('/_console/s/default/scenarios/runs/latest');
    const first = await latest(null);
    expect(first).toMatchObject({ failed: 1, passed: 0, request: { driver: 'model' } });
    const { result } = await api.getRunResult({ run: first.id, place: 1 });
    expect(result.steps).toMatchObject([
      { kind: 'signIn', page: 'prompt', reason: null },
      { kind: 'skip', page: 'signed-in' },
      { kind: 'signIn', page: 'not-nudged', reason: 'snoozed', status: 'failed' },
    ]);
    expect(result.steps[2]?.mismatches[0]?.message).toContain('Not prompted: snoozed');
    writeIn(cwd, 'scenarios/a.yaml', passing);
    const second = await latest(first.id);
    expect(second).toMatchObject({ failed: 0, passed: 1 });
    writeIn(cwd, 'scenarios/b.yaml', passing.replace('sms-user', 'own'));
    const third = await latest(second.id);
    expect(third).toMatchObject({ failed: 0, passed: 2 });
    writeIn(cwd, 'fixtures/users/own.yaml', 'methods: [authenticator-push]\n');
    expect(await latest(third.id)).toMatchObject({ failed: 1, passed: 1 });
    context.stop();
    expect(await ended).toBe(0);
    expect(context.stderr.text).toBe('');
    await expect(fetch(url)).rejects.toThrow();
  });

  it('an invalid file is reported in the run, and the next save runs again', { timeout }, async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': 'name: [' });
    const { context, ended, api, latest } = await openConsole(cwd);
    await expect.poll(async () => (await api.listRuns()).runs[0]?.state, { timeout }).toBe('failed');
    const broken = (await api.listRuns()).runs[0];
    expect(broken?.error).toMatchObject({ code: 'scenario-invalid' });
    writeIn(cwd, 'scenarios/a.yaml', passing);
    expect(await latest(broken?.id ?? null)).toMatchObject({ passed: 1 });
    context.press('q');
    expect(await ended).toBe(0);
  });

  it('one file, a driver and filters select what runs', { timeout }, async () => {
    const cwd = suiteFolder({ 'suite/a.yaml': passing, 'suite/b.yaml': failing });
    const argv = [join('suite', 'a.yaml'), '--driver', 'http', '--covers', 'R1', '--filter', 'asked'];
    const { context, ended, api, latest } = await openConsole(cwd, argv);
    const first = await latest(null);
    expect(first).toMatchObject({
      total: 1,
      passed: 1,
      request: { driver: 'http', files: ['a.yaml'], covers: ['R1'], filter: 'asked' },
    });
    // Other files of the folder do not run, so only a change of the file itself starts a run.
    writeIn(cwd, 'suite/b.yaml', passing);
    writeIn(cwd, 'suite/other/c.yaml', passing);
    writeIn(cwd, 'suite/a.yaml', `${passing}\n`);
    expect(await latest(first.id)).toMatchObject({ total: 1, passed: 1 });
    expect((await api.listRuns()).runs).toHaveLength(2);
    context.stop();
    expect(await ended).toBe(0);
  });

  it('prints the address and how to end', { timeout }, async () => {
    const context = testContext({ cwd: suiteFolder({ 'scenarios/a.yaml': passing }) });
    const ended = runProgram(['run', '--ui'], context);
    await context.stdout.until((text) => text.includes('Ctrl+C'));
    expect(context.stdout.text).toMatch(
      /^Scenarios {2}http:\/\/localhost:\d+\/_console\/s\/default\/scenarios\/runs\/latest\n/,
    );
    context.press('\u0003');
    expect(await ended).toBe(0);
  });

  it.each([
    [['--report', 'out'], 'usage-invalid'],
    [['--watch'], 'usage-invalid'],
    [['--driver', 'model,http'], 'usage-invalid'],
    [['scenarios', 'scenarios/a.yaml'], 'usage-invalid'],
    [['--driver', 'modl'], 'driver-not-found'],
    [['missing'], 'file-unreadable'],
  ])('usage-invalid: run --ui %j ends with %s', { timeout }, async (argv, code) => {
    const context = testContext({ cwd: suiteFolder({ 'scenarios/a.yaml': passing }) });
    expect(await runProgram(['run', '--ui', ...argv], context)).toBe(2);
    expect(context.stderr.text).toContain(code);
  });
});
