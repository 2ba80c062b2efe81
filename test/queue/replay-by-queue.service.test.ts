import type { ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { replayByQueue } from '../../src/cli/queue/journeys-by-queue.ts';
import { findJourneys } from '../../src/cli/replay/journey-files.ts';
import { parseOutput, runHere } from '../cli/command-context.ts';
import { freePort, kill, redisIsInstalled, startRedis, startWorker } from '../forecast/redis-server.ts';

const installed = redisIsInstalled();
const notRun = 'redis-server is not installed, so this was not run';
const cwd = mkdtempSync(join(tmpdir(), 'nudgelab-replay-queue-'));
const fixture = join(import.meta.dirname, '../replay/fixtures/journey-v0.ndjson');
const workers: ChildProcess[] = [];

let port = 0;
let redis: ChildProcess | null = null;

const address = (): string => `redis://127.0.0.1:${port}`;

beforeAll(async () => {
  const text = readFileSync(fixture, 'utf8');
  mkdirSync(join(cwd, 'journeys', 'deep'), { recursive: true });
  for (let at = 0; at < 100; at += 1) copyFileSync(fixture, join(cwd, 'journeys', `same-${at}.ndjson`));
  writeFileSync(join(cwd, 'journeys', 'deep', 'other.ndjson'), text.replace('"reason":"snoozed"', '"reason":"guest"'));
  writeFileSync(join(cwd, 'journeys', 'cut.ndjson'), text.trimEnd().split('\n').slice(0, 4).join('\n'));
  writeFileSync(join(cwd, 'journeys', 'latin.ndjson'), Buffer.from([0x7b, 0xe9, 0xff, 0x0a]));
  writeFileSync(join(cwd, 'journeys', 'empty.ndjson'), '');
  writeFileSync(join(cwd, 'journeys', 'notes.txt'), 'no journey');
  if (!installed) return;
  port = await freePort();
  redis = await startRedis(port);
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map(kill));
});

afterAll(async () => {
  if (redis !== null) await kill(redis);
  rmSync(cwd, { recursive: true, force: true });
});

const timeless = (text: string): string => text.replaceAll(/"durationMs":[\d.]+/g, '"durationMs":0');

describe('replay of many journeys', { timeout: 240_000 }, () => {
  test('a whole folder is replayed: differences and unreadable files are reported and do not stop it', async () => {
    const ended = await runHere(['replay', 'journeys', '--json'], { cwd });
    expect(ended.code).toBe(2);
    const report = parseOutput(ended) as { total: unknown; same: boolean; journeys: { file: string }[] };
    expect(report).toMatchObject({ same: false, total: { journeys: 104, same: 100, different: 1, refused: 3 } });
    expect(report.journeys.map(({ file }) => file)).toEqual(report.journeys.map(({ file }) => file).toSorted());
    expect(report.journeys.filter((one) => 'error' in one)).toMatchObject([
      { file: 'journeys/cut.ndjson', error: { code: 'journey-damaged' } },
      { file: 'journeys/empty.ndjson', error: { code: 'journey-unrecognized' } },
      { file: 'journeys/latin.ndjson', error: { code: 'file-unreadable' } },
    ]);
    const text = await runHere(['replay', 'journeys'], { cwd });
    expect(text.stdout).toContain('104 journeys: 100 same, 1 different, 3 that cannot be replayed');
    const same = await runHere(['replay', 'journeys/same-1.ndjson', 'journeys/same-2.ndjson'], { cwd });
    expect(same.code).toBe(0);
  });

  test('usage-invalid: a folder without journeys, or interactive mode with several journeys, is rejected', async () => {
    mkdirSync(join(cwd, 'nothing'), { recursive: true });
    for (const argv of [['nothing'], ['journeys', '--interactive'], ['journeys', '--step', '1']]) {
      expect(parseOutput(await runHere(['replay', ...argv, '--json'], { cwd }))).toMatchObject({
        error: { code: 'usage-invalid' },
      });
    }
  });

  test('two workers produce the bytes of a local replay: for a folder and for one file, as text and as JSON', async ({
    skip,
  }) => {
    if (!installed) skip(notRun);
    workers.push(await startWorker(address()), await startWorker(address()));
    const commands = [
      ['journeys'],
      ['journeys', '--json'],
      ['journeys/same-1.ndjson'],
      ['journeys/deep/other.ndjson', '--json'],
      ['journeys/cut.ndjson', '--json'],
      ['no-such.ndjson', '--json'],
      ['no-such.ndjson', 'journeys/same-1.ndjson', '--json'],
    ];
    for (const argv of commands) {
      const local = await runHere(['replay', ...argv], { cwd });
      expect(await runHere(['replay', ...argv, '--queue', address()], { cwd }), argv.join(' ')).toEqual(local);
    }
  });

  test('workers rerun journeys on the model and on their own servers', async ({ skip }) => {
    if (!installed) skip(notRun);
    workers.push(await startWorker(address()));
    const argv = ['replay', 'journeys/same-1.ndjson', 'journeys/cut.ndjson', '--driver', 'model,http', '--json'];
    const [local, queued] = [await runHere(argv, { cwd }), await runHere([...argv, '--queue', address()], { cwd })];
    expect(timeless(queued.stdout)).toBe(timeless(local.stdout));
    expect(queued.code).toBe(local.code);
  });

  test('if a worker is killed during a run, no journey is lost or reported twice', async ({ skip }) => {
    if (!installed) skip(notRun);
    const [first, second] = [await startWorker(address()), await startWorker(address())];
    workers.push(first, second);
    const { files } = findJourneys(
      Array.from({ length: 20 }, () => 'journeys'),
      cwd,
    );
    const reported = new Map<number, string>();
    await replayByQueue(files, {
      address: address(),
      onNotice: () => undefined,
      drivers: [],
      url: null,
      rulesets: [],
      here: () => Promise.reject(new Error('All of them travel.')),
      take: async (place, { file }) => {
        expect(reported.has(place)).toBe(false);
        reported.set(place, file);
        if (reported.size > files.length / 4) first.kill('SIGKILL');
      },
    });
    expect(first.signalCode).toBe('SIGKILL');
    expect(files.map((_, place) => reported.get(place))).toEqual(files.map(({ file }) => file));
  });
});
