import type { WindowLimit } from '../core/quota-windows.ts';
import type { LookupTier } from './lookup.schema.ts';

/** What a token may ask: 30 a minute and 1,000 a month (L8). */
export const tokenWindows: readonly WindowLimit[] = [
  { name: 'minute', limit: 30 },
  { name: 'month', limit: 1_000 },
];

/** What an account may ask by Basic authentication, by its tier (L8). */
export const basicWindows: Readonly<Record<LookupTier, readonly WindowLimit[]>> = {
  free: [{ name: 'day', limit: 5 }],
  premium: [{ name: 'day', limit: 50 }],
  unlimited: [],
};
