import { NudgeLabError } from '../core/errors.ts';

/** What a request says of its body, by the names of headers in lower case. */
export interface MediaHeaders {
  readonly 'content-type'?: string | undefined;
  readonly 'content-encoding'?: string | undefined;
}

const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** Holds a body of the policy API to what it says of itself: JSON, in UTF-8 and uncompressed. Throws `unsupported-media-type`. */
export function refuseOtherMedia({ 'content-type': type, 'content-encoding': encoding }: MediaHeaders): void {
  const mediaType = type?.split(';', 1)[0]?.trim().toLowerCase();
  const characters = type === undefined ? undefined : charset.exec(type)?.[1]?.toLowerCase();
  const plain = encoding === undefined || encoding.trim().toLowerCase() === 'identity';
  if (mediaType === 'application/json' && (characters ?? 'utf-8') === 'utf-8' && plain) return;
  throw new NudgeLabError('unsupported-media-type', {
    message: 'The body is sent as application/json, in UTF-8 and uncompressed.',
    headers: { 'Accept-Patch': 'application/json' },
  });
}
