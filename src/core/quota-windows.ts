import { dayStartMs, monthStartMs, nextDayStartMs, nextMonthStartMs } from './utc-calendar.ts';

/**
 * Quota windows on a clock that is passed in: a sliding minute, UTC days and UTC months. Everything here is a function of the
 * dates of the charges and of the time. No date is ever forgotten, so that no window holds more than its limit, however far the
 * clock is set back: what one caller keeps is bounded by the limits themselves.
 */

/** The sliding window: a charge counts until exactly this much later, ms. */
const slidingWindowMs = 60_000;

/** The reset of what never passes. */
const never = Number.POSITIVE_INFINITY;

export type WindowName = 'minute' | 'day' | 'month';

/** How much may be used in one window. */
export interface WindowLimit {
  readonly name: WindowName;
  readonly limit: number;
}

/** What one caller has used. Nothing in it is ever changed; a charge makes another one. */
export interface QuotaUse {
  /**
   * Dates of all charges, ms: a list for each UTC month that has one, both ascending. A charge of cost two stands twice. In
   * lists, so that a charge copies one month alone.
   */
  readonly months: readonly (readonly number[])[];
}

/** One window at a time. */
export interface QuotaWindow {
  readonly name: WindowName;
  readonly limit: number;
  readonly used: number;
  /** Never below zero. */
  readonly remaining: number;
  /** When more of it can be used than now, ms; of a day or month its end. */
  readonly resetMs: number;
}

export const nothingUsed: QuotaUse = { months: [] };

/** The windows of a caller at a time. */
export function windowsAt(use: QuotaUse, limits: readonly WindowLimit[], nowMs: number): readonly QuotaWindow[] {
  return limits.map(({ name, limit }) => {
    const used = usedIn(use, name, nowMs);
    const resetMs = name === 'minute' ? slidingReset(use, { limit, used, nowMs }) : periodEnd(name, nowMs);
    return { name, limit, used, remaining: Math.max(0, limit - used), resetMs };
  });
}

/** The window that leaves the least; of two that leave the same, the one that is reset later. `null` without any. */
export function tightest(windows: readonly QuotaWindow[]): QuotaWindow | null {
  return windows.reduce<QuotaWindow | null>((found, window) => {
    if (found === null || window.remaining < found.remaining) return window;
    return window.remaining === found.remaining && window.resetMs > found.resetMs ? window : found;
  }, null);
}

/**
 * The window in the way of a charge, with the first moment at which the charge passes every window as its reset; `null` when
 * nothing is in the way. Of several it is the one that stays longest. A charge above the limit itself never passes: its reset is
 * infinite.
 */
export function findExceededWindow(
  use: QuotaUse,
  limits: readonly WindowLimit[],
  nowMs: number,
  cost: number,
): QuotaWindow | null {
  let last = blocking(use, limits, nowMs, cost);
  if (last === null) return null;
  // After one window another may be in the way, where the clock was set back from it.
  for (let next: Blocking | null = last; next !== null; next = blocking(use, limits, last.freeMs, cost)) last = next;
  const { name, limit, freeMs } = last;
  const used = usedIn(use, name, nowMs);
  return { name, limit, used, remaining: Math.max(0, limit - used), resetMs: freeMs };
}

/** What is used after a charge. Takes its date and cost; whether it is let through is decided before. */
export function recordQuotaUse(use: QuotaUse, limits: readonly WindowLimit[], atMs: number, cost: number): QuotaUse {
  // A caller without limits has nothing to be counted for.
  if (cost === 0 || limits.length === 0) return use;
  const { months } = use;
  const startMs = monthStartMs(atMs);
  const place = countBefore(months, startMs, ([firstMs = 0]) => firstMs);
  const added = new Array<number>(cost).fill(atMs);
  const month = months[place];
  if (month === undefined || monthStartMs(month[0] ?? 0) !== startMs)
    return { months: months.toSpliced(place, 0, added) };
  const after = datesBefore(month, atMs + 1);
  // Joined, an array has no room to spare; there may be many callers.
  return { months: months.with(place, month.slice(0, after).concat(added, month.slice(after))) };
}

interface Blocking extends WindowLimit {
  /** When this window alone lets the charge through. */
  readonly freeMs: number;
}

/** The window that keeps a charge away longest, looking at each by itself; of those that always do, the smallest. */
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
  // Charges less than a window away, on either side: later ones there are only where the clock was set back.
  if (name === 'minute') return countFrom(use, nowMs - slidingWindowMs + 1, nowMs + slidingWindowMs);
  return countFrom(use, name === 'day' ? dayStartMs(nowMs) : monthStartMs(nowMs), periodEnd(name, nowMs));
}

function slidingReset(
  use: QuotaUse,
  { limit, used, nowMs }: Pick<QuotaWindow, 'limit' | 'used'> & { nowMs: number },
): number {
  if (used === 0) return nowMs + slidingWindowMs;
  // A window that is more than full is reset when one more fits, one that is not when less is used than now.
  return freeAt(use, limit, nowMs, Math.max(1, limit - used + 1));
}

/** The first moment after now at which the minute lets a charge through: when one of those within it has left. */
function freeAt(use: QuotaUse, limit: number, nowMs: number, cost: number): number {
  let lastMs = nowMs;
  for (const dateMs of datesAfter(use, nowMs - slidingWindowMs)) {
    lastMs = dateMs + slidingWindowMs;
    if (usedIn(use, 'minute', lastMs) + cost <= limit) break;
  }
  return lastMs;
}

/** Dates later than one, ascending. */
function* datesAfter({ months }: QuotaUse, afterMs: number): Generator<number> {
  for (let place = monthAt(months, afterMs); place < months.length; place += 1) {
    for (const dateMs of months[place] ?? []) if (dateMs > afterMs) yield dateMs;
  }
}

/** How many charges there are from one moment until just before another. */
function countFrom({ months }: QuotaUse, fromMs: number, untilMs: number): number {
  let count = 0;
  for (let place = monthAt(months, fromMs); place < months.length; place += 1) {
    const month = months[place] ?? [];
    if ((month[0] ?? 0) >= untilMs) break;
    count += datesBefore(month, untilMs) - datesBefore(month, fromMs);
  }
  return count;
}

/** The place of the first month with a date that is not before a moment's month. */
function monthAt(months: QuotaUse['months'], atMs: number): number {
  return countBefore(months, monthStartMs(atMs), ([firstMs = 0]) => firstMs);
}

function datesBefore(month: readonly number[], beforeMs: number): number {
  return countBefore(month, beforeMs, (dateMs) => dateMs);
}

/** How many items of an ascending list lie before a moment. */
function countBefore<T>(items: readonly T[], beforeMs: number, dateOf: (item: T) => number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const item = items[middle];
    if (item !== undefined && dateOf(item) < beforeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function periodEnd(name: 'day' | 'month', atMs: number): number {
  return name === 'day' ? nextDayStartMs(atMs) : nextMonthStartMs(atMs);
}
