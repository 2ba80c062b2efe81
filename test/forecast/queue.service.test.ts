import type { ChildProcess } from 'node:child_process';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { CompiledForecast } from '../../src/forecast/compile-forecast.ts';
import { forecastReport } from '../../src/forecast/forecast.ts';
import { ForecastPool } from '../../src/forecast/forecast-pool.ts';
import { type QueueOrder, runByQueue } from '../../src/forecast/queue-forecast.ts';
import { packCounters, unpackCounters } from '../../src/forecast/queue-partition.ts';
import { compiled, officeTenant } from './descriptions.ts';
import { freePort, kill, redisIsInstalled, startRedis, startWorker } from './redis-server.ts';

const installed = redisIsInstalled();
const users = 1_200_000;
const forecast = compiled({ ...officeTenant, users });
const notRun = 'redis-server is not installed, so this was not run';

let port = 0;
let redis: ChildProcess | null = null;
let local = '';
const workers: ChildProcess[] = [];

const address = (): string => `redis://127.0.0.1:${port}`;

async function byQueue(changes: Partial<QueueOrder> = {}, of: CompiledForecast = forecast): Promise<string> {
  const order = { address: address(), users, seeds: [1], onNotice: () => undefined, ...changes };
  return JSON.stringify(forecastReport(of, await runByQueue(of, order), users));
}

beforeAll(async () => {
  if (!installed) return;
  port = await freePort();
  redis = await startRedis(port);
  const pool = new ForecastPool(1);
  local = JSON.stringify(forecastReport(forecast, await pool.run(forecast, { users, seeds: [1] }), users));
  await pool.close();
}, 60_000);

afterEach(async () => {
  await Promise.all(workers.splice(0).map(kill));
});

afterAll(async () => {
  if (redis !== null) await kill(redis);
});

describe('forecasts with a job queue', { timeout: 240_000 }, () => {
  test('two workers return the same bytes as a local run', async ({ skip }) => {
    if (!installed) skip(notRun);
    workers.push(await startWorker(address()), await startWorker(address()));
    expect(await byQueue()).toBe(local);
  });

  test('a worker that is killed during a run causes no missing and no duplicate counts', async ({ skip }) => {
    if (!installed) skip(notRun);
    const [first, second] = [await startWorker(address()), await startWorker(address())];
    workers.push(first, second);
    let killed = false;
    const report = await byQueue({
      onProgress: (share) => {
        if (share === 0 || killed) return;
        killed = true;
        first.kill('SIGKILL');
      },
    });
    expect(killed).toBe(true);
    expect(report).toBe(local);
  });

  test('a forecast waits for a Redis that restarts without its data, and repeats the lost jobs', async ({ skip }) => {
    if (!installed) skip(notRun);
    workers.push(await startWorker(address()));
    let restarted: Promise<void> | null = null;
    const report = await byQueue({
      onProgress: (share) => {
        if (share === 0 || restarted !== null || redis === null) return;
        restarted = kill(redis).then(async () => {
          redis = await startRedis(port);
        });
      },
    });
    expect(restarted).not.toBeNull();
    expect(report).toBe(local);
  });

  test('queue-job-failed: a worker that compiles different tables rejects the job because of its version', async ({
    skip,
  }) => {
    if (!installed) skip(notRun);
    workers.push(await startWorker(address()));
    const newer = { ...forecast, tables: { ...forecast.tables, digest: 'another' } };
    await expect(byQueue({}, newer)).rejects.toMatchObject({
      code: 'queue-job-failed',
      message: expect.stringContaining('another version'),
    });
  });

  test('a forecast without a worker prints a notice, and its time limit ends it without simulated users', async ({
    skip,
  }) => {
    if (!installed) skip(notRun);
    const notices: string[] = [];
    const report = await byQueue({ budgetMs: 4_500, onNotice: (message) => notices.push(message) });
    expect(JSON.parse(report)).toMatchObject({ complete: false, simulatedUsers: 0 });
    expect(notices).toEqual([expect.stringContaining('nudgelab worker --queue redis://127.0.0.1')]);
  });

  test('command-canceled: a forecast that is stopped removes its jobs', async ({ skip }) => {
    if (!installed) skip(notRun);
    const client = new Redis(port);
    onTestFinished(() => client.disconnect());
    const countJobs = (): Promise<number> => client.llen('nudgelab:jobs:wait');
    const begun = Promise.withResolvers<() => void>();
    let isListening = false;
    const onStop = (listener: () => void) => {
      isListening = true;
      begun.resolve(listener);
      return () => {
        isListening = false;
      };
    };
    const stopped = expect(byQueue({ onStop })).rejects.toMatchObject({
      code: 'command-canceled',
      message: expect.stringMatching(/^Canceled after 0 of \d+ jobs/),
    });
    const stop = await begun.promise;
    await expect.poll(countJobs, { timeout: 20_000 }).toBeGreaterThan(0);
    stop();
    await stopped;
    expect([await countJobs(), isListening]).toEqual([0, false]);
  });

  test('command-canceled: a forecast can be stopped while Redis is down', async ({ skip }) => {
    if (!installed) skip(notRun);
    const own = await freePort();
    const gone = await startRedis(own);
    const begun = Promise.withResolvers<() => void>();
    const onStop = (listener: () => void) => {
      begun.resolve(listener);
      return () => undefined;
    };
    const client = new Redis(own);
    client.on('error', () => undefined);
    const stopped = expect(byQueue({ onStop, address: `redis://127.0.0.1:${own}` })).rejects.toMatchObject({
      code: 'command-canceled',
    });
    const stop = await begun.promise;
    await expect.poll(() => client.llen('nudgelab:jobs:wait'), { timeout: 20_000 }).toBeGreaterThan(0);
    client.disconnect();
    await kill(gone);
    stop();
    await stopped;
  });

  test('queue-unreachable: a URL without a server is reported', async () => {
    const nobody = `redis://127.0.0.1:${await freePort()}`;
    await expect(byQueue({ address: nobody })).rejects.toMatchObject({ code: 'queue-unreachable' });
  });

  test('usage-invalid: a URL of another protocol is rejected without printing its password', async () => {
    const failed = byQueue({ address: 'http://user:secret@localhost' });
    await expect(failed).rejects.toMatchObject({ code: 'usage-invalid' });
    await expect(failed).rejects.not.toThrow(/secret/);
  });

  test('unpacked counters equal the packed ones, and counters of another size are rejected', () => {
    const counters = Int32Array.from({ length: 1_000 }, (_, at) => (at % 7) - 3);
    expect(unpackCounters(packCounters(counters), 1_000)).toEqual(counters);
    expect(() => unpackCounters(packCounters(counters), 1_001)).toThrow(RangeError);
    expect(() => unpackCounters(packCounters(counters), 10)).toThrow();
  });
});
