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
} from './measure.ts';
import { installMockServers, type MockedAnswer, type Peer, startPeers } from './mock-servers.ts';
import { tokenFrom } from './policy-get.ts';

/**
 * Compares the endpoints of the three APIs with mock servers that only return the same bytes. The NudgeLab server
 * also verifies a token, counts a quota and logs. Rounds are interleaved, the figures are medians, and the client
 * runs in this process.
 */

const rounds = 3;
const secondsPerRound = 2;
const connections = 16;
const basic = `Basic ${Buffer.from('unlimited@example.test:correct horse').toString('base64')}`;

interface Endpoint extends MockedAnswer {
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Measures rates, startup and memory against Mountebank, Prism and WireMock. */
export async function benchMockedEndpoints(): Promise<readonly BenchRow[]> {
  installMockServers();
  const ours = await startServer([mainFile, 'serve', '--port', '0', '--json']);
  const endpoints = await listEndpoints(ours);
  const peers = await startPeers(endpoints);
  try {
    const rows: BenchRow[] = [];
    for (const endpoint of endpoints) rows.push(...(await measureRates(endpoint, ours, peers)));
    const mine = residentMib(ours.pid);
    for (const peer of peers) {
      rows.push(atMost(1, `start to the first answer against ${peer.name}`, ours.startedInMs, peer.startedInMs, 'ms'));
      rows.push(atMost(1, `memory after these requests against ${peer.name}`, mine, residentMib(peer.pid), 'MiB'));
    }
    return rows;
  } finally {
    await Promise.all([ours.stop(), ...peers.map((peer) => peer.stop())]);
  }
}

/** Returns the three responses of the NudgeLab server, each with its request. */
async function listEndpoints(ours: StartedServer): Promise<readonly Endpoint[]> {
  const record = { title: 'A page', public: true, pages: [{ content: 'A page of text' }] };
  const made = await fetch(`${ours.controlUrl}/sandboxes/default/documents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(record),
  });
  if (made.status !== 201) throw new Error(`The document was not made: ${made.status}.`);
  const token = { authorization: `Bearer ${await tokenFrom(ours)}` };
  const requests = [
    { what: 'GET policy', path: '/v1.0/policies/authenticationmethodspolicy', query: '', headers: token },
    {
      what: 'lookup',
      path: '/api/v2/',
      query: '?type=email&query=ada@example.test&tool=all',
      headers: { authorization: basic },
    },
    { what: 'document record', path: '/api/v1/document/1/', query: '', headers: {} },
  ];
  const endpoints: Endpoint[] = [];
  for (const one of requests) {
    const answer = await fetch(`${ours.baseUrl}${one.path}${one.query}`, {
      headers: one.headers as Record<string, string>,
    });
    if (answer.status !== 200) throw new Error(`${one.what} was answered with ${answer.status}.`);
    endpoints.push({ ...one, headers: one.headers as Record<string, string>, text: await answer.text() });
  }
  return endpoints;
}

async function measureRates(
  endpoint: Endpoint,
  ours: StartedServer,
  peers: readonly Peer[],
): Promise<readonly BenchRow[]> {
  const { what, path, query = '', headers, text } = endpoint;
  const bare = await startServer([plainScript('bare-express'), text, path]);
  const others = [...peers, { name: 'bare Express', baseUrl: bare.baseUrl }];
  const mine: number[] = [];
  const theirs = others.map((): number[] => []);
  const rate = async (baseUrl: string): Promise<number> =>
    (await load({ url: `${baseUrl}${path}${query}`, headers, connections }, { seconds: secondsPerRound }))
      .requestsPerSecond;
  for (let round = -1; round < rounds; round += 1) {
    const one = await rate(ours.baseUrl);
    // The first round warms up all servers and is not counted.
    if (round >= 0) mine.push(one);
    for (const [index, { baseUrl }] of others.entries()) {
      const other = await rate(baseUrl);
      if (round >= 0) theirs[index]?.push(other);
    }
  }
  await bare.stop();
  return others.map(({ name }, index) =>
    atLeast(
      name === 'bare Express' ? 0.5 : 1,
      `${what} against ${name}`,
      median(mine),
      median(theirs[index] ?? []),
      'requests/s',
    ),
  );
}
