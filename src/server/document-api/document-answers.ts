import type { ErrorRequestHandler, Request, Response } from 'express';
import { documentErrorBody } from '../../contract/document-error.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { retryAfterDefaultSeconds } from '../../core/limits.ts';
import type { DocumentResponse } from '../../sandbox/documents/document-exchange.ts';
import { type FaultListener, reportFault } from '../faults.ts';

const jsonType = 'application/json';
const tooManyRequests = 429;
const serviceUnavailable = 503;

/**
 * CORS header for readable responses. Pages of other sites, such as document viewers, may display public documents.
 * Reading needs no cookie, and private documents need a token that the page must have.
 */
const readableElsewhere = { 'Access-Control-Allow-Origin': '*' };

/** Sends a response of the service. A HEAD request receives only the content length. */
export function sendDocumentAnswer(
  request: Request,
  response: Response,
  { status, headers, body }: DocumentResponse,
): void {
  const length = body === null ? {} : { 'Content-Length': body.length };
  response.writeHead(status, { ...readableElsewhere, ...preflight(request), ...headers, ...length });
  if (body === null || request.method === 'HEAD') response.end();
  else response.end(body);
}

/** Returns the preflight headers that a browser needs before it sends a token or a body from another site. */
function preflight({ method, headers }: Request): Readonly<Record<string, string>> {
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return {};
  return {
    'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS, PUT, PATCH',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-Match, If-None-Match, Range',
    'Access-Control-Expose-Headers': 'Allow, ETag, Content-Range',
  };
}

/** Creates the error handler of the document records API. Unexpected errors are reported and sent without details. */
export function documentErrors(onFault: FaultListener = () => undefined): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const expected = findExpected(error);
    reportFault(onFault, request, expected ?? error);
    if (response.headersSent) {
      next(error);
      return;
    }
    send(request, response, expected ?? new NudgeLabError('internal-error'), findStatus(error));
  };
}

/** Sends the error response of an injected fault. */
export function sendDocumentFailure(
  status: number,
  message: string,
  response: Response,
  headers: Readonly<Record<string, string>>,
): void {
  const body = Buffer.from(JSON.stringify({ detail: message }));
  const always = { ...readableElsewhere, 'Content-Type': jsonType, Vary: 'Accept', 'Content-Length': body.length };
  response.writeHead(status, { ...always, ...headers }).end(body);
}

function send(request: Request, response: Response, error: NudgeLabError, status: number | null): void {
  const code = status ?? error.status;
  const body = Buffer.from(JSON.stringify(documentErrorBody(error)));
  const waits = code === tooManyRequests || code === serviceUnavailable;
  const always = {
    ...readableElsewhere,
    ...(waits ? { 'Retry-After': String(retryAfterDefaultSeconds) } : {}),
    'Content-Type': jsonType,
    Vary: 'Accept',
    'Content-Length': body.length,
  };
  response.writeHead(code, { ...error.headers, ...always });
  response.end(request.method === 'HEAD' ? undefined : body);
}

const rangeNotSatisfiable = 416;

/** Returns the status of an Express error that the error table does not contain. */
function findStatus(error: unknown): number | null {
  const status = error instanceof Error && 'status' in error ? error.status : null;
  return status === rangeNotSatisfiable ? rangeNotSatisfiable : null;
}

/** Converts failures, including those of Express, to expected errors. Returns `null` for a bug in the simulator. */
function findExpected(error: unknown): NudgeLabError | null {
  if (error instanceof NudgeLabError) return error;
  if (!(error instanceof Error && 'status' in error && typeof error.status === 'number')) return null;
  if (error.status === rangeNotSatisfiable) {
    const headers = 'headers' in error ? (error.headers as Readonly<Record<string, string>> | undefined) : undefined;
    return new NudgeLabError('bad-request', {
      message: 'The requested range is outside the file.',
      headers: headers ?? {},
    });
  }
  if (error.status >= 500) return null;
  const missing = error.status === 404;
  return new NudgeLabError(missing ? 'not-found' : 'bad-request', { message: `${error.message}.`, cause: error });
}
