import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { randomSource } from '../src/core/random.ts';
import { postgresPrograms, startPostgres } from '../test/journal/postgres-server.ts';
import {
  atLeast,
  atMost,
  type BenchRow,
  mainFile,
  median,
  type StartedServer,
  startServer,
  statedAgainst,
} from './measure.ts';
import { RawConnection } from './raw-client.ts';

/**
 * Compares one server with two on the same PostgreSQL, with many clients that update policies in a dozen sandboxes.
 * Requests are distributed by sandbox, as by a proxy that routes by path, and the targets apply to this case.
 * They are also sent to any server, which costs a lease for every few requests. If each server is limited to a
 * quarter of a core, two servers must outperform one. Without a limit, the processor time per request is compared.
 * The client and the database are not limited and, where permitted, have a higher priority than everything else on
 * the machine, because the servers are what is measured. Policy updates are the cheapest requests for the client.
 * The server used alone alternates, so both are equally warm.
 */

const rounds = 4;
const sliceMs = 2_000;
const warmMs = 1_000;
const clients = 48;
const sandboxes = 12;

/**
 * Scheduling period of the fair scheduler in microseconds. A quarter of it is the processor time of a quarter of a
 * core.
 */
const periodUs = 100_000;
const quotaUs = 25_000;

/** Clock ticks per second in /proc. */
const ticksPerSecond = 100;

type Spread = 'sandbox' | 'request';

/**
 * Measures several servers. Throws if PostgreSQL is missing or the processor time of a process cannot be limited.
 */
export async function benchInstances(): Promise<readonly BenchRow[]> {
  const programs = postgresPrograms();
  if (programs === null) throw new Error('PostgreSQL is not installed.');
  // Child processes inherit the priority that this process has when it starts them.
  beUrgent(true);
  const postgres = await startPostgres(programs, { syncs: true });
  beUrgent(false);
  const servers: StartedServer[] = [];
  try {
    const db = await postgres.database();
    for (let number = 0; number < 2; number += 1) {
      servers.push(await startServer([mainFile, 'serve', '--port', '0', '--json', '--frozen', '--db', db]));
    }
    const [first] = servers;
    if (first === undefined) return [];
    beUrgent(true);
    for (let number = 0; number < sandboxes; number += 1) await makeSandbox(first, number);
    const rows: BenchRow[] = [];
    for (const spread of ['sandbox', 'request'] as const) rows.push(...(await compare(servers, spread)));
    return rows;
  } finally {
    beUrgent(false);
    for (const server of servers) await server.stop();
    postgres.end();
  }
}

async function compare(both: readonly StartedServer[], spread: Spread): Promise<readonly BenchRow[]> {
  const what =
    spread === 'sandbox'
      ? 'two servers, each sandbox at one, against one'
      : 'each request at any of two servers, against one';
  const free = await interleaved(both, spread);
  const holds = both.map(({ pid }, number) => holdToQuarter(pid, number));
  const results = await interleaved(both, spread).finally(() => {
    for (const end of holds) end();
  });
  if (spread === 'request') {
    return [
      statedAgainst(`processor time a request, ${what}`, free.both.cpuMs, free.one.cpuMs, 'ms'),
      statedAgainst(
        `requests a second at a quarter of a core, ${what}`,
        results.both.rate,
        results.one.rate,
        'requests/s',
      ),
    ];
  }
  return [
    atMost(1.2, `processor time a request, ${what}`, free.both.cpuMs, free.one.cpuMs, 'ms'),
    atLeast(
      1.5,
      `requests a second at a quarter of a core, ${what}`,
      results.both.rate,
      results.one.rate,
      'requests/s',
    ),
  ];
}

interface Figures {
  readonly rate: number;
  /** Processor time of the servers per request, in milliseconds. */
  readonly cpuMs: number;
}

/** Computes the medians of alternating rounds. */
async function interleaved(
  both: readonly StartedServer[],
  spread: Spread,
): Promise<{ readonly one: Figures; readonly both: Figures }> {
  const figures: { readonly one: Figures; readonly both: Figures }[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const at = (round + both.length) % both.length;
    const pair = { one: await load(both.slice(at, at + 1), spread), both: await load(both, spread) };
    if (round >= 0) figures.push(pair);
  }
  const of = (which: 'one' | 'both'): Figures => ({
    rate: median(figures.map((pair) => pair[which].rate)),
    cpuMs: median(figures.map((pair) => pair[which].cpuMs)),
  });
  return { one: of('one'), both: of('both') };
}

async function load(servers: readonly StartedServer[], spread: Spread): Promise<Figures> {
  const startMs = performance.now();
  const counted = { requests: 0, isOver: false, isCounting: false };
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(servers, number, spread, counted)));
  const elapsed = async (ms: number): Promise<void> => {
    while (performance.now() - startMs < ms) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await elapsed(warmMs);
  const cpuBefore = readCpuMs(servers);
  const beganMs = performance.now();
  counted.isCounting = true;
  await elapsed(warmMs + sliceMs);
  counted.isCounting = false;
  const { requests } = counted;
  const rate = requests / ((performance.now() - beganMs) / 1000);
  const cpuMs = (readCpuMs(servers) - cpuBefore) / requests;
  counted.isOver = true;
  await running;
  return { rate, cpuMs };
}

/**
 * Updates the policy of one sandbox repeatedly. Each update is an event of a journal and differs from the previous
 * one. A client stays with its sandbox, as tests do. Clients that moved between sandboxes would all end up waiting
 * for the server that has used up its processor time, while the other server is idle.
 */
async function client(
  servers: readonly StartedServer[],
  me: number,
  spread: Spread,
  counted: { requests: number; isOver: boolean; isCounting: boolean },
): Promise<void> {
  const connections = await Promise.all(servers.map(({ baseUrl }) => RawConnection.open(baseUrl)));
  const random = randomSource(me);
  const sandbox = me % sandboxes;
  for (let sent = me; !counted.isOver; sent += 1) {
    const server = spread === 'sandbox' ? sandbox : Math.floor(random() * connections.length);
    const connection = connections[server % connections.length] as RawConnection;
    const headers = `Authorization: Bearer ${tokens[sandbox]}\r\nContent-Type: application/json\r\nPrefer: return=minimal\r\n`;
    const campaign = { snoozeDurationInDays: 1 + (sent % 14) };
    const body = JSON.stringify({
      registrationEnforcement: { authenticationMethodsRegistrationCampaign: campaign },
    });
    const path = `/s/${sandboxId(sandbox)}/v1.0/policies/authenticationmethodspolicy`;
    const answer = await connection.send({ method: 'PATCH', path, headers, body });
    if (answer.status !== 204) throw new Error(`The update was answered with ${answer.status}: ${answer.body}`);
    if (counted.isCounting) counted.requests += 1;
  }
  for (const connection of connections) connection.close();
}

/** Access tokens with write access, by the number of the sandbox. */
const tokens: string[] = [];

async function makeSandbox({ controlUrl }: StartedServer, number: number): Promise<void> {
  const sent = async (path: string, body: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${controlUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
  await sent('/sandboxes', {
    id: sandboxId(number),
    tenant: { campaign: { state: 'enabled', includeTargets: [target] } },
  });
  const tokenRequest = { app: 'bench', permissions: ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'] };
  tokens[number] = (
    (await sent(`/sandboxes/${sandboxId(number)}/tokens`, tokenRequest)) as { access_token: string }
  ).access_token;
}

function sandboxId(number: number): string {
  return `shared-${number}`;
}

/**
 * Raises the priority of this process or resets it. The priority does not change if the system does not permit it.
 */
function beUrgent(isUrgent: boolean): void {
  try {
    setPriority(isUrgent ? -15 : 0);
  } catch {
    // Other processes may then affect the figures, so the load of the machine is reported with them.
  }
}

/** Returns the processor time used by servers so far, in milliseconds, as Linux accounts it. */
function readCpuMs(servers: readonly StartedServer[]): number {
  return servers.reduce((sum, { pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return sum + ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
  }, 0);
}

/**
 * Limits a process to a quarter of a core by a control group of version 1 or 2, and returns a function that removes
 * the limit.
 */
function holdToQuarter(pid: number, number: number): () => void {
  const versionOne = '/sys/fs/cgroup/cpu';
  const parent = existsSync(versionOne) ? versionOne : '/sys/fs/cgroup';
  const group = join(parent, `nudgelab-bench-${process.pid}-${number}`);
  mkdirSync(group);
  if (parent === versionOne) {
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodUs));
    writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quotaUs));
  } else {
    writeFileSync(join(group, 'cpu.max'), `${quotaUs} ${periodUs}`);
  }
  writeFileSync(join(group, 'cgroup.procs'), String(pid));
  return () => {
    writeFileSync(join(parent, 'cgroup.procs'), String(pid));
    rmdirSync(group);
  };
}
