import { hash } from 'node:crypto';

/** A short, stable digest of a text: SHA-256 of its UTF-8 bytes, the first 16 hex digits. */
export function computeDigest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}

/** SHA-256 of the UTF-8 bytes of a text, in hex digits. */
export function computeSha256(text: string): string {
  return hash('sha256', text, 'hex');
}
