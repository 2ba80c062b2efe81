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
  /** What each connection does in turn, one request a step; the steps of a connection share what they remember. */
  readonly steps?: readonly LoadStep[];
  readonly connections: number;
}

/** One request of a sequence: made from what is remembered, and heard. */
export interface LoadStep {
  prepare<R extends object>(request: R, remembered: object): R;
  hear(body: string, headers: Readonly<Record<string, string>>, remembered: object): void;
}

/**
 * Sends one request over and over, for a time or a number of times. Throws when an answer is no success: a fast error would
 * be a wrong figure.
 */
export async function load(
  request: LoadRequest,
  until: { readonly seconds: number } | { readonly amount: number },
): Promise<LoadResult> {
  const sequence = request.steps?.map(({ prepare, hear }) => ({
    setupRequest: prepare,
    onResponse: (_status: number, body: string, remembered: object, headers: Readonly<Record<string, string>>) =>
      hear(body, headers, remembered),
  }));
  const result = await autocannon({
    url: request.url,
    method: request.method ?? 'GET',
    headers: { ...request.headers },
    ...(request.bodies === undefined ? {} : { requests: request.bodies.map((body) => ({ body })) }),
    ...(sequence === undefined ? {} : { requests: sequence }),
    connections: request.connections,
    ...('seconds' in until ? { duration: until.seconds } : { amount: until.amount, duration: 600 }),
  });
  const bad = result.errors + result.non2xx;
  if (bad > 0) throw new Error(`${bad} of ${result.requests.total} requests to ${request.url} were no success.`);
  return { requestsPerSecond: result.requests.total / result.duration, requests: result.requests.total };
}
