import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type LoadStep, load } from './load.ts';
import { type BenchRow, inTemporaryFolder, mainFile, median, type StartedServer, startServer } from './measure.ts';
import { tokenFrom } from './policy-get.ts';

/**
 * Acknowledged events a second on the SQLite store, PATCH alone and sign-in pages alone, with 1 and with 32 clients, against
 * the disk's own rate of synced commits of one row. Every PATCH changes the policy;
 * every page posted (name, password, code, skip) is one event of the journal. The client of the pages reads no more of them
 * than it needs, so that it does not bound the figure.
 */

const rounds = 7;
const secondsPerRound = 1;
const commitsPerRound = 1_000;
const manyClients = 32;

/** The four rows of durable events. */
export async function benchDurableEvents(): Promise<readonly BenchRow[]> {
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'journal.sqlite');
    const server = await startServer([mainFile, 'serve', '--port', '0', '--json', '--frozen', '--db', file]);
    try {
      const token = await tokenFrom(server);
      const pagesUrl = await makePagesSandbox(server);
      const disk = join(folder, 'disk.sqlite');
      const row = async (bar: number, what: string, rate: () => Promise<number>): Promise<BenchRow> =>
        paired(bar, `${what} against synced commits of the disk`, rate, disk);
      return [
        await row(0.4, 'durable PATCHes, 1 client', () => patchRate(server, token, 1)),
        await row(1, `durable PATCHes, ${manyClients} clients`, () => patchRate(server, token, manyClients)),
        await row(0.4, 'durable sign-in pages, 1 client', () => pageRate(pagesUrl, 1)),
        await row(1, `durable sign-in pages, ${manyClients} clients`, () => pageRate(pagesUrl, manyClients)),
      ];
    } finally {
      await server.stop();
    }
  });
}

/**
 * The median of the ratios of rounds; in each round the disk is measured right before and right after, because its speed
 * drifts by a factor within a minute.
 */
async function paired(bar: number, what: string, rate: () => Promise<number>, disk: string): Promise<BenchRow> {
  const pairs: { readonly ours: number; readonly theirs: number }[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const before = diskRate(disk);
    const ours = await rate();
    // The first round warms the server up.
    if (round >= 0) pairs.push({ ours, theirs: (before + diskRate(disk)) / 2 });
  }
  const ratio = median(pairs.map(({ ours, theirs }) => ours / theirs));
  return {
    what,
    ours: median(pairs.map(({ ours }) => ours)),
    theirs: median(pairs.map(({ theirs }) => theirs)),
    unit: 'events/s',
    ratio,
    bar: `≥ ${bar} ×`,
    reached: ratio >= bar,
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

async function patchRate({ baseUrl }: StartedServer, token: string, clients: number): Promise<number> {
  // The days follow the request's number, so that no PATCH repeats the one before.
  const days = [3, 5, 7, 9, 11, 13];
  const url = `${baseUrl}/v1.0/policies/authenticationmethodspolicy`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', prefer: 'return=minimal' };
  const result = await load(
    {
      url,
      method: 'PATCH',
      headers,
      connections: clients,
      bodies: days.map((day) => JSON.stringify(patchOf(day))),
    },
    { seconds: secondsPerRound },
  );
  return result.requestsPerSecond;
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

/** What one connection remembers of the sign-in that it is at. */
interface Tab {
  address?: string;
  cookie?: string;
  formToken?: string;
}

/** Events of the pages a second: four for each sign-in, which are name, password, code and skip. */
async function pageRate(pagesUrl: string, clients: number): Promise<number> {
  let begun = 0;
  const name: LoadStep = {
    prepare: (request) => {
      begun += 1;
      return posted(request, '/sign-in', { username: `${userId(begun % manyClients)}@example.test` }, '');
    },
    hear: (html, headers, tab: Tab) => {
      tab.cookie = String(headers['set-cookie'] ?? headers['Set-Cookie']).split(';', 1)[0] ?? '';
      tab.address = part(html, /action="([^"]+)"/);
      tab.formToken = part(html, /name="formToken" value="([^"]+)"/);
    },
  };
  const result = await load(
    {
      url: pagesUrl,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      connections: clients,
      steps: [
        name,
        answering({ action: 'password', password: 'correct horse' }, 'mfa'),
        answering({ action: 'code', code: '123456' }, 'prompt'),
        answering({ action: 'skip' }, 'signed-in'),
      ],
    },
    { seconds: secondsPerRound },
  );
  return result.requestsPerSecond;
}

/** Answers the page that a tab is at. Throws when another page than expected follows. */
function answering(form: Readonly<Record<string, string>>, expected: string): LoadStep {
  return {
    prepare: (request, { address = '', cookie = '', formToken = '' }: Tab) =>
      posted(request, address, { formToken, ...form }, cookie),
    hear: (html) => {
      const page = part(html, /data-page="([^"]+)"/);
      if (page !== expected) throw new Error(`${form['action']} led to ${page} instead of ${expected}.`);
    },
  };
}

function posted<R extends object>(request: R, path: string, form: Readonly<Record<string, string>>, cookie: string): R {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie };
  const at = path.startsWith(`/s/${pagesSandbox}`) ? path : `/s/${pagesSandbox}${path}`;
  return { ...request, path: at, headers, body: new URLSearchParams(form).toString() };
}

function part(html: string, pattern: RegExp): string {
  return pattern.exec(html)?.[1] ?? '';
}
