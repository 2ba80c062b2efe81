import { isZone } from '../../machines/own/calendar.ts';
import type { FactType, FactValue, OwnDuration } from '../../machines/own/own-ruleset.ts';
import { parseInstant } from '../core/clock.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import { describeUnknownName } from '../core/nearest-name.ts';

/** Value that was read, or the message that says what is wrong with it and what to write instead. */
export type Read<T> = { readonly value: T } | { readonly message: string };

const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const unitsMonths: Readonly<Record<string, number>> = { mo: 1, y: 12 };

/** Longest duration in milliseconds: 200 years. */
const durationMsMax = 200 * 366 * 86_400_000;

const durationForm = /^(?:\d{1,12}(?:ms|mo|[smhd]|[wy]))+$/;
const durationPart = /(\d{1,12})(ms|mo|[smhd]|[wy])/g;

/** Formats a written value for a message. JSON has no infinite numbers. */
function showConstant(written: unknown): string {
  return typeof written === 'number' ? String(written) : (JSON.stringify(written) ?? 'nothing');
}

/** Reads a duration such as `7d12h`. Bare numbers are rejected, because tools differ in their unit (OC17). */
export function parseDuration(written: unknown): Read<OwnDuration> {
  if (written === '0' || written === 0) return { value: { ms: 0, months: 0 } };
  const shown = showConstant(written);
  if (Number.isSafeInteger(written) || (typeof written === 'string' && /^\d+$/.test(written))) {
    return {
      message: `${shown} is no duration; write ${written}d for days, or another of the units ms s m h d w mo y`,
    };
  }
  if (typeof written !== 'string' || !durationForm.test(written)) {
    return { message: `${shown} is no duration; write one such as 5m, 36h, 7d, 2w or 7d12h` };
  }
  let ms = 0;
  let months = 0;
  for (const [, number, unit = ''] of written.matchAll(durationPart)) {
    ms += Number(number) * (unitsMs[unit] ?? 0);
    months += Number(number) * (unitsMonths[unit] ?? 0);
  }
  if (ms > durationMsMax || months > 2_400) return { message: `${shown} is longer than 200 years` };
  return { value: { ms, months } };
}

/** Reads an ISO 8601 instant with a zone, or a date for midnight in UTC, as milliseconds. */
export function parseInstantValue(written: unknown): Read<number> {
  const atMs = typeof written === 'string' ? parseInstant(written) : null;
  if (atMs !== null) return { value: atMs };
  return { message: `${JSON.stringify(written)} is no instant; write one such as 2026-05-01T09:00:00Z or 2026-05-01` };
}

/** Reads a time zone. */
export function parseZone(written: string | undefined): Read<string> {
  if (written === undefined) return { value: 'UTC' };
  return isZone(written)
    ? { value: written }
    : { message: `${JSON.stringify(written)} is no time zone; write one such as UTC or Europe/Berlin` };
}

/** Expected type of a value, with the allowed values of an enum or a set. */
export interface ValueType {
  readonly type: FactType | 'number';
  readonly values: readonly string[] | null;
}

/** Reads a constant of a type. Instants and durations become milliseconds. */
export function parseConstant(written: unknown, { type, values }: ValueType): Read<Exclude<FactValue, null>> {
  const shown = showConstant(written);
  switch (type) {
    case 'boolean':
      return typeof written === 'boolean' ? { value: written } : { message: `${shown} is not true or false` };
    case 'integer':
      return typeof written === 'number' && Number.isSafeInteger(written)
        ? { value: written }
        : { message: `${shown} is not a whole number` };
    case 'number':
      return typeof written === 'number' ? { value: written } : { message: `${shown} is not a number` };
    case 'instant':
      return parseInstantValue(written);
    case 'duration': {
      const read = parseDuration(written);
      if ('message' in read) return read;
      if (read.value.months > 0) {
        return {
          message: `${shown} has calendar units; settings and facts are elapsed time, so write days such as 30d`,
        };
      }
      return { value: read.value.ms };
    }
    case 'text':
      return typeof written === 'string' ? { value: written } : { message: describeNoText(written) };
    case 'enum':
      return parseWord(written, values);
    case 'set':
      return parseWords(written, values);
  }
}

/** Describes a value that is not a text. Quotes make a text of a single value only. */
function describeNoText(written: unknown): string {
  const shown = showConstant(written);
  if (Array.isArray(written)) return `${shown} is a list; write a single text, or another operator`;
  return typeof written === 'object' ? `${shown} is not a text` : `${shown} is not a text; put it in quotes`;
}

/** Returns true if a value in the form of facts is of a type: instants and durations are milliseconds. */
export function fitsType(value: FactValue, type: ValueType): boolean {
  if (value === null) return type.type === 'instant' || type.type === 'text';
  if (type.type === 'instant' || type.type === 'duration') return Number.isSafeInteger(value);
  return 'value' in parseConstant(value, type);
}

function parseWords(written: unknown, values: readonly string[] | null): Read<readonly string[]> {
  if (!Array.isArray(written)) {
    return { message: `${JSON.stringify(written) ?? 'nothing'} is not a list; write [${String(written)}]` };
  }
  for (const word of written) {
    const read = parseWord(word, values);
    if ('message' in read) return read;
  }
  return { value: written.map(String) };
}

function parseWord(written: unknown, values: readonly string[] | null): Read<string> {
  if (typeof written !== 'string') return { message: describeNoText(written) };
  if (values === null || values.includes(written)) return { value: written };
  return { message: describeUnknownName(written, values) };
}

/** Returns the name of the setting or fact that a written operand refers to, or `null` for a constant. */
export function parseReference(written: unknown): { readonly setting: string } | { readonly fact: string } | null {
  if (!isPlainObject(written)) return null;
  const keys = Object.keys(written);
  const [key] = keys;
  const reference = key === undefined ? undefined : written[key];
  if (keys.length !== 1 || typeof reference !== 'string') return null;
  if (key === 'setting') return { setting: reference };
  return key === 'fact' ? { fact: reference } : null;
}
