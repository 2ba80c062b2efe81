import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createActor, transition } from 'xstate';
import { nudgeMachine } from '../machines/nudge.machine.ts';
import type { CompiledForecast } from '../src/forecast/compile-forecast.ts';
import { counterLayout } from '../src/forecast/counters.ts';
import { followUser } from '../src/forecast/follow-user.ts';
import { compileDescription } from '../src/forecast/forecast.ts';
import { ForecastPool } from '../src/forecast/forecast-pool.ts';
import { simulateUsers } from '../src/forecast/kernel.ts';
import { runByQueue } from '../src/forecast/queue-forecast.ts';
import { freePort, kill, redisIsInstalled, startRedis, startWorker } from '../test/forecast/redis-server.ts';
import { forecastTenant } from './forecast-tenant.ts';
import {
  atLeast,
  atMost,
  atRate,
  type BenchRow,
  inTemporaryFolder,
  mainFile,
  median,
  pairedAtLeast,
  pairedAtMost,
  type Rounds,
  root,
  stated,
  statedAgainst,
  withinLimit,
  withinTime,
} from './measure.ts';

/**
 * Compares forecasts with XState and with a C loop written by hand for this tenant that draws the same random
 * numbers. A user-day is one user on one day, with or without a sign-in: both programs skip days without one.
 * Single-threaded work is measured in processor time and everything else in wall time.
 */

const rounds = 5;
/** Rounds of the kernel and of the C loop. */
const coreRounds = 21;
const coreUsers = 200_000;
const followedUsers = 400;

/** Measures the forecast rows: core, whole command, threads, size and queue. */
export async function benchForecast(): Promise<readonly BenchRow[]> {
  const compiled = compileDescription(forecastTenant);
  return [
    ...(await coreRows(compiled)),
    ...commandRows(),
    ...(await threadRows(compiled)),
    ...(await sizeRows()),
    ...(await queueRows(compiled)),
  ];
}

/**
 * Measures user-days per second on one thread, against the C loop and against XState stepping the machines for the
 * same users.
 */
async function coreRows(compiled: CompiledForecast): Promise<readonly BenchRow[]> {
  const { days } = compiled.tables;
  const userDays = coreUsers * days;
  const { ours, theirs } = await measureCore(compiled);
  const rate = (userDays / median(ours)) * 1_000;
  const byTransition = machineRate(compiled, 'transition');
  const byActors = machineRate(compiled, 'actors');
  return [
    atRate(100_000_000, 'core, full rules, one thread', rate, 'user-days/s'),
    atLeast(
      1_000,
      "core against evaluate and XState's transition() on the same users",
      rate,
      byTransition,
      'user-days/s',
    ),
    atLeast(500, 'core against evaluate and XState actors on the same users', rate, byActors, 'user-days/s'),
    pairedAtMost(1.5, 'core against the loop in C, same counts, processor time', { ours, theirs }, 'ms'),
    statedAgainst('the same in the fastest rounds of both', Math.min(...ours), Math.min(...theirs), 'ms'),
  ];
}

/**
 * Measures the processor time of the kernel and of the C loop in milliseconds, in interleaved rounds: other programs on the
 * same core slow down JavaScript more than C. Throws if the counts differ.
 */
async function measureCore({ tables }: CompiledForecast): Promise<Rounds> {
  const layout = counterLayout(tables.days, 1);
  const population = new Uint32Array(coreUsers);
  const counters = new Int32Array(layout.size);
  const range = { seed: forecastTenant.seed, firstUser: 0, endUser: coreUsers };
  return inTemporaryFolder(async (folder) => {
    const loop = compileLoop(tables, folder);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = -1; round < coreRounds; round += 1) {
      counters.fill(0);
      const began = process.cpuUsage();
      simulateUsers(tables, layout, range, { population, counters });
      const { user, system } = process.cpuUsage(began);
      const [ms = '', ...totals] = loop();
      const expected = countedText(counters, tables.days);
      if (totals.join('\n') !== expected)
        throw new Error(`The loop in C counts\n${totals.join('\n')}\nand not\n${expected}`);
      // The first round optimizes the kernel and is not counted.
      if (round < 0) continue;
      ours.push((user + system) / 1_000);
      theirs.push(Number(ms));
    }
    return { ours, theirs };
  });
}

/** Compiles the C loop in a folder. The returned function runs one round and returns its milliseconds and its counts. */
function compileLoop(tables: CompiledForecast['tables'], folder: string): () => readonly string[] {
  const program = join(folder, 'forecast-loop');
  execFileSync('gcc', ['-O2', '-o', program, join(root, 'bench', 'forecast-loop.c')]);
  const { days, weekdayBefore, startBits, rounds: answerRounds } = tables;
  const head = [days, weekdayBefore, startBits, tables.gapBits[0] ?? 0, answerRounds, forecastTenant.seed];
  const { startThresholds, startOutcomes, gaps, hourThresholds, hourOutcomes } = tables;
  const parts = [head, startThresholds, startOutcomes, gaps, hourThresholds, hourOutcomes];
  const all = [...parts, tables.answerThresholds, tables.answerOutcomes];
  const file = join(folder, 'tables');
  writeFileSync(file, Buffer.concat(all.map((part) => Buffer.from(Uint32Array.from([part.length, ...part]).buffer))));
  return () =>
    execFileSync(program, [file, String(coreUsers), '1'], { encoding: 'utf8' })
      .trimEnd()
      .split('\n');
}

function countedText(counters: Int32Array, days: number): string {
  const { reasons, prompts } = counterLayout(days, 1);
  const sums = (part: number, name: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, place) => {
      let sum = 0;
      for (let day = 0; day < days; day += 1) sum += counters[part + day * 32 + place] ?? 0;
      return sum > 0 ? `${name} ${place} ${sum}` : '';
    }).filter((line) => line !== '');
  return [...sums(reasons, 'reason', 32), ...sums(prompts, 'path', 20)].join('\n');
}

/**
 * Measures user-days per second when XState steps the same users, by `transition()` or by one actor for each step.
 */
function machineRate(compiled: CompiledForecast, by: 'transition' | 'actors'): number {
  const step: Parameters<typeof followUser>[3] =
    by === 'transition'
      ? (snapshot, event) => transition(nudgeMachine, snapshot, event)[0]
      : (snapshot, event) => {
          const actor = createActor(nudgeMachine, { snapshot, input: { count: 0, snoozedAtMs: null } }).start();
          actor.send(event);
          return actor.getSnapshot();
        };
  for (let user = 0; user < 50; user += 1) followUser(compiled, 2, user, step);
  const began = process.cpuUsage();
  for (let user = 0; user < followedUsers; user += 1) followUser(compiled, forecastTenant.seed, user, step);
  const { user, system } = process.cpuUsage(began);
  return (followedUsers * compiled.tables.days * 1e6) / (user + system);
}

/** Measures wall time and peak memory of the command line with a million users over 90 days. */
function commandRows(): readonly BenchRow[] {
  const runs = Array.from({ length: rounds }, () => runCommand(['--workers', '2']));
  const ms = median(runs.map((run) => run.ms));
  const mib = Math.max(...runs.map((run) => run.mib));
  const what = 'whole command, 1,000,000 users × 90 days, 2 threads';
  return [withinTime(1_500, what, ms, 'ms'), withinLimit(286, `${what}, memory`, mib, 'MiB')];
}

/** Script that prints the peak memory of the process, in KiB, when it exits. */
const memoryProbe =
  "data:text/javascript,process.on('exit',()=>process.stderr.write('maxRSS '+process.resourceUsage().maxRSS+' '))";

function runCommand(args: readonly string[]): { readonly ms: number; readonly mib: number } {
  const description = JSON.stringify(forecastTenant);
  const file = join(root, 'node_modules', '.cache', 'forecast-tenant.json');
  writeFileSync(file, description);
  const began = performance.now();
  const ended = spawnSync(
    process.execPath,
    [`--import=${memoryProbe}`, mainFile, 'forecast', file, ...args, '--json'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    },
  );
  const ms = performance.now() - began;
  const peaks = [...ended.stderr.matchAll(/maxRSS (\d+)/g)].map(([, kib]) => Number(kib));
  if (ended.status !== 0 || peaks.length === 0)
    throw new Error(`The command ended with ${ended.status}: ${ended.stderr}`);
  return { ms, mib: Math.max(...peaks) / 1_024 };
}

/** Compares two threads with one in wall time, with enough users to make the startup time negligible. */
async function threadRows(compiled: CompiledForecast): Promise<readonly BenchRow[]> {
  const users = 4_000_000;
  const [one, two] = [new ForecastPool(1), new ForecastPool(2)];
  const ms = { one: [] as number[], two: [] as number[] };
  for (let round = 0; round < 4; round += 1) {
    for (const [name, pool] of [
      ['one', one],
      ['two', two],
    ] as const) {
      const began = performance.now();
      await pool.run(compiled, { users, seeds: [1] });
      if (round > 0) ms[name].push(performance.now() - began);
    }
  }
  await Promise.all([one.close(), two.close()]);
  const rates = (times: readonly number[]): readonly number[] => times.map((time) => (users * 90_000) / time);
  const rounded = { ours: rates(ms.two), theirs: rates(ms.one) };
  return [pairedAtLeast(1.6, 'two threads against one', rounded, 'user-days/s')];
}

/** Compares ten million users over a year with one million, in time per user-day and in memory. */
async function sizeRows(): Promise<readonly BenchRow[]> {
  const small = runCommand(['--users', '1000000', '--days', '365', '--workers', '2']);
  const large = runCommand(['--users', '10000000', '--days', '365', '--workers', '2']);
  const what = '10,000,000 users × 365 days';
  return [
    { ...atMost(1.15, `${what} against 1,000,000, time a user-day`, large.ms / 10, small.ms, 'ms a million') },
    stated(what, large.ms / 1_000, 's'),
    withinLimit(512, `${what}, memory`, large.mib, 'MiB'),
  ];
}

/**
 * Compares two worker processes with one, and one worker process with an in-process thread, on a job of about 30
 * seconds.
 */
async function queueRows(compiled: CompiledForecast): Promise<readonly BenchRow[]> {
  if (!redisIsInstalled()) return [missing('forecast by queue: redis-server is not installed')];
  const users = Number(process.env['NUDGELAB_BENCH_QUEUE_USERS'] ?? 30_000_000);
  const port = await freePort();
  const redis = await startRedis(port);
  const address = `redis://127.0.0.1:${port}`;
  const timed = async (run: () => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    await run();
    return performance.now() - began;
  };
  const byQueue = (): Promise<number> =>
    timed(() => runByQueue(compiled, { users, seeds: [1], address, onNotice: console.error }));
  const pool = new ForecastPool(1);
  const first = await startWorker(address);
  await runByQueue(compiled, { users: 1_000_000, seeds: [1], address, onNotice: console.error });
  const alone = await timed(() => pool.run(compiled, { users, seeds: [1] }));
  const one = await byQueue();
  const second = await startWorker(address);
  await runByQueue(compiled, { users: 1_000_000, seeds: [1], address, onNotice: console.error });
  const two = await byQueue();
  await Promise.all([pool.close(), kill(first), kill(second)]);
  await kill(redis);
  const perSecond = (ms: number): number => (users * 90_000) / ms;
  const what = `${users.toLocaleString('en-GB')} users × 90 days`;
  return [
    atLeast(1.6, `two queue workers against one, ${what}`, perSecond(two), perSecond(one), 'user-days/s'),
    atMost(1.1, `one queue worker against a thread, ${what}`, one / 1_000, alone / 1_000, 's'),
  ];
}

function missing(what: string): BenchRow {
  return { what, ours: 0, theirs: null, unit: '', ratio: null, bar: 'runs', reached: false };
}
