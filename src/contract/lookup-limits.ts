import type { WindowLimit } from '../core/quota-windows.ts';
import type { LookupTier } from './lookup.schema.ts';

/** Rate limits of a token: 30 requests per minute and 1,000 per month (L8). */
export const tokenWindows: readonly WindowLimit[] = [
  { name: 'minute', limit: 30 },
  { name: 'month', limit: 1_000 },
];

/** Rate limits of an account with Basic authentication, by tier (L8). */
export const basicWindows: Readonly<Record<LookupTier, readonly WindowLimit[]>> = {
  free: [{ name: 'day', limit: 5 }],
  premium: [{ name: 'day', limit: 50 }],
  unlimited: [],
};
