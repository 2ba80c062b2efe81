import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainScript, publishedProgram } from './install-peers.ts';
import { load } from './load.ts';
import {
  atMost,
  type BenchRow,
  type CommandTime,
  mainFile,
  pairedAtLeast,
  pairedAtMost,
  type Rounds,
  readProcessorMs,
  residentMib,
  root,
  type StartedServer,
  startServer,
} from './measure.ts';

/**
 * Compares reading the policy, with a valid token on every request and the request log enabled, with a bare Express
 * 5 route that returns the same bytes with an ETag. Rounds are interleaved, the figures are medians, and the client
 * runs in this process.
 */

const rounds = 5;
const secondsPerRound = 3;
const connections = 16;
const path = '/v1.0/policies/authenticationmethodspolicy';
const startRounds = 9;

const serveArgs = [mainFile, 'serve', '--port', '0', '--json'];

/** Measures requests per second, the time from start to first response, and the memory after many requests. */
export async function benchPolicyGet(): Promise<readonly BenchRow[]> {
  const ours = await startServer(serveArgs);
  const headers = { authorization: `Bearer ${await tokenFrom(ours)}` };
  const bytes = await (await fetch(`${ours.baseUrl}${path}`, { headers })).text();
  const bare = await startServer([plainScript('bare-express'), bytes]);
  try {
    return [await readingRate(ours, bare, headers), await memoryRow(ours, headers), ...(await startRows(bytes))];
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
}

async function readingRate(
  ours: StartedServer,
  bare: StartedServer,
  headers: Readonly<Record<string, string>>,
): Promise<BenchRow> {
  const oursRates: number[] = [];
  const bareRates: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const mine = await load({ url: `${ours.baseUrl}${path}`, headers, connections }, { seconds: secondsPerRound });
    const theirs = await load({ url: `${bare.baseUrl}${path}`, headers, connections }, { seconds: secondsPerRound });
    // The first round warms up both servers and is not counted.
    if (round < 0) continue;
    oursRates.push(mine.requestsPerSecond);
    bareRates.push(theirs.requestsPerSecond);
  }
  return pairedAtLeast(0.7, 'GET policy against bare Express', { ours: oursRates, theirs: bareRates }, 'requests/s');
}

async function memoryRow(ours: StartedServer, headers: Readonly<Record<string, string>>): Promise<BenchRow> {
  const request = { url: `${ours.baseUrl}${path}`, headers, connections };
  await load(request, { amount: 100_000 });
  const early = residentMib(ours.pid);
  await load(request, { amount: 900_000 });
  return atMost(1.2, 'memory after 1,000,000 requests against 100,000', residentMib(ours.pid), early, 'MiB');
}

/** Measures the time from the start of the process to the first response, of the published program. */
async function startRows(bytes: string): Promise<readonly BenchRow[]> {
  const publishedArgs = [publishedProgram(), ...serveArgs.slice(1)];
  const ours: CommandTime[] = [];
  const bare: CommandTime[] = [];
  for (let round = 0; round < startRounds; round += 1) {
    ours.push(await measureFirstAnswer(publishedArgs, '/_control/v1/health'));
    bare.push(await measureFirstAnswer([plainScript('bare-express'), bytes], path));
  }
  const toRounds = (pick: (time: CommandTime) => number): Rounds => ({ ours: ours.map(pick), theirs: bare.map(pick) });
  const what = 'cold start to first answer against bare Express';
  return [
    pairedAtMost(
      2,
      what,
      toRounds(({ wallMs }) => wallMs),
      'ms',
    ),
    pairedAtMost(
      2,
      `${what}, in processor time`,
      toRounds(({ processorMs }) => processorMs),
      'ms',
    ),
  ];
}

async function measureFirstAnswer(args: readonly string[], at: string): Promise<CommandTime> {
  const startMs = performance.now();
  const server = await startServer(args);
  const { status } = await fetch(`${server.baseUrl}${at}`);
  const wallMs = performance.now() - startMs;
  const processorMs = readProcessorMs(server.pid);
  await server.stop();
  if (status !== 200) throw new Error(`${at} was answered with ${status}.`);
  return { wallMs, processorMs };
}

/** Issues an access token that may read and write the policy of the default sandbox. */
export async function tokenFrom({ controlUrl }: StartedServer): Promise<string> {
  const body = {
    permissions: ['Policy.Read.All', 'Policy.ReadWrite.AuthenticationMethod'],
    roles: ['Authentication Policy Administrator'],
    expiresInSeconds: 86_400,
  };
  const response = await fetch(`${controlUrl}/sandboxes/default/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}

/** Returns the version of an installed reference package. */
export function readVersion(name: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
