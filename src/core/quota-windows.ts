import { dayStartMs, monthStartMs, nextDayStartMs, nextMonthStartMs } from './utc-calendar.ts';

/**
 * Quota windows on a clock that is passed in: a sliding minute, UTC days and UTC months. All functions depend only
 * on the dates of recorded uses and the time. No date is ever removed, so no window exceeds its limit even if the
 * clock is set back. The limits therefore also limit the stored data per caller.
 */

/** Length of the sliding window in milliseconds. A use no longer counts after exactly this time. */
const slidingWindowMs = 60_000;

/** Reset time of a use that no window ever allows. */
const never = Number.POSITIVE_INFINITY;

export type WindowName = 'minute' | 'day' | 'month';

/** Maximum use in one window. */
export interface WindowLimit {
  readonly name: WindowName;
  readonly limit: number;
}

/** Immutable record of a caller's use. Each new use creates a new record. */
export interface QuotaUse {
  /**
   * Dates of all uses in milliseconds since the epoch: one ascending list per UTC month, with the months in ascending
   * order. A use with cost 2 is listed twice. Separate lists allow a new use to copy only one month.
   */
  readonly months: readonly (readonly number[])[];
}

/** State of one window at one time. */
export interface QuotaWindow {
  readonly name: WindowName;
  readonly limit: number;
  readonly used: number;
  /** Remaining use, never negative. */
  readonly remaining: number;
  /**
   * Time in milliseconds since the epoch when more use becomes available; the end of the period for a day or a month.
   */
  readonly resetMs: number;
}

export const nothingUsed: QuotaUse = { months: [] };

/** Returns the windows of a caller at a given time. */
export function windowsAt(use: QuotaUse, limits: readonly WindowLimit[], nowMs: number): readonly QuotaWindow[] {
  return limits.map(({ name, limit }) => {
    const used = usedIn(use, name, nowMs);
    const resetMs = name === 'minute' ? slidingReset(use, { limit, used, nowMs }) : periodEnd(name, nowMs);
    return { name, limit, used, remaining: Math.max(0, limit - used), resetMs };
  });
}

/**
 * Returns the window with the least remaining use. If two are equal, it is the one that resets later. Returns
 * `null` if there are no windows.
 */
export function tightest(windows: readonly QuotaWindow[]): QuotaWindow | null {
  return windows.reduce<QuotaWindow | null>((tightest, window) => {
    if (tightest === null || window.remaining < tightest.remaining) return window;
    return window.remaining === tightest.remaining && window.resetMs > tightest.resetMs ? window : tightest;
  }, null);
}

/**
 * Finds the window that blocks a use. Its reset is the first time at which every window allows the use. Returns
 * `null` if no window blocks it. If several block it, the one that blocks longest is returned. A cost above the
 * limit itself is never allowed, so its reset is infinite.
 */
export function findExceededWindow(
  use: QuotaUse,
  limits: readonly WindowLimit[],
  nowMs: number,
  cost: number,
): QuotaWindow | null {
  let last = blocking(use, limits, nowMs, cost);
  if (last === null) return null;
  // After one window resets, another can block the use if the clock was set back from a later date.
  for (let next: Blocking | null = last; next !== null; next = blocking(use, limits, last.freeMs, cost)) last = next;
  const { name, limit, freeMs } = last;
  const used = usedIn(use, name, nowMs);
  return { name, limit, used, remaining: Math.max(0, limit - used), resetMs: freeMs };
}

/** Adds a use with its date and cost. The caller has already checked the limits. */
export function recordQuotaUse(use: QuotaUse, limits: readonly WindowLimit[], atMs: number, cost: number): QuotaUse {
  // A caller without limits needs no record.
  if (cost === 0 || limits.length === 0) return use;
  const { months } = use;
  const startMs = monthStartMs(atMs);
  const place = monthAt(months, startMs);
  const added = new Array<number>(cost).fill(atMs);
  const month = months[place];
  if (month === undefined || monthStartMs(month[0] ?? 0) !== startMs)
    return { months: months.toSpliced(place, 0, added) };
  const after = datesBefore(month, atMs + 1);
  // `concat` allocates no spare capacity, which matters with many callers.
  return { months: months.with(place, month.slice(0, after).concat(added, month.slice(after))) };
}

interface Blocking extends WindowLimit {
  /** First time at which this window alone allows the use, in milliseconds since the epoch. */
  readonly freeMs: number;
}

/**
 * Finds the window that blocks a use longest when each is considered separately. If several never allow it, the one
 * with the smallest limit is returned.
 */
function blocking(use: QuotaUse, limits: readonly WindowLimit[], atMs: number, cost: number): Blocking | null {
  let latest: Blocking | null = null;
  for (const { name, limit } of limits) {
    if (cost === 0 || atMs === never || usedIn(use, name, atMs) + cost <= limit) continue;
    const freeMs = cost > limit ? never : name === 'minute' ? freeAt(use, limit, atMs, cost) : periodEnd(name, atMs);
    const isSmaller = freeMs === never && limit < (latest?.limit ?? never);
    if (latest === null || freeMs > latest.freeMs || isSmaller) latest = { name, limit, freeMs };
  }
  return latest;
}

function usedIn(use: QuotaUse, name: WindowName, nowMs: number): number {
  // Uses within one window length count in both directions. Later ones exist only if the clock was set back.
  if (name === 'minute') return countFrom(use, nowMs - slidingWindowMs + 1, nowMs + slidingWindowMs);
  return countFrom(use, name === 'day' ? dayStartMs(nowMs) : monthStartMs(nowMs), periodEnd(name, nowMs));
}

function slidingReset(
  use: QuotaUse,
  { limit, used, nowMs }: Pick<QuotaWindow, 'limit' | 'used'> & { nowMs: number },
): number {
  if (used === 0) return nowMs + slidingWindowMs;
  // An overfull window resets when one more use fits. Any other window resets when its use decreases.
  return freeAt(use, limit, nowMs, Math.max(1, limit - used + 1));
}

/**
 * Returns the first later time at which the sliding minute allows the use, because enough earlier uses have left
 * the window.
 */
function freeAt(use: QuotaUse, limit: number, nowMs: number, cost: number): number {
  let lastMs = nowMs;
  for (const dateMs of datesAfter(use, nowMs - slidingWindowMs)) {
    lastMs = dateMs + slidingWindowMs;
    if (usedIn(use, 'minute', lastMs) + cost <= limit) break;
  }
  return lastMs;
}

/** Yields the dates after a given time in ascending order. */
function* datesAfter({ months }: QuotaUse, afterMs: number): Generator<number> {
  for (let place = monthAt(months, afterMs); place < months.length; place += 1) {
    const month = months[place] ?? [];
    for (let index = datesBefore(month, afterMs); index < month.length; index += 1) {
      const dateMs = month[index] as number;
      if (dateMs > afterMs) yield dateMs;
    }
  }
}

/** Counts the uses in a period. Its end is exclusive. */
function countFrom({ months }: QuotaUse, fromMs: number, untilMs: number): number {
  let count = 0;
  for (let place = monthAt(months, fromMs); place < months.length; place += 1) {
    const month = months[place] ?? [];
    if ((month[0] ?? 0) >= untilMs) break;
    count += datesBefore(month, untilMs) - datesBefore(month, fromMs);
  }
  return count;
}

/** Returns the index of the first month that is not before the month of a given time. */
function monthAt(months: QuotaUse['months'], atMs: number): number {
  const startMs = monthStartMs(atMs);
  return bisect(months.length, (index) => (months[index]?.[0] ?? 0) < startMs);
}

function datesBefore(month: readonly number[], beforeMs: number): number {
  return bisect(month.length, (index) => (month[index] ?? 0) < beforeMs);
}

/**
 * Returns how many of the first indexes satisfy a condition that no index after them satisfies. The lists are read by the
 * callers: V8 boxes the numbers of a list that is read where lists of objects are read too, which triples its memory.
 */
function bisect(length: number, isBefore: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function periodEnd(name: 'day' | 'month', atMs: number): number {
  return name === 'day' ? nextDayStartMs(atMs) : nextMonthStartMs(atMs);
}
