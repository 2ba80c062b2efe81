import type { Duplex } from 'node:stream';
import { documentErrorBody } from '../contract/document-error.ts';
import { lookupFailure } from '../contract/lookup-responses.ts';
import { policyErrorBody } from '../contract/policy-error.ts';
import { machineNowMs } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import { errorBody } from './control-api/control-errors.ts';
import { maxHeaderSize, statusNames } from './node-http.ts';

/** What the parser says of a request that it cannot read. */
interface ParserError extends Error {
  readonly code?: string;
  /** What had arrived, unless the request was read before and took too long. */
  readonly rawPacket?: Buffer;
}

const badRequest = 400;
const requestTimeout = 408;
const headersTooLarge = 431;

/** Statuses by what the parser says; anything else is a bad request. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout,
};

/** How much of a request is looked at, in bytes: enough for the beginning of its path. */
const beginningBytes = 256;

/** The id of a request that no one could number. */
const unnumbered = '00000000-0000-4000-8000-000000000000';

/** How each API tells a failure, by the beginning of the request. */
const shapes: readonly { readonly asked: RegExp; readonly body: (status: number, message: string) => object }[] = [
  { asked: /^[A-Z]+ (?:\/s\/[^/ ]+)?\/api\/v2(?:[/?]|$| )/, body: lookupFailure },
  {
    asked: /^[A-Z]+ \/(?:_control\/v1|_metrics)(?:[/?]|$| )/,
    body: (_status, message) => errorBody(new NudgeLabError('bad-request', { message })),
  },
  {
    asked: /^[A-Z]+ (?:\/s\/[^/ ]+)?\/v1\.0(?:[/?]|$| )/,
    body: (status, message) =>
      policyErrorBody({ status, message, problems: [] }, { requestId: unnumbered, dateMs: machineNowMs() }),
  },
  {
    asked: /^[A-Z]+ (?:\/s\/[^/ ]+)?\/api\/v1(?:[/?]|$| )/,
    body: (_status, message) => documentErrorBody(new NudgeLabError('bad-request', { message })),
  },
];

/**
 * Answers a request that the parser refuses, and closes its connection. Each API tells it in its own shape; an address that is
 * longer than any server reads holds a parameter that is too long (L2). Takes the error and the connection.
 */
export function answerUnreadable(error: ParserError, connection: Duplex): void {
  if (error.code === 'ECONNRESET' || !connection.writable) {
    connection.destroy();
    return;
  }
  const status = statuses[error.code ?? ''] ?? badRequest;
  const packet = error.rawPacket?.toString('latin1') ?? '';
  const beginning = packet.slice(0, beginningBytes);
  const shape = shapes.find(({ asked }) => asked.test(beginning));
  const isAddress = shape !== undefined && status === headersTooLarge && isMostlyAddress(packet);
  const told = isAddress ? badRequest : status;
  const message = isAddress ? 'The parameters are too long.' : 'The request is not well formed.';
  send(connection, told, shape === undefined ? '' : JSON.stringify(shape.body(told, message)));
}

/** Whether the first line takes more than half of what a server reads before the body. */
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
