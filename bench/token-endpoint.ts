import { plainScript } from './install-peers.ts';
import { load } from './load.ts';
import {
  atLeast,
  atMost,
  type BenchRow,
  mainFile,
  median,
  residentMib,
  type StartedServer,
  startServer,
  statedAgainst,
} from './measure.ts';

/**
 * Client credentials at the token endpoint against oauth2-mock-server, with its usual signature (ES256 here, RS256 there), and
 * against the bare library that ours stands on, with the same one. Each in a process of its own; interleaved rounds, medians;
 * the client runs in this process. Then the memory that each holds, and the time until each listens.
 */

const rounds = 5;
const secondsPerRound = 3;
const connections = 4;
const headers = { 'content-type': 'application/x-www-form-urlencoded' };

/** Ours reads its clients and its time from the sandbox, and asks it for faults; the rest of both is the same. */
const bareBar = 0.5;

/** Tokens a second, memory and start. */
export async function benchTokenEndpoint(): Promise<readonly BenchRow[]> {
  const [ours, mock, bare] = await startAll();
  const endpoints = [`${ours.baseUrl}/oauth2/token`, `${mock.baseUrl}/token`, `${bare.baseUrl}/token`] as const;
  try {
    const rates: [number[], number[], number[]] = [[], [], []];
    for (let round = -1; round < rounds; round += 1) {
      for (const [index, endpoint] of endpoints.entries()) {
        const rate = await tokensFrom(endpoint);
        // The first round warms them up.
        if (round >= 0) rates[index]?.push(rate);
      }
    }
    const [mine, mocked, library] = rates;
    const what = 'client credentials against';
    const memory = [ours, mock, bare].map(({ pid }) => residentMib(pid)) as [number, number, number];
    return [
      atLeast(2, `${what} oauth2-mock-server`, median(mine), median(mocked), 'tokens/s'),
      atLeast(bareBar, `${what} a bare oidc-provider`, median(mine), median(library), 'tokens/s'),
      atMost(1, 'memory after these tokens against oauth2-mock-server', memory[0], memory[1], 'MiB'),
      statedAgainst('memory after these tokens against a bare oidc-provider', memory[0], memory[2], 'MiB'),
      ...(await startRows()),
    ];
  } finally {
    await Promise.all([ours.stop(), mock.stop(), bare.stop()]);
  }
}

/** Ours, the mock and the library. */
async function startAll(): Promise<readonly [StartedServer, StartedServer, StartedServer]> {
  return [
    await startServer([mainFile, 'serve', '--port', '0', '--json']),
    await startServer([plainScript('mock-token-server')]),
    await startServer([plainScript('bare-provider')]),
  ];
}

/** From the start of a process to the line that says it listens. */
async function startRows(): Promise<readonly BenchRow[]> {
  const times: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, server] of (await startAll()).entries()) {
      times[index]?.push(server.startedInMs);
      await server.stop();
    }
  }
  const [ours, mock, bare] = times.map(median) as [number, number, number];
  return [
    atMost(1, 'start until it listens against oauth2-mock-server', ours, mock, 'ms'),
    statedAgainst('start until it listens against a bare oidc-provider', ours, bare, 'ms'),
  ];
}

async function tokensFrom(url: string): Promise<number> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'test-service',
    client_secret: 'test-secret',
  }).toString();
  const request = { url, method: 'POST', headers, bodies: [body], connections } as const;
  return (await load(request, { seconds: secondsPerRound })).requestsPerSecond;
}
