import { addDuration, dayNumber, dayStart, subtractDuration } from '../../../machines/own/calendar.ts';
import type { Cadence, OwnDuration } from '../../../machines/own/own-ruleset.ts';

/** Time from a stored instant at which a comparison with it changes. */
export interface Boundary {
  readonly after: OwnDuration;
  readonly before: OwnDuration;
  readonly measure: 'elapsed' | 'calendar';
  readonly zone: string;
  /** Days after the start of its calendar day, or `null` if the instant itself counts. */
  readonly days: number | null;
  readonly plusMs: number;
}

const dayMs = 86_400_000;
/** No duration. */
export const none: OwnDuration = { ms: 0, months: 0 };
/** Boundary that is the instant itself. */
export const exactly: Boundary = { after: none, before: none, measure: 'elapsed', zone: 'UTC', days: null, plusMs: 0 };

/** Returns the time of a boundary from an instant. */
export function boundaryAt({ after, before, measure, zone, days, plusMs }: Boundary, fromMs: number): number {
  const afterMs = addDuration(fromMs, after, { measure, zone });
  const atMs = subtractDuration(afterMs, before, zone);
  return (days === null ? atMs : dayStart(dayNumber(atMs, zone) + days, zone)) + plusMs;
}

/** Returns the constant distance of a boundary from its instant, or `null` if the calendar decides it. */
export function constantOffset({ after, before, measure, zone, days, plusMs }: Boundary): number | null {
  if (days !== null || after.months !== 0 || before.months !== 0) return null;
  if (measure === 'calendar' && zone !== 'UTC') return null;
  return after.ms - before.ms + plusMs;
}

/** Returns a time after an instant before which a boundary is never reached: months have 28 to 31 days, and clocks change. */
export function soonestOffset(boundary: Boundary): number {
  const { after, before, days, plusMs } = boundary;
  const monthsMs = (after.months * 28 - before.months * 31) * dayMs;
  const daysMs = days === null ? 0 : (days - 1) * dayMs;
  return constantOffset(boundary) ?? after.ms - before.ms + monthsMs + daysMs + plusMs - 4 * 3_600_000;
}

/** Returns a time after an instant after which a boundary is always reached, as `soonestOffset` is one before it. */
export function latestOffset(boundary: Boundary): number {
  const { after, before, days, plusMs } = boundary;
  const monthsMs = (after.months * 31 - before.months * 28) * dayMs;
  const daysMs = days === null ? 0 : days * dayMs;
  return constantOffset(boundary) ?? after.ms - before.ms + monthsMs + daysMs + plusMs + 4 * 3_600_000;
}

/** Returns true if two boundaries are reached at the same time, from whatever instant. */
export function isSameBoundary(one: Boundary, other: Boundary): boolean {
  const offset = constantOffset(one);
  return JSON.stringify(one) === JSON.stringify(other) || (offset !== null && offset === constantOffset(other));
}

/** Returns the boundary at which a wait of a cadence is over. */
export function waitBoundary({ measure, zone, boundary }: Cadence, after: OwnDuration): Boundary {
  return { ...exactly, after, measure, zone, plusMs: boundary === 'inclusive' ? 0 : 1 };
}
