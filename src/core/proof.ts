import { createHmac } from 'node:crypto';

/** A proof that whoever holds a key has agreed to some parts, which do not run into each other: HMAC-SHA256 as base64url. */
export function proofOf(key: string, ...parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}
