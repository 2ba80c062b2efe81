import { dayStartMs, monthStartMs, nextDayStartMs, nextMonthStartMs } from './utc-calendar.ts';

/**
 * Quota windows on a clock that is told: a sliding minute, UTC days and UTC months. Everything here is a function of what was
 * used and of the time. A charge counts by its own date, so that a clock that is set back finds each day and month as it was
 * left, and a minute never holds more than its limit, from whichever side it is entered.
 */

/** The sliding window: a charge counts until exactly this much later, ms. */
const slidingWindowMs = 60_000;

/** Dates of the sliding window that one caller keeps: those nearest to now. Forward in time the limit alone would do. */
const recentMax = 64;

/** Days or months whose counts one caller keeps: the latest ones. */
const periodsMax = 64;

export type WindowName = 'minute' | 'day' | 'month';

/** How much may be used in one window. */
export interface WindowLimit {
  readonly name: WindowName;
  readonly limit: number;
}

/** What one caller has used. Nothing in it is ever changed; a charge makes another one. */
export interface QuotaUse {
  /** Dates of the latest charges, ascending, ms; one of cost two stands twice. */
  readonly recent: readonly number[];
  /** Begin and use of days or months in turn, by begin. */
  readonly periods: readonly number[];
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

export const nothingUsed: QuotaUse = { recent: [], periods: [] };

/** The windows of a caller at a time. */
export function windowsAt(use: QuotaUse, limits: readonly WindowLimit[], nowMs: number): readonly QuotaWindow[] {
  return limits.map(({ name, limit }) => {
    const used = usedIn(use, name, nowMs);
    const remaining = Math.max(0, limit - used);
    const resetMs = name === 'minute' ? slidingReset(use.recent, limit, nowMs) : periodEnd(name, nowMs);
    return { name, limit, used, remaining, resetMs };
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
 * The window in the way of a charge, with the moment at which the charge would go through as its reset; `null` when nothing is
 * in the way. Of several it is the one that stays longest.
 */
export function inTheWay(
  use: QuotaUse,
  limits: readonly WindowLimit[],
  nowMs: number,
  cost: number,
): QuotaWindow | null {
  const full = windowsAt(use, limits, nowMs).filter(({ used, limit }) => cost > 0 && used + cost > limit);
  const waits = full.map((window) => ({
    ...window,
    resetMs: window.name === 'minute' ? freeAt(use.recent, window.limit, nowMs, cost) : window.resetMs,
  }));
  return waits.reduce<QuotaWindow | null>(
    (latest, window) => (latest === null || window.resetMs > latest.resetMs ? window : latest),
    null,
  );
}

/** What is used after a charge. Takes its date and cost; whether it is let through is asked before. */
export function charged(use: QuotaUse, limits: readonly WindowLimit[], atMs: number, cost: number): QuotaUse {
  if (cost === 0) return use;
  const period = limits.find(({ name }) => name !== 'minute');
  const slides = limits.some(({ name }) => name === 'minute');
  return {
    recent: slides ? withDates(use.recent, atMs, cost) : use.recent,
    periods: period === undefined ? use.periods : withPeriod(use.periods, periodStart(period.name, atMs), cost),
  };
}

function usedIn({ recent, periods }: QuotaUse, name: WindowName, nowMs: number): number {
  if (name === 'minute') return countNear(recent, nowMs);
  const start = periodStart(name, nowMs);
  for (let index = periods.length - 2; index >= 0; index -= 2) {
    if (periods[index] === start) return periods[index + 1] ?? 0;
  }
  return 0;
}

/** Charges less than a window away, on either side: later ones there are only where the clock was set back. */
function countNear(recent: readonly number[], nowMs: number): number {
  let count = 0;
  for (const atMs of recent) if (atMs > nowMs - slidingWindowMs && atMs < nowMs + slidingWindowMs) count += 1;
  return count;
}

function slidingReset(recent: readonly number[], limit: number, nowMs: number): number {
  const used = countNear(recent, nowMs);
  if (used === 0) return nowMs + slidingWindowMs;
  // A window that is more than full is reset when one more fits, one that is not when less is used than now.
  return freeAt(recent, limit, nowMs, Math.max(1, limit - used + 1));
}

/** The first moment from now on at which a charge fits. One that never fits waits until nothing else is in the window. */
function freeAt(recent: readonly number[], limit: number, nowMs: number, cost: number): number {
  const leaves = recent.map((chargedMs) => chargedMs + slidingWindowMs).filter((leavesMs) => leavesMs > nowMs);
  return leaves.find((atMs) => countNear(recent, atMs) + cost <= limit) ?? leaves.at(-1) ?? nowMs + slidingWindowMs;
}

/** The dates with more of them, those nearest to the new one when there are too many. */
function withDates(recent: readonly number[], atMs: number, cost: number): readonly number[] {
  let place = recent.length;
  while (place > 0 && (recent[place - 1] ?? 0) > atMs) place -= 1;
  const added = new Array<number>(Math.min(cost, recentMax)).fill(atMs);
  // Joined, an array has no room to spare; there may be many callers.
  const dates = recent.slice(0, place).concat(added, recent.slice(place));
  while (dates.length > recentMax) {
    if (atMs - (dates[0] ?? 0) >= (dates.at(-1) ?? 0) - atMs) dates.shift();
    else dates.pop();
  }
  return dates;
}

function withPeriod(periods: readonly number[], startMs: number, cost: number): readonly number[] {
  const counted = [...periods];
  let place = 0;
  while (place < counted.length && (counted[place] ?? 0) < startMs) place += 2;
  if (counted[place] === startMs) counted[place + 1] = (counted[place + 1] ?? 0) + cost;
  else counted.splice(place, 0, startMs, cost);
  return counted.length > 2 * periodsMax ? counted.slice(2) : counted;
}

function periodStart(name: WindowName, atMs: number): number {
  return name === 'day' ? dayStartMs(atMs) : monthStartMs(atMs);
}

function periodEnd(name: WindowName, atMs: number): number {
  return name === 'day' ? nextDayStartMs(atMs) : nextMonthStartMs(atMs);
}
