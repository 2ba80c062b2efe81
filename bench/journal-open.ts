import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { defaultSandboxId } from '../src/core/default-sandbox.ts';
import { NudgeLabError } from '../src/core/errors.ts';
import { snapshotIntervalEntries } from '../src/core/limits.ts';
import { randomSource } from '../src/core/random.ts';
import { stateAt } from '../src/journal/stored-state.ts';
import { MemoryStore } from '../src/journal/stores/memory.store.ts';
import { SqliteStore } from '../src/journal/stores/sqlite.store.ts';
import { planSandbox, type Sandbox } from '../src/sandbox/sandbox.ts';
import { Sandboxes } from '../src/sandbox/sandboxes.ts';
import { atLeast, type BenchRow, inTemporaryFolder, median, rowText, stated, withinTime } from './measure.ts';

/**
 * Measures the journal on disk. Run it with `node bench/journal-open.ts`; it takes some minutes.
 *
 * Appending: acknowledged entries per second with one writer that waits for each entry, and with 32 writers, both at
 * the store itself and through a sandbox that applies the events. The reference is a bare node:sqlite loop of synced
 * single-row commits with the same columns (write-ahead log, full synchronous). Short rounds alternate, each in its
 * own file of one folder, because the speed of a shared disk varies. The figures are medians.
 *
 * Opening: a journal of a million entries of 3,000 users (sign-ins, three of five prompts skipped, one of four
 * expired, some closed, registered or failed, the clock advanced, the policy changed). It is opened in a new process
 * three times, and the figures are medians. The cases are a clean exit, a SIGKILL at the worst moment, which is one
 * entry before the next snapshot of the state, and no stored state. The time runs from opening the file to the first
 * response. It includes the checks of the whole file and excludes the start of the process.
 */

const rounds = 101;
const entriesPerRound = 128;
const firstAtMs = 1_767_603_600_000;
const manyWriters = 32;
const journalEntries = 1_000_000;
const largeEntries = 10_000_000;
const users = 3_000;
const openings = 3;
const openingBarMs = 2_000;
const largeBarMs = 5_000;
const creations = 2_000;
const creationBarMs = 5;

const tenant = {
  campaign: {
    state: 'enabled',
    snoozeDurationInDays: 0,
    enforceRegistrationAfterAllowedSnoozes: false,
    includeTargets: [{ targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' }],
  },
};

function createPlan(count: number): ReturnType<typeof planSandbox> {
  return planSandbox({ tenant, users: Array.from({ length: count }, (_, index) => ({ id: `user-${index}` })) });
}

/** Measures the rows of appending, opening and creating. */
export async function benchJournal(): Promise<readonly BenchRow[]> {
  return inTemporaryFolder(async (folder) => [
    ...(await benchAppending(folder)),
    ...(process.env['APPEND_ONLY'] ? [] : await benchOpening(join(folder, 'million.sqlite'))),
    await benchCreation(),
  ]);
}

/** Function that appends the given number of entries and resolves once all of them are synced. */
type Appender = (entries: number) => Promise<void>;

async function benchAppending(folder: string): Promise<readonly BenchRow[]> {
  const getFile = (name: string): string => join(folder, `${name}.sqlite`);
  const disk = bareLoop(getFile('disk'));
  const appenders = [
    { bar: 0.9, what: 'entries at the store, 1 writer', append: atStore(getFile('one'), 1) },
    { bar: 3, what: `entries at the store, ${manyWriters} writers`, append: atStore(getFile('many'), manyWriters) },
    { bar: 0.5, what: 'sign-in events at a sandbox, 1 client', append: await atSandbox(getFile('client'), 1) },
    {
      bar: 1,
      what: `sign-in events at a sandbox, ${manyWriters} clients`,
      append: await atSandbox(getFile('clients'), manyWriters),
    },
  ];
  const diskRates: number[] = [];
  const rates = appenders.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    diskRates.push(await measureRate(disk));
    for (const [index, { append }] of appenders.entries()) rates[index]?.push(await measureRate(append));
  }
  return appenders.map(({ bar, what }, index) =>
    atLeast(
      bar,
      `${what} against synced commits of the disk`,
      median(rates[index] ?? []),
      median(diskRates),
      'entries/s',
    ),
  );
}

async function measureRate(append: Appender): Promise<number> {
  const seconds = stopwatch();
  await append(entriesPerRound);
  return entriesPerRound / seconds();
}

/** Commits single rows as fast as node:sqlite can. */
function bareLoop(file: string): Appender {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE event (place INTEGER PRIMARY KEY, at_ms INTEGER, type TEXT, body TEXT)');
  const insert = database.prepare('INSERT INTO event VALUES (?, ?, ?, ?)');
  let place = 0;
  return async (entries) => {
    for (const end = place + entries; place < end; ) {
      place += 1;
      insert.run(place, firstAtMs + place, 'token.revoked', `{"tokenId":"token-${place}"}`);
    }
  };
}

function atStore(file: string, writers: number): Appender {
  const store = SqliteStore.open(file);
  let seq = 0;
  return async (entries) => {
    const end = seq + entries;
    const writer = async (): Promise<void> => {
      while (seq < end) {
        seq += 1;
        const input = { type: 'token.revoked', tokenId: `token-${seq}` } as const;
        store.append('bench', { seq, atMs: firstAtMs + seq, event: input });
        await store.flushed();
      }
    };
    await Promise.all(Array.from({ length: writers }, writer));
  };
}

async function atSandbox(file: string, clients: number): Promise<Appender> {
  const sandboxes = await Sandboxes.open(SqliteStore.open(file));
  const sandbox = await sandboxes.create(defaultSandboxId, createPlan(clients));
  const client = async (userId: string, end: number): Promise<void> => {
    while (sandbox.entryCount < end) {
      const { id } = await sandbox.signIns.start(userId);
      await sandbox.signIns.acceptPassword(id);
      await sandbox.signIns.completeMfa(id);
      await sandbox.signIns.skip(id);
    }
  };
  return async (entries) => {
    const end = sandbox.entryCount + entries;
    await Promise.all(Array.from({ length: clients }, (_, index) => client(`user-${index}`, end)));
  };
}

/**
 * Measures a journal of ten million entries, which takes most of an hour to create:
 * `node bench/journal-open.ts large`.
 */
async function benchLargeOpening(entries = largeEntries): Promise<readonly BenchRow[]> {
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'large.sqlite');
    await inNewProcess('build', file, entries);
    const clean = await openedMs('open', file);
    await inNewProcess('break-off', file, snapshotIntervalEntries - 1);
    const killed = await openedMs('open-and-leave', file);
    return openingRows(entries, largeBarMs, { clean, killed });
  });
}

async function benchOpening(file: string): Promise<readonly BenchRow[]> {
  await inNewProcess('build', file, journalEntries);
  const clean = await openedMs('open', file);
  const replayed = await openedMs('replay', file);
  await inNewProcess('break-off', file, snapshotIntervalEntries - 1);
  // The first opening after a kill recovers the write-ahead log of the killed process. The copy of the file is deleted
  // afterwards.
  const killed = await openedMs('open-and-leave', file);
  return [
    ...openingRows(journalEntries, openingBarMs, { clean, killed }),
    stated(
      'folding them all again',
      journalEntries / (replayed / 1000),
      `entries/s (${(replayed / 1000).toFixed(1)} s)`,
    ),
  ];
}

function openingRows(
  entries: number,
  barMs: number,
  { clean, killed }: Readonly<Record<'clean' | 'killed', number>>,
): readonly BenchRow[] {
  const row = (what: string, ms: number): BenchRow => withinTime(barMs, what, ms, 'ms');
  return [
    row(`opening ${entries} entries after a clean end`, clean),
    row(`opening them after SIGKILL ${snapshotIntervalEntries - 1} entries after the stored fold`, killed),
  ];
}

async function openedMs(task: string, file: string): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < openings; time += 1) times.push(Number(await inNewProcess(task, file, 0)));
  return median(times);
}

/** Runs one of the tasks below in a separate process and returns its output. */
async function inNewProcess(task: string, file: string, entries: number): Promise<string> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), task, file, String(entries)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const printed = await text(child.stdout);
  const [code, signal] = await exited;
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`${task} ended with ${String(code ?? signal)}.`);
  return printed;
}

const tasks: Readonly<Record<string, (file: string, entries: number) => Promise<void>>> = {
  async build(file, entries) {
    const sandboxes = await Sandboxes.open(SqliteStore.open(file));
    await play(await sandboxes.create(defaultSandboxId, createPlan(users)), entries);
    await sandboxes.close();
  },
  async 'break-off'(file, entries) {
    const sandboxes = await Sandboxes.open(SqliteStore.open(file), {
      snapshotIntervalEntries: Number.POSITIVE_INFINITY,
    });
    const sandbox = sandboxes.get(defaultSandboxId);
    await play(sandbox, sandbox.entryCount + entries);
    process.kill(process.pid, 'SIGKILL');
  },
  async open(file) {
    const sandboxes = await timedOpening(file);
    await sandboxes.close();
  },
  async 'open-and-leave'(file) {
    await timedOpening(file);
    process.kill(process.pid, 'SIGKILL');
  },
  async replay(file) {
    const store = SqliteStore.open(file);
    const seconds = stopwatch();
    await stateAt(store, defaultSandboxId, await store.lastSeq(defaultSandboxId), 'no digest');
    process.stdout.write(String(seconds() * 1000));
    await store.close();
  },
};

async function timedOpening(file: string): Promise<Sandboxes> {
  const seconds = stopwatch();
  const sandboxes = await Sandboxes.open(SqliteStore.open(file));
  sandboxes.get(defaultSandboxId).directory.nudgeStatus('user-0');
  process.stdout.write(String(seconds() * 1000));
  return sandboxes;
}

/** Simulates many concurrent sign-ins until the journal has the given number of entries. */
async function play(sandbox: Sandbox, untilEntries: number): Promise<void> {
  const random = randomSource(1);
  const person = async (): Promise<void> => {
    while (sandbox.entryCount < untilEntries) {
      // Another simulated user may have advanced the clock and expired the prompt. The action is then rejected, and the
      // user retries.
      await visit(sandbox, random).catch((error: unknown) => {
        if (!(error instanceof NudgeLabError)) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: 256 }, person));
}

async function visit(sandbox: Sandbox, random: () => number): Promise<void> {
  const { signIns, directory, clock } = sandbox;
  const userId = `user-${Math.floor(random() * users)}`;
  if (random() < 0.002) await clock.advance({ minutes: 7 });
  if (random() < 0.001) await directory.patchTenant({ campaign: { snoozeDurationInDays: 0 } }, 'policy-api');
  if (directory.nudgeStatus(userId).openPrompts.length > 8) return;
  const { id } = await signIns.start(userId, { os: 'windows', browser: 'edge', deviceId: `device-${userId}` });
  await signIns.acceptPassword(id);
  const { screen } = await signIns.completeMfa(id);
  if (screen !== 'prompt') return;
  const answer = random();
  if (answer < 0.6) await signIns.skip(id);
  else if (answer < 0.65) await signIns.leave(id);
  else if (answer < 0.75) await register(sandbox, userId, id, answer < 0.68);
}

/**
 * Completes or fails a registration. A registered method is removed again, so the user remains eligible for prompts.
 */
async function register({ signIns, directory }: Sandbox, userId: string, id: string, succeeds: boolean): Promise<void> {
  await signIns.selectNext(id);
  if (succeeds) {
    await signIns.completeSetup(id, null);
    await directory.removeMethod(userId, 'authenticator-push');
    return;
  }
  await signIns.failSetup(id);
  await signIns.skipError(id);
}

async function benchCreation(): Promise<BenchRow> {
  const sandboxes = await Sandboxes.open(new MemoryStore());
  const plan = createPlan(10);
  const seconds = stopwatch();
  for (let made = 0; made < creations; made += 1) await sandboxes.create(undefined, plan);
  const ms = (seconds() * 1000) / creations;
  const what = 'making a sandbox of 10 users in memory';
  return withinTime(creationBarMs, what, ms, 'ms');
}

/** Starts a stopwatch and returns a function that returns the elapsed seconds. */
function stopwatch(): () => number {
  const startMs = performance.now();
  return () => (performance.now() - startMs) / 1000;
}

if (import.meta.main) {
  const [task, file = '', entries = '0'] = process.argv.slice(2);
  if (task === 'large')
    for (const row of await benchLargeOpening(Number(file || largeEntries))) console.log(rowText(row));
  else if (task !== undefined) await tasks[task]?.(file, Number(entries));
  else for (const row of await benchJournal()) console.log(rowText(row));
}
