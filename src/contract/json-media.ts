import { NudgeLabError } from '../core/errors.ts';

/** Request headers that describe the body, with names in lower case. */
export interface MediaHeaders {
  readonly 'content-type'?: string | undefined;
  readonly 'content-encoding'?: string | undefined;
}

const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/**
 * Rejects policy API requests whose headers declare a body other than uncompressed UTF-8 JSON.
 *
 * @throws NudgeLabError `unsupported-media-type` for any other declared body
 */
export function refuseOtherMedia({ 'content-type': type, 'content-encoding': encoding }: MediaHeaders): void {
  const mediaType = type?.split(';', 1)[0]?.trim().toLowerCase();
  const characters = type === undefined ? undefined : charset.exec(type)?.[1]?.toLowerCase();
  const plain = encoding === undefined || encoding.trim().toLowerCase() === 'identity';
  if (mediaType === 'application/json' && (characters ?? 'utf-8') === 'utf-8' && plain) return;
  throw new NudgeLabError('unsupported-media-type', {
    message: 'Send the body as application/json, in UTF-8 and uncompressed.',
    headers: { 'Accept-Patch': 'application/json' },
  });
}
