/** Days and months of the UTC calendar. Times are in milliseconds since the epoch. */

const dayMs = 86_400_000;

/** Weekdays in the order of their numbers. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** Returns the start of the UTC day that contains a time. */
export function dayStartMs(atMs: number): number {
  return Math.floor(atMs / dayMs) * dayMs;
}

/** Returns the start of the next UTC day after a time. */
export function nextDayStartMs(atMs: number): number {
  return dayStartMs(atMs) + dayMs;
}

/** Returns the start of the UTC month that contains a time. */
export function monthStartMs(atMs: number): number {
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** Returns the start of the next UTC month after a time. */
export function nextMonthStartMs(atMs: number): number {
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** Returns the weekday of a time: 0 is Monday, 6 is Sunday. */
export function getWeekday(atMs: number): number {
  // The epoch was a Thursday.
  return (((dayStartMs(atMs) / dayMs + 3) % 7) + 7) % 7;
}
