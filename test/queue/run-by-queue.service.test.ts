import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { impossibleByQueue, runnerByQueue } from '../../src/cli/queue/suite-by-queue.ts';
import type { RunReport } from '../../src/contract/result.schema.ts';
import { spreadByQueue } from '../../src/queue/job-dispatch.ts';
import { programText } from '../../src/queue/program-text.ts';
import { packJson } from '../../src/queue/queue-job.ts';
import { ModelDriver } from '../../src/scenario/drivers/model.driver.ts';
import { FixtureLibrary } from '../../src/scenario/fixture-library.ts';
import { loadScenarios } from '../../src/scenario/load.ts';
import { type RunOptions, runSuite, runSuiteBy, unsupportedSteps } from '../../src/scenario/run-suite.ts';
import type { Scenario } from '../../src/scenario/scenario.ts';
import { scenarioFiles } from '../../src/scenario/scenario-files.ts';
import { runHere } from '../cli/command-context.ts';
import { failing, passing, rows, suiteFolder } from '../cli/suite-folder.ts';
import { timeless, timelessReport } from '../cli/timeless-report.ts';
import { freePort, kill, redisIsInstalled, startRedis, startWorker } from '../forecast/redis-server.ts';
import { nonEmpty } from '../non-empty.ts';

const installed = redisIsInstalled();
const notRun = 'redis-server is not installed, so this was not run';
const root = process.cwd();
const workers: ChildProcess[] = [];
const noNotice = (): void => undefined;

let port = 0;
let redis: ChildProcess | null = null;

const address = (): string => `redis://127.0.0.1:${port}`;

beforeAll(async () => {
  if (!installed) return;
  port = await freePort();
  redis = await startRedis(port);
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map(kill));
});

afterAll(async () => {
  if (redis !== null) await kill(redis);
});

function shippedScenarios(folders: readonly string[]): readonly Scenario[] {
  const files = scenarioFiles(
    folders.map((folder) => join(root, folder)),
    root,
  );
  return loadScenarios(files, new FixtureLibrary([join(root, 'fixtures')]), root).scenarios;
}

/** Scenario that skips a prompt that is not shown. */
const impossible = `name: A skip without a prompt
given: { tenant: disabled, users: { ada: sms-user } }
steps:
  - signIn: { user: ada }
    expect: { page: not-nudged }
  - skip: {}
`;

const options: RunOptions = { workers: 4, bail: false, repeat: 1, coverage: true };

function byQueue(scenarios: readonly Scenario[], changes: Partial<RunOptions> = {}): Promise<RunReport> {
  const runner = runnerByQueue('model', { address: address(), onNotice: noNotice, url: null, workers: 4 });
  return runSuiteBy(scenarios, [runner], { ...options, ...changes });
}

describe('test run with a queue', { timeout: 240_000 }, () => {
  test('two workers produce the report of a local run, with results, claims and coverage', async ({ skip }) => {
    if (!installed) skip(notRun);
    const scenarios = shippedScenarios(['scenarios']);
    expect(scenarios.length).toBeGreaterThan(1_000);
    const local = timelessReport(await runSuite(scenarios, [new ModelDriver()], options));
    workers.push(await startWorker(address()), await startWorker(address()));
    expect(timelessReport(await byQueue(scenarios))).toBe(local);
  });

  test('if a worker is killed during a run, nothing is lost or counted twice', async ({ skip }) => {
    if (!installed) skip(notRun);
    const scenarios = shippedScenarios(['scenarios/lifecycle', 'scenarios/app']);
    const repeat = 12;
    const local = timelessReport(await runSuite(scenarios, [new ModelDriver()], { ...options, repeat }));
    const [first, second] = [await startWorker(address()), await startWorker(address())];
    workers.push(first, second);
    let reported = 0;
    const report = await byQueue(scenarios, {
      repeat,
      onResult: (_result, done, total) => {
        reported += 1;
        if (done === Math.floor(total / 4)) first.kill('SIGKILL');
      },
    });
    expect(first.signalCode).toBe('SIGKILL');
    expect(reported).toBe(scenarios.length * repeat);
    expect(timelessReport(report)).toBe(local);
  });

  test('a run waits for a Redis that restarts without its data, and repeats lost jobs', async ({ skip }) => {
    if (!installed) skip(notRun);
    const scenarios = shippedScenarios(['scenarios/lifecycle', 'scenarios/app']);
    const repeat = 12;
    const local = timelessReport(await runSuite(scenarios, [new ModelDriver()], { ...options, repeat }));
    workers.push(await startWorker(address()));
    let restarted: Promise<void> | null = null;
    const report = await byQueue(scenarios, {
      repeat,
      onResult: () => {
        if (restarted !== null || redis === null) return;
        restarted = kill(redis).then(async () => {
          redis = await startRedis(port);
        });
      },
    });
    expect(restarted).not.toBeNull();
    expect(timelessReport(report)).toBe(local);
  });

  test('bail stops the run at the same failure as a local run', async ({ skip }) => {
    if (!installed) skip(notRun);
    const cwd = suiteFolder({ 'a.yaml': passing, 'b.yaml': rows, 'c.yaml': failing, 'd.yaml': passing });
    const { scenarios } = loadScenarios(scenarioFiles([cwd], cwd), new FixtureLibrary([join(root, 'fixtures')]), cwd);
    const local = await runSuite(scenarios, [new ModelDriver()], { ...options, bail: true });
    expect(local.results).toHaveLength(3);
    workers.push(await startWorker(address()));
    expect(timelessReport(await byQueue(scenarios, { bail: true }))).toBe(timelessReport(local));
  });

  test('the command writes the same reports as a local run, on the model and on one server per worker', async ({
    skip,
  }) => {
    if (!installed) skip(notRun);
    const cwd = suiteFolder({
      'scenarios/a.yaml': passing,
      'scenarios/b.yaml': rows,
      'scenarios/c.yaml': failing,
      'scenarios/d.yaml': passing.replace('app-enabled', 'app-here').replace('A user is asked', 'A fixture travels'),
      'scenarios/fixtures/tenants/app-here.yaml': readFileSync(join(root, 'fixtures/tenants/app-enabled.yaml'), 'utf8'),
      'scenarios/e.yaml': impossible,
    });
    workers.push(await startWorker(address()), await startWorker(address()));
    for (const driver of ['model', 'http', 'model,http']) {
      const run = (more: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
        runHere(['run', '--driver', driver, '--json', ...more], { cwd });
      const [local, queued] = [await run(['--report', 'here']), await run(['--report', 'there', '--queue', address()])];
      expect(timeless(queued.stdout)).toBe(timeless(local.stdout));
      expect([queued.code, queued.stderr]).toEqual([local.code, local.stderr]);
      expect(readdirSync(join(cwd, 'there'))).toEqual(readdirSync(join(cwd, 'here')));
      for (const name of nonEmpty(readdirSync(join(cwd, 'here')))) {
        const [here, there] = ['here', 'there'].map((folder) =>
          timeless(readFileSync(join(cwd, folder, name), 'utf8')),
        );
        expect(there, name).toBe(here);
      }
    }
  });

  test('workers find the same impossible steps as this process', async ({ skip }) => {
    if (!installed) skip(notRun);
    const cwd = suiteFolder({
      'a.yaml': passing,
      'b.yaml': impossible,
    });
    const { scenarios } = loadScenarios(scenarioFiles([cwd], cwd), new FixtureLibrary([join(root, 'fixtures')]), cwd);
    const local = await unsupportedSteps(scenarios);
    expect(local).toHaveLength(1);
    workers.push(await startWorker(address()));
    expect(await impossibleByQueue(scenarios, { address: address(), onNotice: noNotice })).toEqual(local);
  });

  test('queue-job-failed: the error names a server that a worker cannot reach', async ({ skip }) => {
    if (!installed) skip(notRun);
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    workers.push(await startWorker(address()));
    const ended = await runHere(['run', '--url', 'http://127.0.0.1:1', '--queue', address()], { cwd });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(/queue-job-failed.*server-unreachable/s);
  });

  test('queue-job-failed: a worker with a different program version, or without this job type, rejects a job', async ({
    skip,
  }) => {
    if (!installed) skip(notRun);
    workers.push(await startWorker(address()));
    const one = {
      address: address(),
      onNotice: noNotice,
      jobs: 1,
      createPayload: () => Promise.resolve({ scenarios: packJson([]), rulesets: [] }),
      take: noNotice,
      formatFailure: () => 'It could not be done',
    };
    for (const job of [
      { kind: 'walk', program: 'another' },
      { kind: 'sweep', program: null },
    ]) {
      await expect(spreadByQueue({ ...one, ...job })).rejects.toMatchObject({
        code: 'queue-job-failed',
        message: expect.stringContaining('another version'),
      });
    }
    expect(await spreadByQueue({ ...one, kind: 'walk', program: programText() })).toBe(true);
  });

  test('usage-invalid: a driver from the configuration cannot run on workers; driver-not-found takes precedence', async () => {
    const cwd = suiteFolder({
      'scenarios/a.yaml': passing,
      'nudgelab.config.mjs': `export default { drivers: { own: { module: './own.mjs' } } };\n`,
    });
    const own = await runHere(['run', '--driver', 'own', '--queue', 'redis://127.0.0.1:1'], { cwd });
    expect([own.code, own.stderr]).toEqual([2, expect.stringContaining('usage-invalid')]);
    const unknown = await runHere(['run', '--driver', 'none', '--queue', 'redis://127.0.0.1:1'], { cwd });
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('driver-not-found')]);
  });

  test('queue-unreachable: a Redis with full memory rejects jobs with this error', async ({ skip }) => {
    if (!installed) skip(notRun);
    const full = await freePort();
    const server = await startRedis(full, ['--maxmemory', '1mb', '--maxmemory-policy', 'noeviction']);
    try {
      const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
      const ended = await runHere(['run', '--queue', `redis://127.0.0.1:${full}`], { cwd });
      expect([ended.code, ended.stderr]).toEqual([
        2,
        expect.stringMatching(/queue-unreachable.*Redis rejected a request: OOM/s),
      ]);
    } finally {
      await kill(server);
    }
  });

  test('queue-unreachable: no server is listening', async () => {
    const cwd = suiteFolder({ 'scenarios/a.yaml': passing });
    const ended = await runHere(['run', '--queue', `redis://127.0.0.1:${await freePort()}`], { cwd });
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('queue-unreachable')]);
  });
});
