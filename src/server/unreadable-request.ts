import type { Duplex } from 'node:stream';
import { documentErrorBody } from '../contract/document-error.ts';
import { lookupFailure } from '../contract/lookup-responses.ts';
import { policyErrorBody } from '../contract/policy-error.ts';
import { machineNowMs } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { errorBody } from './control-api/control-errors.ts';
import { maxHeaderSize, statusNames } from './node-http.ts';

/** Error of the HTTP parser for a request that it cannot parse. */
interface ParserError extends Error {
  readonly code?: string;
  /** Received data. Absent if the request was already parsed but timed out. */
  readonly rawPacket?: Buffer;
}

const badRequest = 400;
const requestTimeout = 408;
const headersTooLarge = 431;

/** Status codes by parser error. All other errors are 400. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout,
};

/** Number of bytes of a request that are inspected, enough for the start of its path. */
const beginningBytes = 256;

/** Request id in errors of requests that could not be numbered. */
const unnumbered = '00000000-0000-4000-8000-000000000000';

/** Error formats of the APIs by the start of the request. */
const shapes: readonly { readonly start: RegExp; readonly body: (status: number, message: string) => object }[] = [
  { start: /^[A-Z]+ (?:\/s\/[^/ ]+)?\/api\/v2(?:[/?]|$| )/, body: lookupFailure },
  {
    start: /^[A-Z]+ \/(?:_control\/v1|_metrics)(?:[/?]|$| )/,
    body: (_status, message) => errorBody(new NudgeLabError('bad-request', { message })),
  },
  {
    start: /^[A-Z]+ (?:\/s\/[^/ ]+)?\/(?:v1\.0|beta)(?:[/?]|$| )/,
    body: (status, message) =>
      policyErrorBody({ status, message, problems: [] }, { requestId: unnumbered, dateMs: machineNowMs() }),
  },
  {
    start: /^[A-Z]+ (?:\/s\/[^/ ]+)?\/api\/v1(?:[/?]|$| )/,
    body: (_status, message) => documentErrorBody(new NudgeLabError('bad-request', { message })),
  },
];

/**
 * Sends an error for a request that the parser rejects and closes its connection. The error has the format of the
 * requested API. A URL that exceeds the size limit counts as a parameter that is too long (L2).
 */
export function answerUnreadable(error: ParserError, connection: Duplex): void {
  if (error.code === 'ECONNRESET' || !connection.writable) {
    connection.destroy();
    return;
  }
  const status = statuses[error.code ?? ''] ?? badRequest;
  const packet = error.rawPacket?.toString('latin1') ?? '';
  const beginning = packet.slice(0, beginningBytes);
  const shape = shapes.find(({ start }) => start.test(beginning));
  const isAddress = shape !== undefined && status === headersTooLarge && isMostlyAddress(packet);
  const responseStatus = isAddress ? badRequest : status;
  const message = isAddress ? 'The parameters are too long.' : 'The request is malformed.';
  send(connection, responseStatus, shape === undefined ? '' : JSON.stringify(shape.body(responseStatus, message)));
}

/** Returns `true` if the first line takes more than half of the maximum header size. */
function isMostlyAddress(packet: string): boolean {
  const end = packet.indexOf('\r\n');
  return end === -1 || end > maxHeaderSize / 2;
}

function send(connection: Duplex, status: number, body: string): void {
  const type = body === '' ? '' : 'Content-Type: application/json; charset=utf-8\r\n';
  connection.end(
    `HTTP/1.1 ${status} ${statusNames[status]}\r\n${type}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
