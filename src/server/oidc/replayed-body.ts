import type { IncomingMessage } from 'node:http';
import { NudgeLabError } from '../../core/errors.ts';
import { formBodyBytesMax } from '../../core/limits.ts';
import { bodyBytes } from '../body-bytes.ts';

/** Bodies of requests that can be read again. */
const readBodies = new WeakMap<IncomingMessage, Buffer>();

/**
 * Reads an entire body, also again. Throws `payload-too-large` if it exceeds the limit, and `bad-request` if the client closes
 * the connection.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const known = readBodies.get(request);
  if (known === undefined) return bodyBytes(request, formBodyBytesMax);
  if (known.length > formBodyBytesMax) throw tooLarge();
  return known;
}

/**
 * Reads a body that declares a small length. Returns `null` for any other body, which is not read, and if the client
 * closes the connection.
 */
export async function readShortBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
  if (transfer !== undefined || length === undefined || Number(length) > bytesMax || !request.readable) return null;
  try {
    return await bodyBytes(request, bytesMax);
  } catch {
    return null;
  }
}

/**
 * Returns a request whose body is within the size limit. The request is unchanged if it declares its length; otherwise,
 * its body is read first. The provider's own limit would report an oversized body as unparsable. Throws
 * `payload-too-large`.
 */
export async function withBoundedBody(request: IncomingMessage): Promise<IncomingMessage> {
  const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
  if (Number(length ?? 0) > formBodyBytesMax) throw tooLarge();
  return transfer === undefined ? request : withBody(request, await readBody(request));
}

function tooLarge(): NudgeLabError {
  return new NudgeLabError('payload-too-large', { message: `The body is larger than ${formBodyBytesMax} bytes.` });
}

/** Returns a copy of a request with another body to read. Everything else is that of the original request. */
export function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
  const headers = { ...request.headers, 'content-length': String(body.length) };
  delete headers['transfer-encoding'];
  return readAgain(Object.create(request, { headers: { value: headers } }), body);
}

/**
 * Lets a request be read again, whose body was already read. The provider reads a request as a stream. Every access to a copy of
 * a request would take longer.
 */
export function readAgain(request: IncomingMessage, body: Buffer): IncomingMessage {
  readBodies.set(request, body);
  const iterator = (): AsyncGenerator<Buffer> => yieldOnce(body);
  return Object.defineProperties(request, {
    readable: { value: true },
    iterator: { value: iterator },
    [Symbol.asyncIterator]: { value: iterator },
  });
}

async function* yieldOnce(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}
