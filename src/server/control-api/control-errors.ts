import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { errorResponse, ResponseBody } from '../../contract/control-responses.schema.ts';
import { type ErrorCode, errorTable, NudgeLabError } from '../../core/errors.ts';
import { apiBodyBytesMax } from '../../core/limits.ts';
import { type FaultListener, reportFault } from '../faults.ts';

/**
 * Creates a handler that assigns an id to every request that has none yet. The response header and error bodies
 * contain it.
 */
export function numberRequests(): RequestHandler {
  let requests = 0;
  return (_request, response, next) => {
    if (response.locals['requestId'] !== undefined) return next();
    requests += 1;
    const requestId = `control-${requests}`;
    response.locals['requestId'] = requestId;
    response.set({ 'X-Request-Id': requestId, 'Cache-Control': 'no-store' });
    next();
  };
}

/** Request id in errors of requests that were rejected before they received one. */
const unnumbered = 'control-0';

/** Creates the error handler that converts every failure to the error format of this API. */
export function controlErrors(onFault: FaultListener = () => undefined): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const expected = findExpected(error);
    reportFault(onFault, request, expected ?? error);
    if (response.headersSent) {
      next(error);
      return;
    }
    const failure = expected ?? new NudgeLabError('internal-error');
    const { status, headers } = failure;
    response
      .status(status)
      .set(headers)
      .json(errorBody(failure, getRequestId(response)));
  };
}

/** Returns the id of the request of a response. */
export function getRequestId({ locals }: Response): string {
  return String(locals['requestId'] ?? unnumbered);
}

/** Returns the error body for an error, with the id of its request if it has one. */
export function errorBody(
  { code, message, action, problems }: NudgeLabError,
  requestId: string = unnumbered,
): ResponseBody<typeof errorResponse> {
  return { error: { code, title: errorTable[code].title, message, action, problems, requestId } };
}

/** Error codes for failures that Express and its body parser detect, by status. */
const codesByStatus: ReadonlyMap<unknown, ErrorCode> = new Map<unknown, ErrorCode>([
  [413, 'payload-too-large'],
  [415, 'unsupported-media-type'],
]);

/** Converts failures, including those of Express and its body parser, to expected errors. Returns `null` for a bug. */
function findExpected(error: unknown): NudgeLabError | null {
  if (error instanceof NudgeLabError) return error;
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return null;
  if (error.status >= 500) return null;
  return new NudgeLabError(codesByStatus.get(error.status) ?? 'bad-request', {
    message: formatMessage(error),
    cause: error,
  });
}

function formatMessage(error: Error): string {
  const type = 'type' in error ? error.type : null;
  if (type === 'entity.parse.failed') return `The body is not valid JSON: ${error.message}.`;
  if (type === 'entity.too.large') return `The body is larger than ${apiBodyBytesMax} bytes.`;
  return `${error.message}.`;
}
