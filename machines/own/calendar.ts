import type { OwnDuration } from './own-ruleset.ts';

const dayMs = 86_400_000;

/** Local date and time in a zone, as the milliseconds that the same date and time have in UTC. */
type WallMs = number;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Maximum number of cached zones; the platform knows about 600. */
const zonesMax = 1_000;

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formats.size < zonesMax) formats.set(zone, format);
  return format;
}

/** Returns true if the platform knows a time zone. */
export function isZone(zone: string): boolean {
  try {
    formatIn(zone);
    return true;
  } catch {
    return false;
  }
}

/** Returns the days since 1970-01-01 of a date in the Gregorian calendar. Months start at 1. */
function daysBefore(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Length of the parts of time whose offset is looked up once, and the maximum number of cached ones of a zone. */
const blockMs = dayMs / 4;
const blocksMax = 10_000;

/** Offsets from UTC in milliseconds by zone and block; `null` for a block in which the clocks change. */
const offsets = new Map<string, Map<number, number | null>>();

function toWall(atMs: number, zone: string): WallMs {
  if (zone === 'UTC') return atMs;
  const offsetMs = findOffset(Math.floor(atMs / blockMs), zone);
  return offsetMs === null ? readWall(atMs, zone) : atMs + offsetMs;
}

function findOffset(block: number, zone: string): number | null {
  const ofZone = offsets.get(zone) ?? new Map<number, number | null>();
  const known = ofZone.get(block);
  if (known !== undefined) return known;
  const [first = 0, last = 0] = [block * blockMs, (block + 1) * blockMs - 1].map((atMs) => readWall(atMs, zone) - atMs);
  if (ofZone.size >= blocksMax) ofZone.clear();
  const offsetMs = first === last ? first : null;
  ofZone.set(block, offsetMs);
  if (offsets.size < zonesMax) offsets.set(zone, ofZone);
  return offsetMs;
}

function readWall(atMs: number, zone: string): WallMs {
  const parts = Object.fromEntries(
    formatIn(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const fraction = ((atMs % 1_000) + 1_000) % 1_000;
  return daysBefore(year, month, day) * dayMs + ((hour * 60 + minute) * 60 + second) * 1_000 + fraction;
}

/** Returns the instant of a local time. A time that a clock change skips is the one after it; a repeated one is the first. */
function fromWall(wallMs: WallMs, zone: string): number {
  if (zone === 'UTC') return wallMs;
  const around = [wallMs - dayMs, wallMs + dayMs].map((nearMs) => toWall(nearMs, zone) - nearMs);
  const candidates = around.map((offsetMs) => wallMs - offsetMs);
  const exact = candidates.filter((atMs) => toWall(atMs, zone) === wallMs);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...candidates);
}

/** Returns the number of the calendar day of an instant in a zone. Consecutive days have consecutive numbers. */
export function dayNumber(atMs: number, zone: string): number {
  return Math.floor(toWall(atMs, zone) / dayMs);
}

/** Returns the instant at which a calendar day begins in a zone. */
export function dayStart(day: number, zone: string): number {
  return fromWall(day * dayMs, zone);
}

/** Returns year, month from 0 and day from 0 of a day number. */
function toDate(day: number): { readonly year: number; readonly month: number; readonly dayOfMonth: number } {
  let year = 1970 + Math.floor(day / 365.2425);
  while (daysBefore(year, 1, 1) > day) year -= 1;
  while (daysBefore(year + 1, 1, 1) <= day) year += 1;
  let month = 1;
  while (month < 12 && daysBefore(year, month + 1, 1) <= day) month += 1;
  return { year, month: month - 1, dayOfMonth: day - daysBefore(year, month, 1) };
}

/** Adds calendar months. A day that the month does not have becomes its last one (OC17). */
function addMonths(atMs: number, months: number, zone: string): number {
  if (months === 0) return atMs;
  const wallMs = toWall(atMs, zone);
  const day = Math.floor(wallMs / dayMs);
  const { year, month, dayOfMonth } = toDate(day);
  const index = year * 12 + month + months;
  const [newYear, newMonth] = [Math.floor(index / 12), ((index % 12) + 12) % 12];
  const first = daysBefore(newYear, newMonth + 1, 1);
  const next = newMonth === 11 ? daysBefore(newYear + 1, 1, 1) : daysBefore(newYear, newMonth + 2, 1);
  return fromWall((first + Math.min(dayOfMonth, next - first - 1)) * dayMs + (wallMs - day * dayMs), zone);
}

/**
 * Adds a duration to an instant. Months are calendar units of the zone. Under `calendar`, whole days keep the local
 * time; under `elapsed`, a day is 24 hours (A6).
 */
export function addDuration(
  atMs: number,
  { ms, months }: OwnDuration,
  { measure, zone }: { readonly measure: 'elapsed' | 'calendar'; readonly zone: string },
): number {
  const monthsLaterMs = addMonths(atMs, months, zone);
  if (measure === 'elapsed') return monthsLaterMs + ms;
  const days = Math.floor(ms / dayMs);
  return fromWall(toWall(monthsLaterMs, zone) + days * dayMs, zone) + (ms - days * dayMs);
}

/** Subtracts a duration from an instant, as `addDuration` adds one. */
export function subtractDuration(atMs: number, { ms, months }: OwnDuration, zone: string): number {
  return addMonths(atMs, -months, zone) - ms;
}
