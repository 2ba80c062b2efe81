import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { errorResponse, ResponseBody } from '../../contract/control-responses.schema.ts';
import { type ErrorCode, errorTable, NudgeLabError } from '../../core/errors.ts';
import { apiBodyBytesMax } from '../../core/limits.ts';
import { type FaultListener, reportFault } from '../faults.ts';

/** Gives every request an id that the answer's header and an error body name. */
export function numberRequests(): RequestHandler {
  let asked = 0;
  return (_request, response, next) => {
    asked += 1;
    const requestId = `control-${asked}`;
    response.locals['requestId'] = requestId;
    response.set({ 'X-Request-Id': requestId, 'Cache-Control': 'no-store' });
    next();
  };
}

/** The id of a request that was refused before it was numbered. */
const unnumbered = 'control-0';

/** Turns every failure into the one error shape of this API. */
export function controlErrors(onFault: FaultListener = () => undefined): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const expected = expectedOf(error);
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
      .json(errorBody(failure, String(response.locals['requestId'] ?? unnumbered)));
  };
}

/** The body of a failure. Takes the error, and the id of its request where it was numbered. */
export function errorBody(
  { code, message, action, problems }: NudgeLabError,
  requestId: string = unnumbered,
): ResponseBody<typeof errorResponse> {
  return { error: { code, title: errorTable[code].title, message, action, problems, requestId } };
}

/** Codes of failures that Express and its body parser found, by their status. */
const codesByStatus: ReadonlyMap<unknown, ErrorCode> = new Map<unknown, ErrorCode>([
  [413, 'payload-too-large'],
  [415, 'unsupported-media-type'],
]);

/** An expected failure, also one that Express or its body parser found; `null` for a fault of the simulator. */
function expectedOf(error: unknown): NudgeLabError | null {
  if (error instanceof NudgeLabError) return error;
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return null;
  if (error.status >= 500) return null;
  return new NudgeLabError(codesByStatus.get(error.status) ?? 'bad-request', {
    message: messageOf(error),
    cause: error,
  });
}

function messageOf(error: Error): string {
  const type = 'type' in error ? error.type : null;
  if (type === 'entity.parse.failed') return `The body is not valid JSON: ${error.message}.`;
  if (type === 'entity.too.large') return `The body is longer than ${apiBodyBytesMax} bytes.`;
  return `${error.message}.`;
}
