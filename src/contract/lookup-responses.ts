import type { NudgeLabError } from '../core/errors.ts';
import type { QuotaWindow } from '../core/quota-windows.ts';
import type { LookupSettings } from './lookup.schema.ts';

/** Body of every error response of the lookup API (L7). `code` is always the HTTP status. */
export interface LookupFailure {
  readonly success: false;
  readonly error: string;
  readonly code: number;
}

/** Creates the error body for a status and a human-readable message. */
export function lookupFailure(status: number, message: string): LookupFailure {
  return { success: false, error: message, code: status };
}

/**
 * Serializes a value to JSON that contains only ASCII characters and escapes all others. Such a text has as many bytes
 * as characters and is sent in half the time.
 */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Converts an expected error to a response body of the lookup API. */
export function toLookupFailure({ status, publicMessage: message }: NudgeLabError): LookupFailure {
  return lookupFailure(status, message);
}

/**
 * Converts a reset time to the unit that the fixture sets. Fractions of a second are rounded up.
 *
 * @param unit - unit of the result
 * @param resetMs - reset time in milliseconds since the epoch
 * @param nowMs - current time in milliseconds since the epoch
 */
export function resetIn(unit: LookupSettings['resetUnit'], resetMs: number, nowMs: number): number {
  switch (unit) {
    case 'epoch_s':
      return Math.ceil(resetMs / 1000);
    case 'epoch_ms':
      return resetMs;
    case 'delta_s':
      return Math.ceil((resetMs - nowMs) / 1000);
  }
}

/** Creates the quota headers (L9). Callers without limits get none. */
export function quotaHeaders(
  window: QuotaWindow | null,
  unit: LookupSettings['resetUnit'],
  nowMs: number,
): Readonly<Record<string, string>> {
  if (window === null) return {};
  return {
    'X-RateLimit-Limit': String(window.limit),
    'X-RateLimit-Remaining': String(window.remaining),
    'X-RateLimit-Reset': String(resetIn(unit, window.resetMs, nowMs)),
  };
}
