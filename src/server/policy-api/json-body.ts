import type { IncomingMessage } from 'node:http';
import { refuseOtherMedia } from '../../contract/json-media.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { apiBodyBytesMax } from '../../core/limits.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a request as JSON. The size limit is enforced while reading, regardless of the declared length. The
 * excess is read and discarded, so the client can receive the response.
 *
 * @throws NudgeLabError `unsupported-media-type`, `payload-too-large`, or `bad-request`
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
  // A request without a body needs no media type.
  const absent = transfer === undefined && (length === undefined || length === '0');
  if (!absent || request.headers['content-type'] !== undefined) refuseOtherMedia(request.headers);
  const bytes = await readBytes(request);
  if (bytes.length === 0) throw notJson('it is empty');
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw notJson('it is not valid UTF-8', cause);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw notJson(cause instanceof Error ? cause.message : 'it cannot be parsed', cause);
  }
}

/** Resolves with the entire body when it has arrived. */
function readBytes(request: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let length = 0;
  if (Number(request.headers['content-length'] ?? 0) > apiBodyBytesMax) return Promise.reject(tooLarge());
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= apiBodyBytesMax) chunks.push(chunk);
    else reject(tooLarge());
  });
  request.on('end', () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
  request.on('error', (cause) =>
    reject(new NudgeLabError('bad-request', { message: 'The body was interrupted before its end.', cause })),
  );
  return promise;
}

function tooLarge(): NudgeLabError {
  return new NudgeLabError('payload-too-large', { message: `The body is larger than ${apiBodyBytesMax} bytes.` });
}

function notJson(reason: string, cause?: unknown): NudgeLabError {
  return new NudgeLabError('bad-request', { message: `The body is not a JSON object: ${reason}.`, cause });
}
