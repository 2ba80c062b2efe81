import type { IncomingMessage } from 'node:http';
import { NudgeLabError } from '../../core/errors.ts';
import { apiBodyBytesMax } from '../../core/limits.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a request as JSON. Its size is bounded while it is read, whatever the client says of it in advance; what
 * is beyond the limit is read and dropped, so that the client gets to see the answer. Throws `unsupported-media-type`,
 * `payload-too-large` and `bad-request`.
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  refuseOtherMedia(request);
  const bytes = await readBytes(request);
  if (bytes.length === 0) throw notJson('it is empty');
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw notJson('it is not in UTF-8', cause);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw notJson(cause instanceof Error ? cause.message : 'it cannot be parsed', cause);
  }
}

/** Resolves with the whole body once it has arrived. */
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
  request.on('error', (cause) => reject(new NudgeLabError('bad-request', { message: 'The body broke off.', cause })));
  return promise;
}

const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** A body says that it is JSON, in UTF-8 and uncompressed; no body at all says nothing. */
function refuseOtherMedia({ headers }: IncomingMessage): void {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = headers;
  if (type === undefined && headers['transfer-encoding'] === undefined && (length === undefined || length === '0'))
    return;
  const mediaType = type?.split(';', 1)[0]?.trim().toLowerCase();
  const characters = type === undefined ? undefined : charset.exec(type)?.[1]?.toLowerCase();
  const plain = encoding === undefined || encoding.trim().toLowerCase() === 'identity';
  if (mediaType === 'application/json' && (characters ?? 'utf-8') === 'utf-8' && plain) return;
  throw new NudgeLabError('unsupported-media-type', {
    message: 'The body is sent as application/json, in UTF-8 and uncompressed.',
    headers: { 'Accept-Patch': 'application/json' },
  });
}

function tooLarge(): NudgeLabError {
  return new NudgeLabError('payload-too-large', { message: `The body is longer than ${apiBodyBytesMax} bytes.` });
}

function notJson(reason: string, cause?: unknown): NudgeLabError {
  return new NudgeLabError('bad-request', { message: `The body is not a JSON object: ${reason}.`, cause });
}
