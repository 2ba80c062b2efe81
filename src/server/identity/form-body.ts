import type { IncomingMessage } from 'node:http';
import { NudgeLabError } from '../../core/errors.ts';
import { formBodyBytesMax } from '../../core/limits.ts';
import { bodyBytes } from '../body-bytes.ts';

const formMediaType = 'application/x-www-form-urlencoded';

/**
 * Reads the body of a form.
 *
 * @throws NudgeLabError `unsupported-media-type`, `payload-too-large`, or `bad-request` if the client disconnects
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== formMediaType || request.headers['content-encoding'] !== undefined) {
    throw new NudgeLabError('unsupported-media-type', { message: `Send forms as ${formMediaType}, uncompressed.` });
  }
  return new URLSearchParams((await bodyBytes(request, formBodyBytesMax)).toString());
}
