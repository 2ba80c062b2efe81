import type { ErrorRequestHandler, Response } from 'express';
import { policyFailure } from '../../contract/policy-error.ts';
import { machineNowMs } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import type { PolicyResponse } from '../../sandbox/policy-service.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { type FaultListener, reportFault } from '../faults.ts';
import { getSandbox } from '../resolve-sandbox.ts';

const mediaType = 'application/json; charset=utf-8';

/** Number of responses in this process. It serves as the request id, in the format that clients expect. */
let answers = 0;

const numberDigits = 12;

function nextRequestId(): string {
  answers += 1;
  return `00000000-0000-4000-8000-${answers.toString(16).padStart(numberDigits, '0')}`;
}

/** Sends a response of the service with additional headers. */
export function sendAnswer(
  response: Response,
  { status, bytes, etag }: PolicyResponse,
  headers: Readonly<Record<string, string>> = {},
): void {
  const always = { ETag: etag, 'Cache-Control': 'no-cache', 'request-id': nextRequestId(), ...headers };
  if (bytes === null) {
    response.writeHead(status, always).end();
    return;
  }
  response.writeHead(status, { ...always, 'Content-Type': mediaType, 'Content-Length': bytes.length });
  response.end(bytes);
}

/** Sends the allowed methods of a path without a body. */
export function sendMethods(response: Response, allow: string): void {
  response.writeHead(204, { Allow: allow, 'Accept-Patch': 'application/json', 'request-id': nextRequestId() }).end();
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
    const sandbox = getSandbox(response) as Sandbox | undefined;
    const requestId = nextRequestId();
    const { status, headers, body } = policyFailure(expected ? error : new NudgeLabError('internal-error'), {
      requestId,
      dateMs: sandbox?.clock.nowMs() ?? machineNowMs(),
    });
    const bytes = Buffer.from(JSON.stringify(body));
    const always = { 'Content-Type': mediaType, 'Content-Length': bytes.length, 'request-id': requestId };
    response.writeHead(status, { ...headers, ...always });
    response.end(bytes);
  };
}
