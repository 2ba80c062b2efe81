import { join } from 'node:path';
import { load } from './load.ts';
import { atLeast, type BenchRow, mainFile, median, root, startServer } from './measure.ts';

/**
 * Client credentials at the token endpoint against oauth2-mock-server, with its usual signature (ES256 here, RS256 there), and
 * against the bare library that ours stands on, with the same one. Each in a process of its own; interleaved rounds, medians;
 * the client runs in this process.
 */

const rounds = 5;
const secondsPerRound = 3;
const connections = 4;
const headers = { 'content-type': 'application/x-www-form-urlencoded' };

/** Ours reads its clients and its time from the sandbox, and asks it for faults; the rest of both is the same. */
const bareBar = 0.5;

/** Tokens a second. */
export async function benchTokenEndpoint(): Promise<readonly BenchRow[]> {
  const ours = await startServer([mainFile, 'serve', '--port', '0', '--json']);
  const mock = await startServer([join(root, 'bench', 'mock-token-server.ts')]);
  const bare = await startServer([join(root, 'bench', 'bare-provider.ts')]);
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
    return [
      atLeast(2, `${what} oauth2-mock-server`, median(mine), median(mocked), 'tokens/s'),
      atLeast(bareBar, `${what} a bare oidc-provider`, median(mine), median(library), 'tokens/s'),
    ];
  } finally {
    await Promise.all([ours.stop(), mock.stop(), bare.stop()]);
  }
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
