/** Days and months of the UTC calendar, by arithmetic alone. Times are ms since the epoch. */

const dayMs = 86_400_000;

/** When the UTC day of a time begins. */
export function dayStartMs(atMs: number): number {
  return Math.floor(atMs / dayMs) * dayMs;
}

/** When the UTC day after that of a time begins. */
export function nextDayStartMs(atMs: number): number {
  return dayStartMs(atMs) + dayMs;
}

/** When the UTC month of a time begins. */
export function monthStartMs(atMs: number): number {
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** When the UTC month after that of a time begins. */
export function nextMonthStartMs(atMs: number): number {
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** The day of the week of a time: 0 is Monday, 6 is Sunday. */
export function getWeekday(atMs: number): number {
  // The epoch was a Thursday.
  return (((dayStartMs(atMs) / dayMs + 3) % 7) + 7) % 7;
}
