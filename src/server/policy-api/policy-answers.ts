import type { ErrorRequestHandler, Response } from 'express';
import { getDialect, getErrorArea } from '../../contract/directory-api/dialect.ts';
import { policyFailure, type RequestMark } from '../../contract/policy-error.ts';
import { machineNowMs } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { withoutAnnotations } from '../../sandbox/directory-api/accepted-json.ts';
import { jsonMediaType, plainJsonMediaType } from '../../sandbox/directory-api/directory-exchange.ts';
import { type PolicyResponse, toPolicyHeaders } from '../../sandbox/policy-service.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { createApiHeaders, preflightHeaders } from '../directory-api/api-headers.ts';
import { type FaultListener, reportFault } from '../faults.ts';
import { getSandbox } from '../resolve-sandbox.ts';

/**
 * Sends a response of the service.
 *
 * @param isPlain - `true` leaves out annotations
 */
export function sendAnswer(response: Response, answer: PolicyResponse, isPlain: boolean): void {
  const { status, bytes: complete } = answer;
  const always = { ...createApiHeaders(response.req), ...toPolicyHeaders(answer) };
  const bytes = isPlain && complete !== null ? dropAnnotations(complete) : complete;
  if (bytes === null) {
    response.writeHead(status, always).end();
    return;
  }
  const type = isPlain ? plainJsonMediaType : jsonMediaType;
  response.writeHead(status, { ...always, 'Content-Type': type, 'Content-Length': bytes.length });
  response.end(bytes);
}

function dropAnnotations(json: Buffer): Buffer {
  return Buffer.from(JSON.stringify(withoutAnnotations(JSON.parse(json.toString()))));
}

/** Sends the allowed methods of a path without a body. */
export function sendMethods(response: Response, allow: string): void {
  const headers = { ...createApiHeaders(response.req), 'Access-Control-Allow-Methods': allow, Allow: allow };
  response.writeHead(204, { ...headers, ...preflightHeaders, 'Accept-Patch': 'application/json' }).end();
}

/** Returns the time and the dialect of a sandbox. Its state may be lost, which is then the error to report. */
function describeSandbox(sandbox: Sandbox | undefined): Pick<RequestMark, 'dateMs' | 'dialect'> {
  try {
    if (sandbox !== undefined) {
      return { dateMs: sandbox.clock.nowMs(), dialect: getDialect(sandbox.directory.settings()) };
    }
  } catch (error) {
    if (!(error instanceof NudgeLabError)) throw error;
  }
  return { dateMs: machineNowMs() };
}

/**
 * Creates the error handler of the policy API, which uses the virtual clock of the requested sandbox. Unexpected errors
 * are reported to the listener and sent as internal errors without details.
 */
export function policyErrors(onFault: FaultListener = () => undefined): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const expected = error instanceof NudgeLabError;
    reportFault(onFault, request, error);
    if (response.headersSent) {
      next(error);
      return;
    }
    const always = createApiHeaders(request);
    const { status, headers, body } = policyFailure(expected ? error : new NudgeLabError('internal-error'), {
      requestId: always['request-id'],
      clientRequestId: always['client-request-id'],
      ...describeSandbox(getSandbox(response)),
      area: getErrorArea(request.originalUrl.split('?', 1)[0] ?? ''),
    });
    const bytes = Buffer.from(JSON.stringify(body));
    const type = { 'Content-Type': jsonMediaType, 'Content-Length': bytes.length };
    response.writeHead(status, { ...headers, ...always, ...type });
    response.end(bytes);
  };
}
