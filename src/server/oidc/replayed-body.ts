import type { IncomingMessage } from 'node:http';
import { NudgeLabError } from '../../core/errors.ts';
import { formBodyBytesMax } from '../../core/limits.ts';
import { bodyBytes } from '../body-bytes.ts';

/**
 * Reads an entire body. Throws `payload-too-large` if it exceeds the limit. The excess is discarded, so the client can
 * receive the response.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > formBodyBytesMax) break;
    chunks.push(chunk);
  }
  if (bytes <= formBodyBytesMax) return Buffer.concat(chunks);
  request.resume();
  throw tooLarge();
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
  return Object.create(request, { headers: { value: headers }, ...describeReading(body) });
}

/** Lets a request be read again, whose body was already read. Every access to a copy of a request would take longer. */
export function readAgain(request: IncomingMessage, body: Buffer): IncomingMessage {
  return Object.defineProperties(request, describeReading(body));
}

/** Describes the properties of a request by which its body is read. */
function describeReading(body: Buffer): PropertyDescriptorMap {
  const iterator = (): AsyncGenerator<Buffer> => yieldOnce(body);
  return { readable: { value: true }, iterator: { value: iterator }, [Symbol.asyncIterator]: { value: iterator } };
}

async function* yieldOnce(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}
