import type { Duplex } from 'node:stream';
import { lookupFailure } from '../contract/lookup-answers.ts';
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

const asksLookupApi = /^[A-Z]+ (?:\/s\/[^/ ]+)?\/api\/v2(?:[/?]|$| )/;

/**
 * Answers a request that the parser refuses, and closes its connection. The lookup API tells it in its own shape; an address
 * that is longer than any server reads holds a parameter that is too long (L2). Takes the error and the connection.
 */
export function answerUnreadable(error: ParserError, connection: Duplex): void {
  if (error.code === 'ECONNRESET' || !connection.writable) {
    connection.destroy();
    return;
  }
  const status = statuses[error.code ?? ''] ?? badRequest;
  const packet = error.rawPacket?.toString('latin1') ?? '';
  if (!asksLookupApi.test(packet.slice(0, beginningBytes))) return send(connection, status, '');
  const isAddress = status === headersTooLarge && isMostlyAddress(packet);
  const told = isAddress ? badRequest : status;
  const message = isAddress ? 'The parameters are too long.' : 'The request is not well formed.';
  send(connection, told, JSON.stringify(lookupFailure(told, message)));
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
