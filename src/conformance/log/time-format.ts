import { type ConformanceMapping, timeUnits } from '../../contract/conformance.schema.ts';
import { parseInstant } from '../../core/clock.ts';
import { instantMsMax } from '../../core/limits.ts';

/** Reads a time in milliseconds; `null` if the value is not one. */
export type TimeReader = (value: unknown) => number | null;

const tokens: Readonly<Record<string, string>> = {
  yyyy: String.raw`(?<year>\d{4})`,
  MM: String.raw`(?<month>\d\d)`,
  dd: String.raw`(?<day>\d\d)`,
  HH: String.raw`(?<hour>\d\d)`,
  mm: String.raw`(?<minute>\d\d)`,
  ss: String.raw`(?<second>\d\d)`,
  SSS: String.raw`(?<millisecond>\d{3})`,
};
const token = /yyyy|SSS|MM|dd|HH|mm|ss/g;

/** Names of the formats that are not patterns. */
export const namedFormats = ['iso', 'epoch-seconds', 'epoch-milliseconds'] as const;

/**
 * Checks whether a text is a format: a name, or a pattern that contains at least a date, each part once.
 */
export function isTimeFormat(format: string): boolean {
  if ((namedFormats as readonly string[]).includes(format)) return true;
  const found: readonly string[] = format.match(token) ?? [];
  return ['yyyy', 'MM', 'dd'].every((part) => found.includes(part)) && new Set(found).size === found.length;
}

/** Creates the reader of a format. */
export function createTimeReader(format: string): TimeReader {
  if (format === 'iso') return (value) => (typeof value === 'string' ? bounded(parseInstant(value)) : null);
  if (format === 'epoch-seconds') return (value) => bounded(scaled(value, timeUnits.second));
  if (format === 'epoch-milliseconds') return (value) => bounded(scaled(value, 1));
  const pattern = new RegExp(`^${escapePattern(format)}$`);
  return (value) => (typeof value === 'string' ? readPattern(pattern, value) : null);
}

function escapePattern(format: string): string {
  const escaped = format.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return escaped.replaceAll(token, (part) => tokens[part] ?? part);
}

function readPattern(pattern: RegExp, value: string): number | null {
  const parts = pattern.exec(value.trim())?.groups;
  if (parts === undefined) return null;
  const { year, month, day, hour = '00', minute = '00', second = '00', millisecond = '000' } = parts;
  return bounded(parseInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`));
}

function scaled(value: unknown, unitMs: number): number | null {
  if (typeof value === 'string' && value.trim() === '') return null;
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? Math.round(number * unitMs) : null;
}

function bounded(atMs: number | null): number | null {
  return atMs === null || Math.abs(atMs) > instantMsMax ? null : atMs;
}

/** Offsets from a stated time to the earliest and the latest time that it may stand for. */
export function roundingOffsets({
  rounded,
  to,
  toleranceSeconds,
}: ConformanceMapping['time']): readonly [number, number] {
  const unit = timeUnits[rounded];
  const toleranceMs = toleranceSeconds * 1_000;
  if (unit === 1) return [-toleranceMs, toleranceMs];
  return to === 'earlier'
    ? [-toleranceMs, unit - 1 + toleranceMs]
    : [-unit / 2 - toleranceMs, unit / 2 - 1 + toleranceMs];
}
