import type { IncomingMessage } from 'node:http';
import { NudgeLabError } from '../../core/errors.ts';

/**
 * Reads a whole body, bounded while it is read; what is beyond the limit is read and dropped, so that the client gets to see the
 * answer. Takes the limit in bytes. Throws `payload-too-large`, and `bad-request` for a body that breaks off.
 */
export function bodyBytes(request: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const chunks: Buffer[] = [];
  let length = 0;
  const refuse = (): void =>
    reject(new NudgeLabError('payload-too-large', { message: `The body is longer than ${bytesMax} bytes.` }));
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) refuse();
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= bytesMax) chunks.push(chunk);
    else {
      chunks.length = 0;
      refuse();
    }
  });
  request.on('end', () => resolve(Buffer.concat(chunks)));
  request.on('error', (cause) => reject(new NudgeLabError('bad-request', { message: 'The body broke off.', cause })));
  return promise;
}
