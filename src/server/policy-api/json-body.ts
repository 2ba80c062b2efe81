import type { IncomingMessage } from 'node:http';
import { refuseOtherMedia } from '../../contract/json-media.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { apiBodyBytesMax } from '../../core/limits.ts';
import { bodyBytes } from '../body-bytes.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a request as JSON.
 *
 * @throws NudgeLabError `unsupported-media-type`, `payload-too-large`, or `bad-request`
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
  // A request without a body needs no media type.
  const absent = transfer === undefined && (length === undefined || length === '0');
  if (!absent || request.headers['content-type'] !== undefined) refuseOtherMedia(request.headers);
  const bytes = await bodyBytes(request, apiBodyBytesMax);
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

function notJson(reason: string, cause?: unknown): NudgeLabError {
  return new NudgeLabError('bad-request', { message: `The body is not a JSON object: ${reason}.`, cause });
}
