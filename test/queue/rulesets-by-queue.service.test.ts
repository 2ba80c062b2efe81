import type { ChildProcess } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { RulesetRegistry } from '../../src/journal/ruleset-registry.ts';
import { inMemory, planSandbox, Sandbox } from '../../src/sandbox/sandbox.ts';
import { loadRuleset } from '../../src/scenario/rulesets/load-rulesets.ts';
import { type Ended, parseOutput, runHere } from '../cli/command-context.ts';
import { freePort, kill, redisIsInstalled, startRedis, startWorker } from '../forecast/redis-server.ts';

const installed = redisIsInstalled();
const notRun = 'redis-server is not installed, so this was not run';
const cwd = mkdtempSync(join(tmpdir(), 'nudgelab-ruleset-queue-'));
const shipped = join(import.meta.dirname, '../../rulesets');
const files = [
  'passkey-week.ruleset.yaml',
  'passkey-week.yaml',
  'passkey-week-gates.yaml',
  'passkey-90-days.forecast.yaml',
  'passkey-90-days.ruleset.yaml',
  'passkey-90-days.yaml',
  'pilot-offices.ruleset.yaml',
  'pilot-offices.yaml',
  'agency-addresses.ruleset.yaml',
  'agency-addresses.gate.js',
  'agency-addresses.yaml',
  'agency-addresses.forecast.yaml',
];
const workers: ChildProcess[] = [];

let port = 0;
let redis: ChildProcess | null = null;

const address = (): string => `redis://127.0.0.1:${port}`;
const modules = ['--ruleset', join(cwd, 'agency-addresses.ruleset.yaml')];

beforeAll(async () => {
  for (const file of files) copyFileSync(join(shipped, file), join(cwd, file));
  writeFileSync(join(cwd, 'signed-in.ndjson'), await writeJourney());
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

/** Ruleset with a setting, and a description of more users than one job has. */
const sweptRuleset = `ruleset: swept
version: 1.0.0
format: 1
title: A window as a setting
methods: { passkey: { label: passkey, kind: passkey } }
settings: { window: { type: duration, default: 3d, min: 1h, max: 30d } }
gates: []
answers: { skip: { label: Later, effect: snooze } }
cadence: { kind: fixed, every: { setting: window } }
`;
const sweptForecast = `name: A window as a setting
ruleset: ./swept.ruleset.yaml
days: 20
users: 140000
defaults:
  signIn: { weekdays: { monday: 0.5, thursday: 0.5 } }
  answers: { skippable: [{ register: 0.1, skip: 0.9 }] }
`;

/** Returns the journey of two sign-ins whose ruleset is that of a file. */
async function writeJourney(): Promise<string> {
  const { id } = loadRuleset('passkey-90-days.ruleset.yaml', new RulesetRegistry(), cwd);
  const sandbox = await Sandbox.create('signed-in', planSandbox({ ruleset: id, users: [{ id: 'ada' }] }), inMemory());
  for (let count = 0; count < 2; count += 1) {
    const signIn = await sandbox.signIns.start('ada');
    await sandbox.signIns.acceptPassword(signIn.id);
    await sandbox.signIns.completeMfa(signIn.id);
    await sandbox.clock.advance({ days: 1 });
  }
  let text = '';
  for await (const line of await sandbox.journey()) text += `${line}\n`;
  return text;
}

/** Runs a command here and by the queue, and returns both outputs without durations. */
async function runBoth(argv: readonly string[]): Promise<readonly [local: Ended, queued: Ended]> {
  const [local, queued] = [await runHere(argv, { cwd }), await runHere([...argv, '--queue', address()], { cwd })];
  const timeless = (text: string): string => text.replaceAll(/"durationMs":[\d.]+/g, '"durationMs":0');
  return [
    { ...local, stdout: timeless(local.stdout) },
    { ...queued, stdout: timeless(queued.stdout) },
  ];
}

describe('OC37 rulesets of files with a job queue', { timeout: 240_000 }, () => {
  test('OC37: workers run scenarios whose rulesets they do not have, with the results and the coverage of a local run', async ({
    skip,
  }) => {
    if (!installed) skip(notRun);
    workers.push(await startWorker(address()), await startWorker(address()));
    const scenarios = ['passkey-week.yaml', 'passkey-week-gates.yaml', 'passkey-90-days.yaml', 'pilot-offices.yaml'];
    const [local, queued] = await runBoth(['run', ...scenarios, '--driver', 'model,http', '--json']);
    expect(local).toMatchObject({ code: 0 });
    expect(queued).toEqual(local);
    const { coverage } = parseOutput(queued) as {
      coverage: { rulesets: readonly { ruleset: string; covered: number }[] };
    };
    expect(coverage.rulesets.map(({ ruleset }) => ruleset)).toEqual(['passkey-90-days', 'passkey-week']);
    expect(coverage.rulesets.every(({ covered }) => covered > 0)).toBe(true);
  });

  test('OC37: a changed ruleset replaces the earlier one of the same id at a worker', async ({ skip }) => {
    if (!installed) skip(notRun);
    workers.push(await startWorker(address()));
    const scenario = (outcome: string): string =>
      `name: First sign-in\nruleset: ./changed.ruleset.yaml\ngiven: { users: { ada: {} } }\nsteps:\n  - signIn: { user: ada }\n    expect: { outcome: ${outcome} }\n`;
    const ruleset = (extra: string): string =>
      `ruleset: changed\nversion: 1.0.0\nformat: 1\ntitle: Changed\nmethods: { passkey: { label: passkey, kind: passkey } }\ngates: []\n${extra}`;
    for (const [extra, outcome] of [
      ['', 'skippable'],
      ['requirement: { required: { all: [] } }\n', 'required'],
    ] as const) {
      writeFileSync(join(cwd, 'changed.ruleset.yaml'), ruleset(extra));
      writeFileSync(join(cwd, 'changed.yaml'), scenario(outcome));
      const argv = ['run', 'changed.yaml', '--driver', 'model,http', '--queue', address(), '--json'];
      const ended = await runHere(argv, { cwd });
      expect(parseOutput(ended)).toMatchObject({ summary: { passed: 2, failed: 0 } });
    }
  });

  test('OC37: workers forecast an own ruleset by tables, with a sweep through its settings, as a local run', async ({
    skip,
  }) => {
    if (!installed) skip(notRun);
    workers.push(await startWorker(address()));
    writeFileSync(join(cwd, 'swept.ruleset.yaml'), sweptRuleset);
    writeFileSync(join(cwd, 'swept.forecast.yaml'), sweptForecast);
    const argv = ['forecast', 'swept.forecast.yaml', '--json'];
    const [local, queued] = await runBoth([...argv, '--sweep', 'settings.window=1d,7d']);
    expect(local).toMatchObject({ code: 0 });
    expect(queued).toEqual(local);
    expect(parseOutput(queued)).toMatchObject({
      engine: 'table',
      settings: [{ settings: { window: '1d' } }, { settings: { window: '7d' } }],
    });
  });

  test('OC53: workers forecast an own ruleset by replay, as a local run', async ({ skip }) => {
    if (!installed) skip(notRun);
    workers.push(await startWorker(address()));
    const argv = ['forecast', 'passkey-90-days.forecast.yaml', '--users', '1100', '--days', '5', '--engine', 'fold'];
    const [local, queued] = await runBoth([...argv, '--json']);
    expect(local).toMatchObject({ code: 0 });
    expect(queued).toEqual(local);
  });

  test('OC37: workers replay a journey whose ruleset they do not have', async ({ skip }) => {
    if (!installed) skip(notRun);
    workers.push(await startWorker(address()));
    const argv = ['replay', 'signed-in.ndjson', '--ruleset', 'passkey-90-days.ruleset.yaml', '--json'];
    const [local, queued] = await runBoth(argv);
    expect(local).toMatchObject({ code: 0 });
    expect(parseOutput(queued)).toMatchObject({ same: true });
    expect(queued).toEqual(local);
  });

  test('ruleset-digest-differs: gate modules do not travel, so a worker needs the same files', async ({ skip }) => {
    if (!installed) skip(notRun);
    const argv = ['run', 'agency-addresses.yaml', '--driver', 'model', '--json'];
    const forecast = ['forecast', 'agency-addresses.forecast.yaml', '--users', '2000', '--json'];
    const without = await startWorker(address());
    for (const words of [argv, forecast]) {
      const refused = parseOutput(await runHere([...words, '--queue', address()], { cwd }));
      expect(refused).toMatchObject({
        error: { code: 'ruleset-digest-differs', message: expect.stringContaining('does not have it') },
      });
    }
    await kill(without);
    workers.push(await startWorker(address(), modules));
    for (const words of [argv, forecast]) {
      const [local, queued] = await runBoth(words);
      expect(local).toMatchObject({ code: 0 });
      expect(queued).toEqual(local);
    }
  });

  test('ruleset-digest-differs: a worker with another source of the module rejects the job', async ({ skip }) => {
    if (!installed) skip(notRun);
    workers.push(await startWorker(address(), modules));
    const module = join(cwd, 'agency-addresses.gate.js');
    const source = readFileSync(module, 'utf8');
    writeFileSync(module, `${source}// changed\n`);
    try {
      const refused = await runHere(['run', 'agency-addresses.yaml', '--queue', address(), '--json'], { cwd });
      expect(refused.code).toBe(2);
      expect(parseOutput(refused)).toMatchObject({
        error: { code: 'ruleset-digest-differs', message: expect.stringContaining('has the digest') },
      });
    } finally {
      writeFileSync(module, source);
    }
  });
});
