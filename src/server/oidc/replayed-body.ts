import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { NudgeLabError } from '../../core/errors.ts';
import { formBodyBytesMax } from '../../core/limits.ts';

/** Reads a body whole. Throws `payload-too-large`. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > formBodyBytesMax) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * The request with a body that is not too long: as it is where its length is announced, else with the body read. The provider has a
 * limit of its own, and calls a body beyond it one that cannot be parsed. Throws `payload-too-large`.
 */
export async function withBoundedBody(request: IncomingMessage): Promise<IncomingMessage> {
  const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
  if (Number(length ?? 0) > formBodyBytesMax) throw tooLarge();
  return transfer === undefined ? request : withBody(request, await readBody(request));
}

/** The rest of the body is not read, so the connection cannot carry another request. */
function tooLarge(): NudgeLabError {
  return new NudgeLabError('payload-too-large', {
    message: `The body is longer than ${formBodyBytesMax} bytes.`,
    headers: { Connection: 'close' },
  });
}

/** A request whose body was read, with a body to be read in its place; all else is the request's own. */
export function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
  const source = Readable.from([body]);
  const headers = { ...request.headers, 'content-length': String(body.length) };
  delete headers['transfer-encoding'];
  return Object.create(request, {
    headers: { value: headers },
    readable: { value: true },
    iterator: { value: () => source[Symbol.asyncIterator]() },
    [Symbol.asyncIterator]: { value: () => source[Symbol.asyncIterator]() },
  });
}
