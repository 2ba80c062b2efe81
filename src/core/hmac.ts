import { createHmac, type KeyObject } from 'node:crypto';

/** Lists what seals are made for. A seal that was made for one purpose proves nothing for any other. */
export const hmacPurposes = [
  'application-form',
  'console-form',
  'console-session',
  'console-sign-out-form',
  'document-file',
  'failed-attempts',
  'lookup-form',
  'lookup-session',
  'page-challenge',
  'passkey-challenge',
  'security-info-form',
  'sign-in',
  'signed-in-session',
] as const;

export type HmacPurpose = (typeof hmacPurposes)[number];

/**
 * Computes a seal that only the holder of a key can make: HMAC-SHA256 as base64url, over the purpose and parts that do not run
 * into each other.
 */
export function computeHmac(
  key: string | KeyObject,
  purpose: HmacPurpose,
  ...parts: readonly (string | number | null)[]
): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([purpose, ...parts]))
    .digest('base64url');
}

const wholeMs = /^-?\d{1,15}$/;

/** Parses an instant in ms that a browser sends back. Returns `null` for text that is no instant. */
export function parseInstantMs(text: string): number | null {
  return wholeMs.test(text) ? Number(text) : null;
}

/** Checks whether a seal that was made at an instant still holds. An instant that is none, or lies ahead, never holds. */
export function isWithinLifetime(madeAtMs: number | null, nowMs: number, lifetimeMs: number): boolean {
  return madeAtMs !== null && madeAtMs <= nowMs && nowMs - madeAtMs <= lifetimeMs;
}
