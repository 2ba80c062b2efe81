import type { IncomingMessage } from 'node:http';
import { NudgeLabError } from '../../core/errors.ts';
import { formBodyBytesMax } from '../../core/limits.ts';

const formMediaType = 'application/x-www-form-urlencoded';

/**
 * Reads the body of a form. The size limit is enforced while reading, regardless of the declared length.
 *
 * @throws NudgeLabError `unsupported-media-type`, `payload-too-large`, or `bad-request` if the client disconnects
 */
export function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  refuseOtherMedia(request);
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= formBodyBytesMax) chunks.push(chunk);
    else reject(tooLarge());
  });
  request.on('end', () => resolve(new URLSearchParams(Buffer.concat(chunks).toString())));
  request.on('error', (cause) =>
    reject(new NudgeLabError('bad-request', { message: 'The form was interrupted before its end.', cause })),
  );
  return promise;
}

function refuseOtherMedia({ headers }: IncomingMessage): void {
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== formMediaType || headers['content-encoding'] !== undefined) {
    throw new NudgeLabError('unsupported-media-type', { message: `Send forms as ${formMediaType}, uncompressed.` });
  }
  if (Number(headers['content-length'] ?? 0) > formBodyBytesMax) throw tooLarge();
}

/** Creates the error for oversized forms. It closes the connection because the remaining body is not read. */
function tooLarge(): NudgeLabError {
  return new NudgeLabError('payload-too-large', {
    message: `The form is larger than ${formBodyBytesMax} bytes, the maximum.`,
    headers: { Connection: 'close' },
  });
}
