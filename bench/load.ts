import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installPeers, peersFolder } from './install-peers.ts';

const autocannonVersion = '9.0.0';

/** The function of `autocannon`, limited to what is used here. Durations are in seconds. */
type SendLoad = (options: {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests?: readonly { readonly body: string }[];
  readonly connections: number;
  readonly duration: number;
  readonly amount?: number;
}) => Promise<{
  readonly requests: { readonly total: number };
  readonly errors: number;
  readonly non2xx: number;
  readonly duration: number;
}>;

/** Result of a load run. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly requests: number;
}

/** Request that a load run sends repeatedly. */
export interface LoadRequest {
  readonly url: string;
  readonly method?: 'GET' | 'PATCH' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Bodies that each connection sends in rotation. */
  readonly bodies?: readonly string[];
  readonly connections: number;
}

/**
 * Sends one request repeatedly, for a duration or a number of times. Throws if a response is not successful, because
 * fast errors would distort the figure.
 */
export async function load(
  request: LoadRequest,
  until: { readonly seconds: number } | { readonly amount: number },
): Promise<LoadResult> {
  installPeers({ autocannon: autocannonVersion });
  const autocannon = createRequire(join(peersFolder, 'here.js'))('autocannon') as SendLoad;
  const result = await autocannon({
    url: request.url,
    method: request.method ?? 'GET',
    headers: { ...request.headers },
    ...(request.bodies === undefined ? {} : { requests: request.bodies.map((body) => ({ body })) }),
    connections: request.connections,
    ...('seconds' in until ? { duration: until.seconds } : { amount: until.amount, duration: 600 }),
  });
  const bad = result.errors + result.non2xx;
  if (bad > 0) throw new Error(`${bad} of ${result.requests.total} requests to ${request.url} were no success.`);
  return { requestsPerSecond: result.requests.total / result.duration, requests: result.requests.total };
}
