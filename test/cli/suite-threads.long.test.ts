import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runnerByJobs } from '../../src/cli/queue/suite-by-jobs.ts';
import { startEmbeddedServer } from '../../src/cli/run/embedded-server.ts';
import { countThreads, SuiteThreads } from '../../src/cli/run/suite-threads.ts';
import { HttpDriver } from '../../src/scenario/drivers/http.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadScenarios } from '../../src/scenario/load.ts';
import { type RunOptions, runSuite, runSuiteBy } from '../../src/scenario/run-suite.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { scenarioFiles } from '../../src/scenario/scenario-files.ts';
import { parseOutput, runHere } from './command-context.ts';
import { failing, passing, rows, suiteFolder } from './suite-folder.ts';
import { timeless, timelessReport } from './timeless-report.ts';

const root = process.cwd();
const options: RunOptions = { workers: 4, bail: false, repeat: 1, coverage: true };
const parts = { url: null, workers: 1, scenariosMax: 1 };
const size = { workers: 4, repeat: 1, cores: 2 };

function load(paths: readonly string[], cwd = root): readonly Scenario[] {
  const files = scenarioFiles(
    paths.map((path) => join(cwd, path)),
    cwd,
  );
  return loadScenarios(files, new FixtureLibrary([join(root, 'fixtures')]), cwd).scenarios;
}

async function inThreads(scenarios: readonly Scenario[], changes: Partial<RunOptions> = {}): Promise<string> {
  const threads = new SuiteThreads(2);
  onTestFinished(() => threads.close());
  const runner = runnerByJobs('http', parts, (jobs) => threads.spread(jobs, 4));
  return timelessReport(await runSuiteBy(scenarios, [runner], { ...options, ...changes }));
}

async function inThisThread(scenarios: readonly Scenario[], changes: Partial<RunOptions> = {}): Promise<string> {
  const server = await startEmbeddedServer();
  onTestFinished(() => server.close());
  return timelessReport(await runSuite(scenarios, [new HttpDriver(server)], { ...options, ...changes }));
}

describe('test run in threads', { timeout: 120_000 }, () => {
  it('two threads produce the report of one, with results, claims and coverage', async () => {
    const scenarios = load(['scenarios/rulesets', 'scenarios/snooze', 'scenarios/documents', 'scenarios/faults']);
    expect(scenarios.length).toBeGreaterThan(100);
    expect(await inThreads(scenarios)).toBe(await inThisThread(scenarios));
  });

  it.each([
    ['data', ['passkey-week.yaml', 'passkey-week.ruleset.yaml']],
    ['gate modules', ['agency-addresses.yaml', 'agency-addresses.ruleset.yaml', 'agency-addresses.gate.js']],
  ])('a large run with a ruleset with %s has the results of a run with one worker', async (_what, files) => {
    const cwd = suiteFolder(
      Object.fromEntries(files.map((file) => [file, readFileSync(join(root, 'rulesets', file), 'utf8')])),
    );
    const argv = ['run', files.slice(0, 1).join(), '--driver', 'http', '--repeat-each', '192', '--json'];
    const [large, local] = [await runHere(argv, { cwd }), await runHere([...argv, '--workers', '1'], { cwd })];
    expect([large.code, local.code]).toEqual([0, 0]);
    expect(parseOutput(large)).toHaveProperty(
      'summary.passed',
      expect.toSatisfy((count: number) => count >= 192),
    );
    expect(timeless(large.stdout)).toBe(timeless(local.stdout));
  });

  it('bail stops the run at the same failure as a run of one worker', async () => {
    const cwd = suiteFolder({ 'a.yaml': passing, 'b.yaml': rows, 'c.yaml': failing, 'd.yaml': passing });
    const scenarios = load(['.'], cwd);
    const report = await inThreads(scenarios, { bail: true });
    expect(JSON.parse(report)).toMatchObject({ summary: { passed: 2, failed: 1 } });
    expect(report).toBe(await inThisThread(scenarios, { bail: true, workers: 1 }));
  });

  it('bail does not wait for scenarios that are running', async () => {
    const waiting = passing
      .replace('steps:', 'timeoutMs: 600000\nsteps:')
      .replace('given: {', 'given: { faults: [{ kind: delay, endpoint: sign-in, delayMs: 20000 }],')
      .concat('  - signIn: { user: ada }\n'.repeat(5));
    const cwd = suiteFolder({ 'a.yaml': failing, 'b.yaml': waiting, 'c.yaml': waiting });
    const scenarios = load(['.'], cwd);
    expect(scenarios).toHaveLength(3);
    expect(JSON.parse(await inThreads(scenarios, { bail: true }))).toMatchObject({ summary: { passed: 0, failed: 1 } });
  });

  it('internal-error: a thread that ends is an error that names the run in one thread', async () => {
    const threads = new SuiteThreads(1);
    const runner = runnerByJobs('http', parts, (jobs) => threads.spread(jobs, 4));
    const run = runSuiteBy(load(['scenarios/snooze']), [runner], { ...options, onResult: () => threads.close() });
    await expect(run).rejects.toMatchObject({
      code: 'internal-error',
      message: expect.stringContaining('With --workers 1'),
    });
  });

  it('driver-not-found: the program ends if another driver of a large run is unknown', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    const argv = ['run', '--driver', 'http,nowhere', '--repeat-each', '192'];
    const ended = promisify(execFile)(process.execPath, [join(root, 'src/cli/main.ts'), ...argv], { cwd });
    await expect(ended).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('driver-not-found') });
  });

  it('driver-not-found: an error of a driver in a thread ends the run', async () => {
    const threads = new SuiteThreads(2);
    onTestFinished(() => threads.close());
    const runner = runnerByJobs('nowhere', parts, (jobs) => threads.spread(jobs, 4));
    await expect(runSuiteBy(load(['scenarios/snooze']), [runner], options)).rejects.toMatchObject({
      code: 'driver-not-found',
      message: expect.stringContaining('"nowhere"'),
    });
  });
});

describe('number of threads', () => {
  const scenarios = load(['scenarios/policy-api', 'scenarios/rulesets']);

  it('is the number of cores for many scenarios, up to the number of workers and 8', () => {
    expect(countThreads(scenarios, { ...size, repeat: 2 })).toBe(2);
    expect(countThreads(scenarios, { ...size, cores: 64, workers: 3, repeat: 9 })).toBe(3);
    expect(countThreads(scenarios, { ...size, cores: 64, workers: 64, repeat: 9 })).toBe(8);
  });

  it('is 1 for a small suite, for one worker, and for one core', () => {
    const few = scenarios.slice(0, 100);
    expect(countThreads(few, size)).toBe(1);
    expect(countThreads(few, { ...size, repeat: 2 })).toBe(2);
    expect(countThreads(scenarios, { ...size, repeat: 2, workers: 1 })).toBe(1);
    expect(countThreads(scenarios, { ...size, repeat: 2, cores: 1 })).toBe(1);
  });

  it('is 1 for a value that JSON cannot represent', () => {
    const [first] = scenarios;
    const odd = { ...(first as Scenario), timeoutMs: Number.NaN };
    expect(countThreads([...scenarios, odd], { ...size, repeat: 2 })).toBe(1);
  });
});
