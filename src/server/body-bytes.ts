import type { IncomingMessage } from 'node:http';
import { NudgeLabError } from '../core/errors.ts';

/**
 * Reads a whole body up to a size limit in bytes. The excess is read and discarded, so the client can receive the
 * response. Throws `payload-too-large`, or `bad-request` if the body is incomplete.
 */
export function bodyBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  // A small body usually arrives together with the headers. Reading it takes less time than listening for its parts.
  const arrived = declared > bytesMax ? null : (request.read() as Buffer | null);
  if (arrived !== null && arrived.length === declared) return Promise.resolve(arrived);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  const refuse = (): void =>
    reject(new NudgeLabError('payload-too-large', { message: `The body is larger than ${bytesMax} bytes.` }));
  const take = (chunk: Buffer): void => {
    length += chunk.length;
    if (length <= bytesMax) chunks.push(chunk);
    else {
      chunks.length = 0;
      refuse();
    }
  };
  if (declared > bytesMax) refuse();
  if (arrived !== null) take(arrived);
  request.on('data', take);
  request.on('end', () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
  request.on('error', (cause) =>
    reject(new NudgeLabError('bad-request', { message: 'The body was interrupted before its end.', cause })),
  );
  return promise;
}
