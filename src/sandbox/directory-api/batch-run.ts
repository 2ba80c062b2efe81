import type { BatchResponse } from '../../contract/directory-api/batch.schema.ts';
import { policyErrorBody, policyFailure, type RequestMark } from '../../contract/policy-error.ts';
import { afterDelay, afterPendingInput } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { fnv1a32, randomSource } from '../../core/random.ts';
import type { LineFault } from '../fault-injector.ts';
import { type PolicyService, toPolicyHeaders } from '../policy-service.ts';
import { acceptsPlainJson, withoutAnnotations } from './accepted-json.ts';
import { type PlannedRequest, toComparableRequestId } from './batch-plan.ts';
import {
  type DirectoryApiRequest,
  type DirectoryApiResponse,
  jsonMediaType,
  plainJsonMediaType,
} from './directory-exchange.ts';

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
): Promise<ReadonlyMap<string, WrittenResponse>> {
  const responses = new Map<string, WrittenResponse>();
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
    // Each part can take as long as a request of its own, and other requests are served in between.
    await new Promise<void>(afterPendingInput);
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

/** Response to one request of a batch as JSON. Pages stay the bytes that they are, so 20 of them need little memory. */
interface WrittenResponse {
  readonly status: number;
  readonly chunks: readonly (Buffer | string)[];
}

function toBatchResponse(id: string, { status, headers, body }: DirectoryApiResponse): WrittenResponse {
  const always = { 'Cache-Control': 'no-cache', 'OData-Version': '4.0', ...headers };
  const head: BatchResponse = { id, status, headers: always };
  if (body === null) return { status, chunks: [JSON.stringify(head)] };
  if ('bytes' in body) return { status, chunks: [`${JSON.stringify(head).slice(0, -1)},"body":`, body.bytes, '}'] };
  const value = 'json' in body ? body.json : Buffer.from(body.text).toString('base64');
  return { status, chunks: [JSON.stringify({ ...head, body: value })] };
}

/** Joins the responses of a batch to its own response. */
export function joinResponses(responses: readonly WrittenResponse[]): Buffer {
  const chunks = responses.flatMap((response, place) => [place === 0 ? '' : ',', ...response.chunks]);
  return Buffer.concat(
    ['{"responses":[', ...chunks, ']}'].map((one) => (typeof one === 'string' ? Buffer.from(one) : one)),
  );
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
  const isPlain = acceptsPlainJson(headers.accept);
  const caller = await request.authenticate();
  const { version, root } = request;
  const view = { version, root };
  const response =
    method === 'GET'
      ? policy.read(caller, { query, ifNoneMatch: conditions.ifNoneMatch, view })
      : await policy.update(caller, await request.readBody(), {
          query,
          ifMatch: conditions.ifMatch,
          prefer: headers.prefer,
          view,
          onRecorded: request.onRecorded,
        });
  const { status, bytes } = response;
  const own = toPolicyHeaders(response);
  if (bytes === null) return { status, headers: own, body: null };
  const json = JSON.parse(bytes.toString('utf8')) as object;
  const type = isPlain ? plainJsonMediaType : jsonMediaType;
  return {
    status,
    headers: { 'Content-Type': type, ...own },
    body: { json: isPlain ? (withoutAnnotations(json) as object) : json },
  };
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
