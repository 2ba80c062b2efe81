import type { ErrorRequestHandler, Response } from 'express';
import { asciiJson, lookupFailure } from '../../contract/lookup-responses.ts';
import { afterDelay } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { requestTimeoutMs } from '../../core/limits.ts';
import type { LookupResponse } from '../../sandbox/lookup/lookup-engine.ts';
import { cutMidBody } from '../cut-connection.ts';
import { type FaultListener, reportFault } from '../faults.ts';

/** Headers of every response of the lookup API. */
const always = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };

/** Sends a response after applying the faults for its transmission. */
export function sendLookupAnswer(response: Response, answer: LookupResponse): void {
  const { delayMs, end } = answer.effect;
  if (delayMs === 0 && end === 'answer') return send(response, answer);
  const act = () => {
    if (end === 'cut') cutMidBody(response);
    send(response, answer);
  };
  const cancel = end === 'hang' ? hang(response) : afterDelay(delayMs, act);
  response.once('close', cancel);
}

/** Sends no response. A client without its own timeout is disconnected at the timeout of the server. */
function hang(response: Response): () => void {
  return afterDelay(requestTimeoutMs, () => response.destroy());
}

function send(
  response: Response,
  { status, headers, text }: Pick<LookupResponse, 'status' | 'headers' | 'text'>,
): void {
  response.writeHead(status, { ...always, ...headers, 'Content-Length': text.length });
  response.end(text, 'latin1');
}

/** Sends an error response in the format of this API (L7), with additional headers. */
export function sendLookupFailure(
  status: number,
  message: string,
  response: Response,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(response, { status, headers, text: asciiJson(lookupFailure(status, message)) });
}

const badRequest = 400;

/**
 * Creates the error handler of the lookup API (L7, L10). Unexpected errors are reported to the listener and sent
 * without details.
 */
export function lookupErrors(onFault: FaultListener = () => undefined): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const malformed = isMalformedAddress(error);
    if (!malformed) reportFault(onFault, request, error);
    if (response.headersSent) {
      next(error);
      return;
    }
    if (malformed) return sendLookupFailure(badRequest, 'The URL is malformed.', response);
    const { status, publicMessage, headers } =
      error instanceof NudgeLabError ? error : new NudgeLabError('internal-error');
    sendLookupFailure(status, publicMessage, response, headers);
  };
}

/** Returns `true` for a path that cannot be decoded, which Express detects before any route. */
function isMalformedAddress(error: unknown): boolean {
  return error instanceof URIError || (error instanceof Error && 'status' in error && error.status === badRequest);
}
