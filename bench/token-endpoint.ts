import { plainScript, publishedProgram } from './install-peers.ts';
import { type LoadResult, load } from './load.ts';
import {
  atMost,
  type BenchRow,
  mainFile,
  pairedAtLeast,
  pairedAtMost,
  pairedStated,
  readProcessorMs,
  residentMib,
  type StartedServer,
  startServer,
  statedAgainst,
} from './measure.ts';

/**
 * Measures client credentials at the token endpoint. It is compared with oauth2-mock-server, each with its usual
 * signature (ES256 here, RS256 there), and with the bare OIDC library that the mock server is built on, with the
 * same signature. Each server runs in a separate process, rounds are interleaved, the figures are medians, and the
 * client runs in this process. The memory of each server and the time until it listens are also measured.
 */

const rounds = 9;
/** oauth2-mock-server searches for random primes at each start, which takes between 10 and 100 ms. */
const startRounds = 25;
const secondsPerRound = 2;
const connections = 4;
const headers = { 'content-type': 'application/x-www-form-urlencoded' };

/** Target of the ratio. The mock server also reads clients and time from the sandbox, and checks it for faults. */
const bareBar = 0.8;

/** Measures tokens per second, memory and startup. */
export async function benchTokenEndpoint(): Promise<readonly BenchRow[]> {
  const [ours, mock, bare] = await startAll(mainFile);
  const endpoints = [
    { url: `${ours.baseUrl}/oauth2/token`, pid: ours.pid },
    { url: `${mock.baseUrl}/token`, pid: mock.pid },
    { url: `${bare.baseUrl}/token`, pid: bare.pid },
  ] as const;
  try {
    const rates: [number[], number[], number[]] = [[], [], []];
    const byProcessor: [number[], number[], number[]] = [[], [], []];
    for (let round = -1; round < rounds; round += 1) {
      for (const [index, { url, pid }] of endpoints.entries()) {
        const beforeMs = readProcessorMs(pid);
        const { requestsPerSecond, requests } = await tokensFrom(url);
        // The first round warms up all servers and is not counted.
        if (round < 0) continue;
        rates[index]?.push(requestsPerSecond);
        byProcessor[index]?.push((requests / (readProcessorMs(pid) - beforeMs)) * 1_000);
      }
    }
    const [mine, mocked, library] = rates;
    const [mineByProcessor, mockedByProcessor, libraryByProcessor] = byProcessor;
    const perCore = 'tokens/s of one core';
    const what = 'client credentials against';
    const memory = [ours, mock, bare].map(({ pid }) => residentMib(pid)) as [number, number, number];
    return [
      pairedAtLeast(2, `${what} oauth2-mock-server`, { ours: mine, theirs: mocked }, 'tokens/s'),
      pairedAtLeast(bareBar, `${what} a bare oidc-provider`, { ours: mine, theirs: library }, 'tokens/s'),
      pairedStated(
        `${what} oauth2-mock-server, by processor time`,
        { ours: mineByProcessor, theirs: mockedByProcessor },
        perCore,
      ),
      pairedStated(
        `${what} a bare oidc-provider, by processor time`,
        { ours: mineByProcessor, theirs: libraryByProcessor },
        perCore,
      ),
      atMost(1.5, 'memory after these tokens against oauth2-mock-server', memory[0], memory[1], 'MiB'),
      statedAgainst('memory after these tokens against a bare oidc-provider', memory[0], memory[2], 'MiB'),
      ...(await startRows()),
    ];
  } finally {
    await Promise.all([ours.stop(), mock.stop(), bare.stop()]);
  }
}

/** Starts NudgeLab from an entry point, oauth2-mock-server and the bare library, in this order. */
async function startAll(program: string): Promise<readonly [StartedServer, StartedServer, StartedServer]> {
  return [
    await startServer([program, 'serve', '--port', '0', '--json']),
    await startServer([plainScript('mock-token-server')]),
    await startServer([plainScript('bare-provider')]),
  ];
}

/** Measures the time from the start of a process until it reports that it is listening, of the published program. */
async function startRows(): Promise<readonly BenchRow[]> {
  const times: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < startRounds; round += 1) {
    for (const [index, server] of (await startAll(publishedProgram())).entries()) {
      times[index]?.push(server.startedInMs);
      await server.stop();
    }
  }
  const [ours, mock, bare] = times;
  return [
    pairedAtMost(1.2, 'start until it listens against oauth2-mock-server', { ours, theirs: mock }, 'ms'),
    pairedStated('start until it listens against a bare oidc-provider', { ours, theirs: bare }, 'ms'),
  ];
}

function tokensFrom(url: string): Promise<LoadResult> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'test-service',
    client_secret: 'test-secret',
  }).toString();
  const request = { url, method: 'POST', headers, bodies: [body], connections } as const;
  return load(request, { seconds: secondsPerRound });
}
