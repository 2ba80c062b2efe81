import { hash } from 'node:crypto';

/** Computes a short, stable digest of a text: the first 16 hex digits of the SHA-256 hash of its UTF-8 bytes. */
export function computeDigest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}

/** Computes the SHA-256 hash of the UTF-8 bytes of a text in hex digits. */
export function computeSha256(text: string): string {
  return hash('sha256', text, 'hex');
}
