/** Earliest and latest time of the virtual clock, as a field for date and time writes them, in UTC. */
export const earliestLocalTime = '1970-01-01T00:00:00';
export const latestLocalTime = '9999-12-31T23:59:59';

const earliestMs = 0;
const latestMs = 253_402_300_799_999;

/** Result of parsing a text as an instant: the instant, or the error. */
export type ReadInstant =
  | { readonly instant: string; readonly fault: null }
  | { readonly instant: null; readonly fault: string };

const wanted = 'Enter a date and a time, such as 2026-01-05 09:00.';
const local = /^(\d{4,6}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(\.\d{1,3})?)?Z?$/;

/**
 * Reads the value of a field for date and time as an instant in UTC. Browsers without such a field give the text as it
 * was typed.
 */
export function readInstant(text: string): ReadInstant {
  const [, date, minute, second = ':00'] = local.exec(text.trim()) ?? [];
  if (date === undefined || minute === undefined) return { instant: null, fault: wanted };
  const [year = '', ...rest] = date.split('-');
  const written = `${year.length > 4 ? `+${year.padStart(6, '0')}` : year}-${rest.join('-')}T${minute}${second}Z`;
  const ms = Date.parse(written);
  // The parser moves a day such as 31 February into the next month.
  if (Number.isNaN(ms) || !isSameDay(ms, date)) return { instant: null, fault: wanted };
  if (ms < earliestMs || ms > latestMs) {
    return { instant: null, fault: 'The year must be from 1970 to 9999.' };
  }
  return { instant: new Date(ms).toISOString(), fault: null };
}

function isSameDay(ms: number, date: string): boolean {
  return new Date(ms).getUTCDate() === Number(date.slice(-2));
}

/** Returns an instant as a field for date and time writes it, in UTC and without parts of a second. */
export function toLocalTime(instant: string): string {
  return instant.slice(0, 19);
}
