import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { plainScript } from './install-peers.ts';
import {
  type BenchRow,
  inTemporaryFolder,
  mainFile,
  pairedAtLeast,
  pairedStated,
  type StartedServer,
  startServer,
} from './measure.ts';
import { tokenFrom } from './policy-get.ts';
import { RawConnection } from './raw-client.ts';

/**
 * Measures acknowledged events per second on the SQLite store, for PATCH requests only and for sign-in pages only,
 * with 1 and with 32 clients. The reference is the disk’s own rate of synced single-row commits. Every PATCH changes
 * the policy, and every posted page (username, password, code, skip) is one event of the journal. The client does as
 * little as possible because its time is part of the figure when only one client runs. A bare Express route that
 * commits one row per request is also measured, against the disk and against the mock server, because it is the
 * upper limit of any server built on Express with one client.
 */

const rounds = 21;
/**
 * Length of a measured slice. Slices are short and bracketed by disk measurements because the disk speed drifts
 * within seconds.
 */
const sliceMs = 300;
const commitsPerRound = 300;
const manyClients = 32;

/** Measures the rows of durable events. */
export async function benchDurableEvents(): Promise<readonly BenchRow[]> {
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'journal.sqlite');
    const server = await startServer([mainFile, 'serve', '--port', '0', '--json', '--frozen', '--db', file]);
    try {
      const bare = await startServer([plainScript('bare-durable'), join(folder, 'bare.sqlite')]);
      const token = await tokenFrom(server);
      const disk = join(folder, 'disk.sqlite');
      const against =
        (theirs: () => number | Promise<number>, whose: string) =>
        (bar: number | null, what: string, ours: () => Promise<number>): Promise<BenchRow> =>
          paired(bar, `${what} against ${whose}`, ours, theirs);
      const row = against(() => diskRate(disk), 'synced commits of the disk');
      const bareRow = against(() => patchRate(bare, '', 1), 'the bare route');
      const patches = (clients: number) => (): Promise<number> => patchRate(server, token, clients);
      const rows = [
        await row(null, 'a bare Express route that commits one row, 1 client', () => patchRate(bare, '', 1)),
        await row(0.4, 'durable PATCHes, 1 client', patches(1)),
        await bareRow(0.8, 'durable PATCHes, 1 client', patches(1)),
        await row(1.2, `durable PATCHes, ${manyClients} clients`, patches(manyClients)),
      ];
      // The sandbox is created only here, so the PATCH requests had the file to themselves.
      const pagesUrl = await makePagesSandbox(server);
      const pages = (clients: number) => (): Promise<number> => pageRate(pagesUrl, clients);
      rows.push(
        await row(0.4, 'durable sign-in pages, 1 client', pages(1)),
        await bareRow(null, 'durable sign-in pages, 1 client', pages(1)),
        await row(1, `durable sign-in pages, ${manyClients} clients`, pages(manyClients)),
      );
      await bare.stop();
      return rows;
    } finally {
      await server.stop();
    }
  });
}

/**
 * Computes the ratio over all rounds. Each round measures the reference immediately before and after, because
 * the speed of a disk drifts by a factor within a minute. The target is `null` if the ratio is only reported.
 */
async function paired(
  bar: number | null,
  what: string,
  ourRate: () => Promise<number>,
  theirRate: () => number | Promise<number>,
): Promise<BenchRow> {
  const pairs: { readonly ours: number; readonly theirs: number }[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const before = await theirRate();
    const ours = await ourRate();
    // The first round warms up the server and is not counted.
    if (round >= 0) pairs.push({ ours, theirs: (before + (await theirRate())) / 2 });
  }
  const rounded = { ours: pairs.map(({ ours }) => ours), theirs: pairs.map(({ theirs }) => theirs) };
  return bar === null ? pairedStated(what, rounded, 'events/s') : pairedAtLeast(bar, what, rounded, 'events/s');
}

/** Measures the synced single-row commits per second that the disk allows with the same library. */
function diskRate(file: string): number {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE IF NOT EXISTS event (body TEXT)');
  const insert = database.prepare('INSERT INTO event VALUES (?)');
  const body = 'x'.repeat(200);
  const startMs = performance.now();
  for (let commit = 0; commit < commitsPerRound; commit += 1) insert.run(body);
  const rate = commitsPerRound / ((performance.now() - startMs) / 1000);
  database.close();
  return rate;
}

const policyPath = '/v1.0/policies/authenticationmethodspolicy';
const patchDays = [3, 5, 7, 9, 11, 13];

function patchRate({ baseUrl }: Pick<StartedServer, 'baseUrl'>, token: string, clients: number): Promise<number> {
  const headers = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nPrefer: return=minimal\r\n`;
  // The days follow the request number, so no PATCH repeats the previous one.
  const bodies = patchDays.map((day) => JSON.stringify(createPatch(day)));
  let sent = 0;
  return closedLoop(baseUrl, clients, async (connection) => {
    const body = bodies[sent % bodies.length] ?? '';
    sent += 1;
    const answer = await connection.send({ method: 'PATCH', path: policyPath, headers, body });
    if (answer.status !== 204) throw new Error(`The PATCH was answered with ${answer.status}: ${answer.body}`);
    return 1;
  });
}

/**
 * Measures events per second of clients that send the next request as soon as they receive a response. The callback
 * performs one request and counts its events.
 */
async function closedLoop(
  url: string,
  clients: number,
  once: (connection: RawConnection) => Promise<number>,
): Promise<number> {
  const connections = await Promise.all(Array.from({ length: clients }, () => RawConnection.open(url)));
  const startMs = performance.now();
  let events = 0;
  const work = async (connection: RawConnection): Promise<void> => {
    while (performance.now() - startMs < sliceMs) {
      const done = await once(connection);
      events += done;
    }
    connection.close();
  };
  await Promise.all(connections.map(work));
  return events / ((performance.now() - startMs) / 1000);
}

function createPatch(day: number): unknown {
  const settings = { snoozeDurationInDays: day };
  return { registrationEnforcement: { authenticationMethodsRegistrationCampaign: settings } };
}

/**
 * Creates the sandbox for posted pages and returns its URL. The snooze duration is 0 days and snoozes are unlimited,
 * so every sign-in is prompted.
 */
async function makePagesSandbox({ controlUrl }: StartedServer): Promise<string> {
  const target = { targetType: 'group', id: 'all_users', targetedAuthenticationMethod: 'vendorAuthenticator' };
  const campaign = {
    state: 'enabled',
    snoozeDurationInDays: 0,
    enforceRegistrationAfterAllowedSnoozes: false,
    includeTargets: [target],
  };
  const users = Array.from({ length: manyClients }, (_, index) => ({ id: userId(index), methods: ['sms'] }));
  const response = await fetch(`${controlUrl}/sandboxes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: pagesSandbox, tenant: { campaign }, users }),
  });
  if (!response.ok) throw new Error(`The sandbox was answered with ${response.status}: ${await response.text()}`);
  const { baseUrl } = (await response.json()) as { baseUrl: string };
  return baseUrl;
}

const pagesSandbox = 'pages';

function userId(index: number): string {
  return `person-${index}`;
}

const formHeaders = 'Content-Type: application/x-www-form-urlencoded\r\n';

/** Forms posted after the username, each with the page expected next. */
const answers = [
  { form: 'action=password&password=correct+horse', page: 'mfa' },
  { form: 'action=code&code=123456', page: 'prompt' },
  { form: 'action=skip', page: 'signed-in' },
] as const;

/** Measures page events per second. Each sign-in has four events: username, password, code and skip. */
function pageRate(pagesUrl: string, clients: number): Promise<number> {
  let begun = 0;
  return closedLoop(pagesUrl, clients, async (connection) => {
    begun += 1;
    const username = encodeURIComponent(`${userId(begun % manyClients)}@example.test`);
    const path = `/s/${pagesSandbox}/sign-in`;
    const first = await connection.send({ method: 'POST', path, headers: formHeaders, body: `username=${username}` });
    const headers = `${formHeaders}Cookie: ${part(first.head, /set-cookie: ([^;]+)/i)}\r\n`;
    const address = part(first.body, /action="([^"]+)"/);
    const formToken = part(first.body, /name="formToken" value="([^"]+)"/);
    for (const { form, page } of answers) {
      const body = `formToken=${formToken}&${form}`;
      const answer = await connection.send({ method: 'POST', path: address, headers, body });
      if (!answer.body.includes(`data-page="${page}"`))
        throw new Error(`${form} did not lead to ${page}: ${answer.head}`);
    }
    return 1 + answers.length;
  });
}

function part(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`An answer lacks ${pattern}: ${text.slice(0, 200)}`);
  return found;
}
