import type { BatchResponse } from '../../contract/directory-api/batch.schema.ts';
import { policyErrorBody, policyFailure, type RequestMark } from '../../contract/policy-error.ts';
import { afterDelay } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { fnv1a32, randomSource } from '../../core/random.ts';
import type { LineFault } from '../fault-injector.ts';
import type { PolicyService } from '../policy-service.ts';
import { type PlannedRequest, toComparableRequestId } from './batch-plan.ts';
import { type DirectoryApiRequest, type DirectoryApiResponse, jsonMediaType } from './directory-exchange.ts';

/** Dispatcher of the requests of a batch. */
interface BatchRunner {
  readonly handle: (part: PlannedRequest) => Promise<DirectoryApiResponse>;
  /** Returns the properties of a request that its errors depend on. */
  readonly mark: (path: string) => RequestMark;
}

const failedStatusMin = 400;

/**
 * Runs the requests of a batch one after another. A request that depends on a failed one does not run.
 *
 * @returns the responses by the comparable form of their ids
 */
export async function runBatch(
  planned: readonly PlannedRequest[],
  { handle, mark }: BatchRunner,
): Promise<ReadonlyMap<string, BatchResponse>> {
  const responses = new Map<string, BatchResponse>();
  for (const part of planned) {
    const failed = part.dependsOn?.find(
      (id) => (responses.get(toComparableRequestId(id))?.status ?? 0) >= failedStatusMin,
    );
    const task =
      failed === undefined
        ? () => handle(part)
        : () => Promise.reject(new NudgeLabError('dependency-failed', { message: `The request "${failed}" failed.` }));
    const answered = await task().catch((error: unknown) => toFailure(error, mark(part.path)));
    responses.set(toComparableRequestId(part.id), toBatchResponse(part.id, answered));
  }
  return responses;
}

/** Returns the response to a request that failed as expected. Rethrows any other error. */
function toFailure(error: unknown, mark: RequestMark): DirectoryApiResponse {
  if (!(error instanceof NudgeLabError)) throw error;
  const { status, headers, body } = policyFailure(error, mark);
  return { status, headers: { 'Content-Type': jsonMediaType, ...headers }, body: { json: body } };
}

const tooManyRequests = 429;
const serviceUnavailable = 503;

/** Returns the response of a fault. A request of a batch has no connection of its own to reset, so it fails instead. */
export function toFaultResponse(fault: NonNullable<LineFault['end']>, mark: RequestMark): DirectoryApiResponse {
  const isLimited = fault.kind === 'too-many-requests';
  const status = isLimited ? tooManyRequests : fault.kind === 'server-error' ? fault.status : serviceUnavailable;
  const retry = isLimited ? { 'Retry-After': String(fault.retryAfterSeconds) } : {};
  const message = 'A fault of this sandbox was injected.';
  const json = policyErrorBody({ status, message, problems: [] }, mark);
  return { status, headers: { 'Content-Type': jsonMediaType, ...retry }, body: { json } };
}

function toBatchBody(body: NonNullable<DirectoryApiResponse['body']>): unknown {
  if ('json' in body) return body.json;
  return 'bytes' in body ? JSON.parse(body.bytes.toString()) : Buffer.from(body.text).toString('base64');
}

function toBatchResponse(id: string, { status, headers, body }: DirectoryApiResponse): BatchResponse {
  const always = { 'Cache-Control': 'no-cache', 'OData-Version': '4.0', ...headers };
  if (body === null) return { id, status, headers: always };
  return {
    id,
    status,
    headers: always,
    body: toBatchBody(body),
  };
}

const policyPath = '/policies/authenticationmethodspolicy';
const policyMethods = 'GET, PATCH';

/** Returns `true` for the path of the policy. */
export function isPolicyPath(path: string): boolean {
  const lower = path.toLowerCase();
  return lower === policyPath || lower === `${policyPath}/`;
}

/** Handles a request to the policy. Throws the errors of the policy, or `method-not-allowed`. */
export async function handlePolicy(
  request: DirectoryApiRequest,
  policy: PolicyService,
  conditions: { readonly ifMatch: string | undefined; readonly ifNoneMatch: string | undefined },
): Promise<DirectoryApiResponse> {
  const { method, query, headers } = request;
  if (method !== 'GET' && method !== 'PATCH') {
    throw new NudgeLabError('method-not-allowed', {
      message: `The policy does not support ${method}; allowed: ${policyMethods}.`,
      headers: { Allow: policyMethods },
    });
  }
  const caller = await request.authenticate();
  const { version, root } = request;
  const view = { version, root };
  const { status, bytes, etag } =
    method === 'GET'
      ? policy.read(caller, { query, ifNoneMatch: conditions.ifNoneMatch, view })
      : await policy.update(caller, await request.readBody(), {
          query,
          ifMatch: conditions.ifMatch,
          prefer: headers.prefer,
          view,
          onRecorded: request.onRecorded,
        });
  if (bytes === null) return { status, headers: { ETag: etag }, body: null };
  const json = JSON.parse(bytes.toString('utf8')) as object;
  return { status, headers: { 'Content-Type': jsonMediaType, ETag: etag }, body: { json } };
}

/** Returns ids in an order that depends only on them and on the random seed. */
export function shuffle(ids: readonly string[], seed: number): readonly string[] {
  const draw = randomSource(fnv1a32(`${seed} ${JSON.stringify(ids)}`));
  return ids
    .map((id) => ({ id, key: draw() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ id }) => id);
}

/** Waits in real time. */
export function waitMs(delayMs: number): Promise<void> {
  if (delayMs === 0) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  afterDelay(delayMs, resolve);
  return promise;
}
