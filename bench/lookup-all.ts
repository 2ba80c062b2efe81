import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { plainScript } from './install-peers.ts';
import { load } from './load.ts';
import {
  atLeast,
  type BenchRow,
  mainFile,
  median,
  root,
  type StartedServer,
  startServer,
  withinLimit,
} from './measure.ts';

/**
 * Compares a lookup with all 23 email tools, with authentication, quota and logging for every request, with a bare
 * Express 5 route that returns the same bytes. Rounds are interleaved, the figures are medians, and the client runs
 * in this process. The caller is an account without a limit, because a token is limited to 30 calls per minute.
 */

const rounds = 5;
const secondsPerRound = 3;
const connections = 16;
const path = '/api/v2/';
const query = 'type=email&query=ada@example.test&tool=all';
const headers = { authorization: `Basic ${Buffer.from('unlimited@example.test:correct horse').toString('base64')}` };
const callersMiBMax = 100;

/** Measures requests per second and the memory of quotas. */
export async function benchLookupAll(): Promise<readonly BenchRow[]> {
  const ours = await startServer([mainFile, 'serve', '--port', '0', '--json']);
  const answer = await fetch(`${ours.baseUrl}${path}?${query}`, { headers });
  const bytes = await answer.text();
  if (answer.status !== 200) throw new Error(`The lookup was answered with ${answer.status}.`);
  const bare = await startServer([plainScript('bare-express'), bytes, path]);
  try {
    return [await lookupRate(ours, bare), memoryRow()];
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
}

async function lookupRate(ours: StartedServer, bare: StartedServer): Promise<BenchRow> {
  const oursRates: number[] = [];
  const bareRates: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const [mine, theirs] = [await measureRate(ours), await measureRate(bare)];
    // The first round warms up both servers and is not counted.
    if (round < 0) continue;
    oursRates.push(mine);
    bareRates.push(theirs);
  }
  return atLeast(
    0.5,
    'lookup by all 23 tools against bare Express',
    median(oursRates),
    median(bareRates),
    'requests/s',
  );
}

async function measureRate({ baseUrl }: StartedServer): Promise<number> {
  const url = `${baseUrl}${path}?${query}`;
  return (await load({ url, headers, connections }, { seconds: secondsPerRound })).requestsPerSecond;
}

/** Measures the quotas of 100,000 callers in a separate process. */
function memoryRow(): BenchRow {
  const file = join(root, 'bench', 'lookup-callers.ts');
  const ours = Number(execFileSync(process.execPath, ['--expose-gc', file], { encoding: 'utf8' }));
  return withinLimit(callersMiBMax, 'quotas of 100,000 callers, 30 calls each', ours, 'MiB');
}
