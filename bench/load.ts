import autocannon from 'autocannon';

/** What a load run saw. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly requests: number;
}

/** A request that is sent over and over. */
export interface LoadRequest {
  readonly url: string;
  readonly method?: 'GET' | 'PATCH' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Bodies that each connection sends in turn. */
  readonly bodies?: readonly string[];
  readonly connections: number;
}

/**
 * Sends one request over and over, for a time or a number of times. Throws when an answer is no success: a fast error would
 * be a wrong figure.
 */
export async function load(
  request: LoadRequest,
  until: { readonly seconds: number } | { readonly amount: number },
): Promise<LoadResult> {
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
