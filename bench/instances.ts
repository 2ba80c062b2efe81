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
 * One server against two on the same PostgreSQL: updates of the policy by many clients in a dozen sandboxes. Requests are distributed by
 * sandbox, as a proxy does that goes by the path, which the bars are for; and each at any server, which costs a lease for every
 * few requests. Held to a quarter of a core each, two have to carry more than one; unthrottled, their processor time a request
 * is compared. The client and the database are held to nothing, and where they may be, they are put before all else that the machine does:
 * what is measured is the servers. Updates cost the client least. Which server is the one alternates, so that both are equally warm.
 */

const rounds = 4;
const sliceMs = 2_000;
const warmMs = 1_000;
const clients = 48;
const sandboxes = 12;

/** A quarter of a core in the fair scheduler: µs of processor time in each period. */
const periodUs = 100_000;
const quotaUs = 25_000;

/** Ticks of the clock in /proc, a second. */
const ticksPerSecond = 100;

type Spread = 'sandbox' | 'request';

/** The rows of several servers. Throws where there is no PostgreSQL, or the processor time of a process cannot be held. */
export async function benchInstances(): Promise<readonly BenchRow[]> {
  const programs = postgresPrograms();
  if (programs === null) throw new Error('PostgreSQL is not installed.');
  // What a process starts has the priority that it has then.
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
  const held = await interleaved(both, spread).finally(() => {
    for (const end of holds) end();
  });
  if (spread === 'request') {
    return [
      statedAgainst(`processor time a request, ${what}`, free.both.cpuMs, free.one.cpuMs, 'ms'),
      statedAgainst(`requests a second at a quarter of a core, ${what}`, held.both.rate, held.one.rate, 'requests/s'),
    ];
  }
  return [
    atMost(1.2, `processor time a request, ${what}`, free.both.cpuMs, free.one.cpuMs, 'ms'),
    atLeast(1.5, `requests a second at a quarter of a core, ${what}`, held.both.rate, held.one.rate, 'requests/s'),
  ];
}

interface Figures {
  readonly rate: number;
  /** Processor time of the servers for one request, in ms. */
  readonly cpuMs: number;
}

/** The medians of rounds that alternate. */
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
  const cpuBefore = cpuMsOf(servers);
  const beganMs = performance.now();
  counted.isCounting = true;
  await elapsed(warmMs + sliceMs);
  counted.isCounting = false;
  const { requests } = counted;
  const rate = requests / ((performance.now() - beganMs) / 1000);
  const cpuMs = (cpuMsOf(servers) - cpuBefore) / requests;
  counted.isOver = true;
  await running;
  return { rate, cpuMs };
}

/**
 * Updates the policy of a sandbox over and over: each update is an event of a journal, and none is like the one before. A client keeps to
 * its sandbox, as tests do. Clients that went from one to the next would all come to wait at the server whose turn of the processor is
 * over, while the other one has no one to answer.
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

/** Tokens that may update, by the number of the sandbox. */
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
  const asked = { app: 'bench', permissions: ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'] };
  tokens[number] = (
    (await sent(`/sandboxes/${sandboxId(number)}/tokens`, asked)) as { access_token: string }
  ).access_token;
}

function sandboxId(number: number): string {
  return `shared-${number}`;
}

/** Puts this process before all others, or among them again. Where that is not allowed, it stays among them. */
function beUrgent(isUrgent: boolean): void {
  try {
    setPriority(isUrgent ? -15 : 0);
  } catch {
    // Someone else's work may then be what is measured: the load is told beside the figures.
  }
}

/** Processor time that servers have had so far, in ms, as Linux accounts it. */
function cpuMsOf(servers: readonly StartedServer[]): number {
  return servers.reduce((sum, { pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return sum + ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
  }, 0);
}

/** Holds a process to a quarter of a core by a control group, of either version; returns what lets it go. */
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
