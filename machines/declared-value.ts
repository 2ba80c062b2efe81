import type { FactDefinition, FactValue } from './own/condition-data.ts';

const instantForm = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(?:Z|([+-])(\d\d):(\d\d)))?$/;
const durationPart = /(\d{1,12})(ms|[smhdw])/g;
const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Returns a declared value as conditions compare it: instants and durations are written as texts and compared in
 * milliseconds. The values were checked when they were given.
 */
export function toDeclaredValue(written: FactValue, { type }: Pick<FactDefinition, 'type'>): FactValue {
  if (typeof written !== 'string') return written;
  if (type === 'instant') return parseInstantMs(written);
  return type === 'duration' ? parseDurationMs(written) : written;
}

function parseInstantMs(text: string): number | null {
  const parts = instantForm.exec(text);
  if (parts === null) return null;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const ms = Number((parts[7] ?? '0').padEnd(3, '0'));
  const offsetMinutes = (parts[8] === '-' ? -1 : 1) * (Number(parts[9] ?? 0) * 60 + Number(parts[10] ?? 0));
  const minutesOfDay = hours * 60 + minutes - offsetMinutes;
  return ((daysSinceEpoch(year, month, day) * 1_440 + minutesOfDay) * 60 + seconds) * 1_000 + ms;
}

/** Returns the days from 1970-01-01 to a date of the Gregorian calendar. Years begin in March, so leap days come last. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  return shifted * 365 + leapDays + dayOfYear - 719_468;
}

function parseDurationMs(text: string): number {
  return [...text.matchAll(durationPart)].reduce(
    (sum, [, number, unit = '']) => sum + Number(number) * (unitsMs[unit] ?? 0),
    0,
  );
}
