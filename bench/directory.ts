import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainScript } from './install-peers.ts';
import { load } from './load.ts';
import {
  atLeast,
  type BenchRow,
  inTemporaryFolder,
  mainFile,
  median,
  missedUnless,
  residentMib,
  type StartedServer,
  startServer,
  stated,
  statedAgainst,
  withinLimit,
  withinTime,
} from './measure.ts';

/**
 * Compares a page of 999 users of the directory API, with a valid token on every request, with a bare Express 5 route
 * that returns the same bytes; rounds are interleaved and the figures are medians. Then it reads whole lists of a
 * sandbox with 1,000,000 synthetic users, one page after another, and samples the memory of the server. Of its sign-in log
 * with 10,000,000 synthetic sign-ins, it reads a part at each of three places, from which the time of all pages follows.
 */

const rounds = 5;
const secondsPerRound = 3;
const connections = 4;
const pageUsers = 50_000;
const largeUsers = 1_000_000;
const largeSignIns = 10_000_000;
const signInDays = 30;
/** Number of pages of the sign-in log that are read at each place. */
const signInPages = 100;
/** Largest memory that the server may need for these lists in addition to that before them, in MiB. */
const addedMibMax = 256;
const reportSecondsMax = 60;
const pageRows = 999;
const dayMs = 86_400_000;
/** Number of pages from which the latency at a place of a list is the median. */
const timedPages = 20;
/** Number of pages between two samples of the memory. */
const pagesPerSample = 50;

const users = `/v1.0/users?$top=${pageRows}&$select=id,displayName,userPrincipalName,accountEnabled,userType`;
const report = '/v1.0/reports/authenticationMethods/userRegistrationDetails';

/** Measures the rate of pages, and the time and memory for whole lists. */
export async function benchDirectory(): Promise<readonly BenchRow[]> {
  return [...(await comparePages()), ...(await readLargeTenant()), ...(await readSignIns())];
}

async function comparePages(): Promise<readonly BenchRow[]> {
  const ours = await startServer([mainFile, 'serve', '--port', '0', '--json', '--synthetic-users', String(pageUsers)]);
  try {
    const headers = await createHeaders(ours, 'default');
    const bytes = await (await fetch(`${ours.baseUrl}${users}`, { headers })).text();
    return await inTemporaryFolder(async (folder) => {
      const file = join(folder, 'page.json');
      writeFileSync(file, bytes);
      const bare = await startServer([plainScript('bare-express'), `@${file}`, '/v1.0/users']);
      try {
        return await measurePages({ ours, bare, headers });
      } finally {
        await bare.stop();
      }
    });
  } finally {
    await ours.stop();
  }
}

interface PageServers {
  readonly ours: StartedServer;
  readonly bare: StartedServer;
  readonly headers: Readonly<Record<string, string>>;
}

async function measurePages({ ours, bare, headers }: PageServers): Promise<readonly BenchRow[]> {
  const same: number[] = [];
  const different: number[] = [];
  const plain: number[] = [];
  const plainInTurn: number[] = [];
  const links = await listLinks(`${ours.baseUrl}${users}`, headers);
  for (let round = -1; round < rounds; round += 1) {
    const until = { seconds: secondsPerRound };
    const one = await load({ url: `${ours.baseUrl}${users}`, headers, connections }, until);
    const theirs = await load({ url: `${bare.baseUrl}/v1.0/users`, headers, connections }, until);
    const walked = await readPages(links, headers);
    const unwalked = await readPages(
      links.map(() => `${bare.baseUrl}/v1.0/users`),
      headers,
    );
    // The first round warms up both servers and is not counted.
    if (round < 0) continue;
    same.push(one.requestsPerSecond);
    plain.push(theirs.requestsPerSecond);
    different.push(walked);
    plainInTurn.push(unwalked);
  }
  return [
    atLeast(0.5, 'page of 999 users with $select against bare Express', median(same), median(plain), 'requests/s'),
    statedAgainst(
      'different pages of 999 users in turn, one client, against bare Express',
      median(different),
      median(plainInTurn),
      'requests/s',
    ),
  ];
}

/** Lists the URLs of all pages of a list. */
async function listLinks(first: string, headers: PageServers['headers']): Promise<readonly string[]> {
  const links: string[] = [];
  for (let next: string | undefined = first; next !== undefined; ) {
    links.push(next);
    next = (await readPage(next, headers)).next;
  }
  return links;
}

/** Reads pages one after another. Returns the number of pages per second. */
async function readPages(links: readonly string[], headers: PageServers['headers']): Promise<number> {
  const startMs = performance.now();
  for (const link of links) await (await fetch(link, { headers })).arrayBuffer();
  return (links.length / (performance.now() - startMs)) * 1_000;
}

async function readLargeTenant(): Promise<readonly BenchRow[]> {
  const ours = await startServer([mainFile, 'serve', '--port', '0', '--json']);
  try {
    await post(`${ours.controlUrl}/sandboxes`, { id: 'large', syntheticUsers: { count: largeUsers, seed: 7 } });
    const headers = await createHeaders(ours, 'large');
    const url = `${ours.baseUrl}/s/large`;
    const early = residentMib(ours.pid);
    const all = await walk(`${url}${users}`, { headers, pid: ours.pid });
    const filter = encodeURIComponent("surname eq 'Zhang'");
    const filtered = await walk(`${url}/v1.0/users?$top=${pageRows}&$select=id&$filter=${filter}`, {
      headers,
      pid: ours.pid,
    });
    const reported = await walk(`${url}${report}`, { headers, pid: ours.pid });
    return [
      stated('all 1,000,000 users in pages of 999', all.seconds, 's'),
      stated('a page at the beginning', all.begin, 'ms'),
      stated('a page in the middle', all.middle, 'ms'),
      stated('a page at the end', all.end, 'ms'),
      stated('a page of 1,000,000 users with $filter, slowest', filtered.slowest, 'ms'),
      missedUnless(
        reported.rows === largeUsers,
        withinTime(reportSecondsMax, 'registration report of 1,000,000 users', reported.seconds, 's'),
      ),
      stated('memory of the server before these lists', early, 'MiB'),
      stated('most memory of the server during these lists', Math.max(all.mib, filtered.mib, reported.mib), 'MiB'),
    ];
  } finally {
    await ours.stop();
  }
}

/** Reads the sign-in log of a large tenant at its beginning, in its middle and at its end. */
async function readSignIns(): Promise<readonly BenchRow[]> {
  const ours = await startServer([mainFile, 'serve', '--port', '0', '--json']);
  try {
    const nowMs = Date.UTC(2026, 0, 31);
    await post(`${ours.controlUrl}/sandboxes`, {
      id: 'large',
      clock: { now: new Date(nowMs).toISOString(), running: false },
      syntheticUsers: { count: largeUsers, seed: 7, signIns: { count: largeSignIns, days: signInDays } },
    });
    const headers = await createHeaders(ours, 'large');
    const log = `${ours.baseUrl}/s/large/beta/auditLogs/signIns?$top=1000`;
    const early = residentMib(ours.pid);
    const toPlace = (share: number) => {
      const time = new Date(nowMs - share * signInDays * dayMs).toISOString();
      return `${log}&$filter=${encodeURIComponent(`createdDateTime le ${time}`)}`;
    };
    const read = (url: string, pagesMax = signInPages) => walk(url, { headers, pid: ours.pid, pagesMax });
    const begin = await read(log);
    const middle = await read(toPlace(0.5));
    const end = await read(`${log}&$orderby=createdDateTime`);
    const filtered = await read(`${log}&$filter=${encodeURIComponent("userDisplayName eq 'none'")}`, timedPages);
    const parts = [begin, middle, end];
    const seconds = parts.reduce((sum, part) => sum + part.seconds, 0);
    const rows = parts.reduce((sum, part) => sum + part.rows, 0);
    const most = Math.max(...parts.map(({ mib }) => mib), filtered.mib);
    const added = most - early;
    return [
      stated('a page of 1,000 of 10,000,000 sign-ins, newest', begin.begin, 'ms'),
      stated('a page of 1,000 of 10,000,000 sign-ins, from the middle by time', middle.begin, 'ms'),
      stated('a page of 1,000 of 10,000,000 sign-ins, oldest', end.begin, 'ms'),
      stated('a page of 10,000,000 sign-ins that tests 50,000 rows, slowest', filtered.slowest, 'ms'),
      stated(
        `all 10,000,000 sign-ins, extrapolated from ${rows.toLocaleString('en-US')}`,
        (seconds / rows) * largeSignIns,
        's',
      ),
      missedUnless(
        rows === parts.length * signInPages * 1_000,
        withinLimit(addedMibMax, 'memory that the sign-in log adds to the server', added, 'MiB'),
      ),
    ];
  } finally {
    await ours.stop();
  }
}

interface WalkPlace extends Pick<PageServers, 'headers'> {
  readonly pid: number;
  /** Number of pages to read. Default: all. */
  readonly pagesMax?: number;
}

interface Walk {
  readonly rows: number;
  readonly seconds: number;
  /** Median latency of pages at three places of the list, in milliseconds. */
  readonly begin: number;
  readonly middle: number;
  readonly end: number;
  readonly slowest: number;
  /** Most memory of the server. */
  readonly mib: number;
}

/** Reads a list to its end or a number of its pages, one after another. */
async function walk(first: string, { headers, pid, pagesMax = Number.POSITIVE_INFINITY }: WalkPlace): Promise<Walk> {
  const times: number[] = [];
  let rows = 0;
  let mib = 0;
  for (let next: string | undefined = first; next !== undefined; ) {
    const startMs = performance.now();
    const page = await readPage(next, headers);
    times.push(performance.now() - startMs);
    rows += page.rows;
    next = times.length < pagesMax ? page.next : undefined;
    if (times.length % pagesPerSample === 0 || next === undefined) mib = Math.max(mib, residentMib(pid));
  }
  const half = Math.floor(times.length / 2);
  return {
    rows,
    seconds: times.reduce((sum, time) => sum + time, 0) / 1_000,
    begin: median(times.slice(0, timedPages)),
    middle: median(times.slice(half, half + timedPages)),
    end: median(times.slice(-timedPages)),
    slowest: Math.max(...times),
    mib,
  };
}

async function readPage(
  url: string,
  headers: PageServers['headers'],
): Promise<{ readonly rows: number; readonly next: string | undefined }> {
  const response = await fetch(url, { headers });
  if (response.status !== 200) throw new Error(`${url} was answered with ${response.status}.`);
  const page = (await response.json()) as { readonly value: readonly unknown[]; readonly '@odata.nextLink'?: string };
  return { rows: page.value.length, next: page['@odata.nextLink'] };
}

/** Issues a token of an application that may read the directory and the reports of a sandbox. */
async function createHeaders({ controlUrl }: StartedServer, sandbox: string): Promise<PageServers['headers']> {
  const body = {
    app: 'bench',
    permissions: ['Directory.Read.All', 'User.Read.All', 'AuditLog.Read.All'],
    expiresInSeconds: 86_400,
  };
  const { access_token: token } = await post<{ access_token: string }>(
    `${controlUrl}/sandboxes/${sandbox}/tokens`,
    body,
  );
  return { authorization: `Bearer ${token}` };
}

async function post<Reply>(url: string, body: object): Promise<Reply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}: ${await response.text()}`);
  return (await response.json()) as Reply;
}
