import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BrowserSession } from '../src/scenario/drivers/http/browser-client.ts';
import { HttpClient } from '../src/scenario/drivers/http/http-client.ts';
import { load } from './load.ts';
import {
  atLeast,
  type BenchRow,
  inTemporaryFolder,
  mainFile,
  median,
  type StartedServer,
  startServer,
} from './measure.ts';
import { tokenFrom } from './policy-get.ts';

/**
 * Acknowledged events a second on the SQLite store, PATCH alone and sign-in pages alone, with 1 and with 32 clients, against
 * the disk's own rate of synced commits of one row. Interleaved rounds on one disk, medians. Every PATCH changes the policy;
 * every page posted (name, password, code, skip) is one event of the journal.
 */

const rounds = 3;
const secondsPerRound = 3;
const commitsPerRound = 4_000;
const manyClients = 32;

/** The four rows of durable events. */
export async function benchDurableEvents(): Promise<readonly BenchRow[]> {
  return inTemporaryFolder(async (folder) => {
    const server = await startServer([
      mainFile,
      'serve',
      '--port',
      '0',
      '--json',
      '--frozen',
      '--db',
      join(folder, 'journal.sqlite'),
      '--tenant',
      'app-every-attempt',
    ]);
    try {
      const figures = await measure(server, join(folder, 'disk.sqlite'));
      const row = (bar: number, what: string, rates: readonly number[]): BenchRow =>
        atLeast(bar, `${what} against synced commits of the disk`, median(rates), median(figures.disk), 'events/s');
      return [
        row(0.4, 'durable PATCHes, 1 client', figures.patchOne),
        row(1, `durable PATCHes, ${manyClients} clients`, figures.patchMany),
        row(0.4, 'durable sign-in pages, 1 client', figures.pagesOne),
        row(1, `durable sign-in pages, ${manyClients} clients`, figures.pagesMany),
      ];
    } finally {
      await server.stop();
    }
  });
}

interface Figures {
  readonly disk: number[];
  readonly patchOne: number[];
  readonly patchMany: number[];
  readonly pagesOne: number[];
  readonly pagesMany: number[];
}

async function measure(server: StartedServer, file: string): Promise<Figures> {
  const token = await tokenFrom(server);
  await putUsers(server);
  const figures: Figures = { disk: [], patchOne: [], patchMany: [], pagesOne: [], pagesMany: [] };
  for (let round = 0; round < rounds; round += 1) {
    figures.disk.push(diskRate(file));
    figures.patchOne.push(await patchRate(server, token, 1));
    figures.patchMany.push(await patchRate(server, token, manyClients));
    figures.pagesOne.push(await pageRate(server, 1));
    figures.pagesMany.push(await pageRate(server, manyClients));
  }
  return figures;
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

async function putUsers({ controlUrl }: StartedServer): Promise<void> {
  for (let index = 0; index < manyClients; index += 1) {
    const response = await fetch(`${controlUrl}/sandboxes/default/users/bench-${index}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ methods: ['sms'] }),
    });
    if (!response.ok) throw new Error(`A user was answered with ${response.status}: ${await response.text()}`);
  }
}

/** Events of the pages a second: four for each sign-in that is asked and skips. */
async function pageRate(server: StartedServer, clients: number): Promise<number> {
  const client = new HttpClient();
  const before = await entryCount(server);
  const startMs = performance.now();
  const endMs = startMs + secondsPerRound * 1000;
  await Promise.all(Array.from({ length: clients }, (_, index) => signInUntil(server, client, index, endMs)));
  const elapsedSeconds = (performance.now() - startMs) / 1000;
  const events = (await entryCount(server)) - before;
  await client.close();
  return events / elapsedSeconds;
}

async function signInUntil(
  { baseUrl }: StartedServer,
  client: HttpClient,
  index: number,
  endMs: number,
): Promise<void> {
  while (performance.now() < endMs) {
    const browser = new BrowserSession({ client, baseUrl });
    await browser.signIn({ name: `bench-${index}@example.test`, password: 'correct horse', code: '123456' });
    const { page } = await browser.skip();
    if (page !== 'signed-in') throw new Error(`The skip led to ${page}.`);
  }
}

async function entryCount({ controlUrl }: StartedServer): Promise<number> {
  const response = await fetch(`${controlUrl}/sandboxes/default`);
  const { entries } = (await response.json()) as { entries: number };
  return entries;
}
