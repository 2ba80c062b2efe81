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
    if (bytes > formBodyBytesMax) {
      throw new NudgeLabError('payload-too-large', {
        message: `The body is longer than ${formBodyBytesMax} bytes.`,
        headers: { Connection: 'close' },
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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
