import { createHmac, type KeyObject } from 'node:crypto';

/** Purposes of an HMAC. An HMAC created for one purpose is not valid for another. */
export const hmacPurposes = [
  'application-form',
  'console-form',
  'console-session',
  'console-sign-out-form',
  'directory-page',
  'directory-passkey',
  'document-file',
  'dpop-nonce',
  'failed-attempts',
  'hand-over',
  'log-page',
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
 * Computes an HMAC-SHA256 in base64url that only the holder of the key can create. It covers the purpose and all
 * parts, which are encoded unambiguously.
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

/** Parses an instant in milliseconds that a browser sends back. Returns `null` if the text is invalid. */
export function parseInstantMs(text: string): number | null {
  return wholeMs.test(text) ? Number(text) : null;
}

/**
 * Checks whether something created at an instant is still within its lifetime. The result is `false` for `null` and
 * for an instant in the future.
 */
export function isWithinLifetime(madeAtMs: number | null, nowMs: number, lifetimeMs: number): boolean {
  return madeAtMs !== null && madeAtMs <= nowMs && nowMs - madeAtMs <= lifetimeMs;
}
