import type { NudgeLabError } from '../core/errors.ts';
import type { QuotaWindow } from '../core/quota-windows.ts';
import type { LookupSettings } from './lookup.schema.ts';

/** The body of every failure of the lookup API (L7); `code` is the status, whatever it is. */
export interface LookupFailure {
  readonly success: false;
  readonly error: string;
  readonly code: number;
}

/** The failure of a status. Takes what a person reads. */
export function lookupFailure(status: number, message: string): LookupFailure {
  return { success: false, error: message, code: status };
}

/**
 * A value as JSON in ASCII alone: other letters are escaped, so that the text has as many bytes as characters. A text of one
 * byte a character is sent in half the time.
 */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The failure that an expected error is told as. */
export function toLookupFailure({ status, publicMessage: message }: NudgeLabError): LookupFailure {
  return lookupFailure(status, message);
}

/** A moment in the unit of a fixture. Takes ms since the epoch; parts of a second count as a whole one. */
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

/** The headers about a quota (L9); none for a caller without limits. */
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
