import { join } from 'node:path';
import { load } from './load.ts';
import { atLeast, type BenchRow, mainFile, median, root, startServer } from './measure.ts';

/**
 * Client credentials at the token endpoint against oauth2-mock-server, each in a process of its own, both with their usual
 * signature (ES256 here, RS256 there). Interleaved rounds, medians; the client runs in this process.
 */

const rounds = 5;
const secondsPerRound = 3;
const connections = 4;
const headers = { 'content-type': 'application/x-www-form-urlencoded' };

/** Tokens a second. */
export async function benchTokenEndpoint(): Promise<readonly BenchRow[]> {
  const ours = await startServer([mainFile, 'serve', '--port', '0', '--json']);
  const theirs = await startServer([join(root, 'bench', 'mock-token-server.ts')]);
  try {
    const oursRates: number[] = [];
    const theirRates: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const mine = await tokensFrom(`${ours.baseUrl}/oauth2/token`);
      const other = await tokensFrom(`${theirs.baseUrl}/token`);
      // The first round warms both up.
      if (round < 0) continue;
      oursRates.push(mine);
      theirRates.push(other);
    }
    const what = 'client credentials against oauth2-mock-server';
    return [atLeast(2, what, median(oursRates), median(theirRates), 'tokens/s')];
  } finally {
    await Promise.all([ours.stop(), theirs.stop()]);
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
