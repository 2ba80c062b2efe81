import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { plainScript } from './install-peers.ts';
import {
  type BenchRow,
  inTemporaryFolder,
  mainFile,
  median,
  noBar,
  type StartedServer,
  startServer,
} from './measure.ts';
import { tokenFrom } from './policy-get.ts';
import { RawConnection } from './raw-client.ts';

/**
 * Acknowledged events a second on the SQLite store, PATCH alone and sign-in pages alone, with 1 and with 32 clients, against
 * the disk's own rate of synced commits of one row. Every PATCH changes the policy; every page posted (name, password, code,
 * skip) is one event of the journal. The client is the lightest there is, since with one client its time is part of the
 * figure. What a bare Express route reaches that commits one row a request is measured as well, against the disk and against
 * ours: nothing built on Express does better with one client.
 */

const rounds = 21;
/** Slices are short and the disk is measured around each, because its speed drifts within seconds. */
const sliceMs = 300;
const commitsPerRound = 300;
const manyClients = 32;

/** The rows of durable events. */
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
        await bareRow(null, 'durable PATCHes, 1 client', patches(1)),
        await row(1, `durable PATCHes, ${manyClients} clients`, patches(manyClients)),
      ];
      // Only now, so that the PATCHes had the file alone.
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
 * The median of the ratios of rounds; in each round what it is compared with is measured right before and right after, because
 * the speed of a disk drifts by a factor within a minute. Takes the bar, `null` for a ratio that is only told.
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
    // The first round warms the server up.
    if (round >= 0) pairs.push({ ours, theirs: (before + (await theirRate())) / 2 });
  }
  const ratio = median(pairs.map(({ ours, theirs }) => ours / theirs));
  return {
    what,
    ours: median(pairs.map(({ ours }) => ours)),
    theirs: median(pairs.map(({ theirs }) => theirs)),
    unit: 'events/s',
    ratio,
    bar: bar === null ? noBar : `≥ ${bar} ×`,
    reached: ratio >= (bar ?? 0),
  };
}

/** Synced single-row commits a second that the disk allows to the same library. */
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
  // The days follow the request's number, so that no PATCH repeats the one before.
  const bodies = patchDays.map((day) => JSON.stringify(patchOf(day)));
  let sent = 0;
  return closedLoop(baseUrl, clients, async (connection) => {
    const body = bodies[sent % bodies.length] ?? '';
    sent += 1;
    const answer = await connection.send({ method: 'PATCH', path: policyPath, headers, body });
    if (answer.status !== 204) throw new Error(`The PATCH was answered with ${answer.status}: ${answer.body}`);
    return 1;
  });
}

/** Events a second of clients that each go on as soon as they are answered. Takes what one of them does, which counts its events. */
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

function patchOf(day: number): unknown {
  const settings = { snoozeDurationInDays: day };
  return { registrationEnforcement: { authenticationMethodsRegistrationCampaign: settings } };
}

/** Address of the sandbox whose pages are posted: days are zero and snoozes without limit, so that every sign-in is asked. */
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

/** What follows the name, and the page that each answer is to be. */
const answers = [
  { form: 'action=password&password=correct+horse', page: 'mfa' },
  { form: 'action=code&code=123456', page: 'prompt' },
  { form: 'action=skip', page: 'signed-in' },
] as const;

/** Events of the pages a second: four for each sign-in, which are name, password, code and skip. */
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
