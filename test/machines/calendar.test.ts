import { describe, expect, test } from 'vitest';
import { addDuration, dayNumber, dayStart } from '../../machines/own/calendar.ts';
import { randomSource } from '../../src/core/random.ts';
import { nonEmpty } from '../non-empty.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

// Half an hour of summer time, a day that was left out, offsets of minutes, and a summer time that a month interrupts.
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Africa/Monrovia',
];

/** Returns the date in a zone as the platform writes it. */
function writtenDate(atMs: number, zone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return format.format(atMs);
}

/** Returns instants from 1970 to 2037: drawn ones, and ones near the midnight of drawn days in the zone. */
function drawInstants(zone: string): readonly number[] {
  const random = randomSource(zones.indexOf(zone) + 1);
  return Array.from({ length: 150 }, () => {
    const atMs = Math.floor(random() * 24_800) * dayMs + Math.floor(random() * dayMs);
    const midnightMs = dayStart(dayNumber(atMs, zone), zone);
    return [atMs, midnightMs - 1, midnightMs];
  }).flat();
}

describe('calendar days of zones', () => {
  test.each(zones)('%s: the number of a day is that of the date that the platform writes', (zone) => {
    for (const atMs of nonEmpty(drawInstants(zone))) {
      const date = new Date(dayNumber(atMs, zone) * dayMs).toISOString().slice(0, 10);
      expect([atMs, date]).toEqual([atMs, writtenDate(atMs, zone)]);
    }
  });

  test('the calendar days of a year have as many hours as the clock changes leave them', () => {
    const lengths = (zone: string, year: number): readonly number[] => {
      const first = dayNumber(Date.UTC(year, 0, 2), zone);
      const starts = Array.from({ length: 360 }, (_, index) => dayStart(first + index, zone));
      const days = starts.slice(1).map((atMs, index) => (atMs - (starts[index] ?? 0)) / hourMs);
      return [...new Set(days)].toSorted((a, b) => a - b);
    };
    expect(lengths('Europe/Berlin', 2026)).toEqual([23, 24, 25]);
    expect(lengths('Australia/Lord_Howe', 2026)).toEqual([23.5, 24, 24.5]);
    expect(lengths('UTC', 2026)).toEqual([24]);
  });

  test('OC26 under calendar, a day later is at the same time of day', () => {
    const day = { ms: dayMs, months: 0 };
    const beforeChange = Date.parse('2026-03-28T09:00:00Z');
    expect(addDuration(beforeChange, day, { measure: 'calendar', zone: 'Europe/Berlin' })).toBe(
      beforeChange + 23 * hourMs,
    );
    expect(addDuration(beforeChange, day, { measure: 'elapsed', zone: 'Europe/Berlin' })).toBe(
      beforeChange + 24 * hourMs,
    );
  });
});
