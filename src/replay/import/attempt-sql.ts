import { type OperatingSystem, operatingSystems } from '../../../machines/vocabulary.ts';
import { circumstance, deviceCodes, deviceCodesOfSystem, factorCodes } from '../attempt-code.ts';
import { keptName } from './kept-columns.ts';
import { reachedEnd, rowFlag } from './row-facts.ts';
import { hasTimeSql } from './sign-in-sql.ts';

/** Common properties of the rows in an import, which determine the size of their grouping keys. */
export interface RowSpan {
  /** Earliest and latest time in milliseconds; 0 if there is none. */
  readonly fromMs: number;
  readonly toMs: number;
  /** `true` if any row has a device. */
  readonly hasDevices: boolean;
  /** `true` if any row has annotated facts. */
  readonly hasFacts: boolean;
  /** Number of kept columns. */
  readonly kept: number;
}

/**
 * Number of bits for the time since the first row, enough for 69 years. For longer spans, 128-bit numbers replace
 * 64-bit numbers.
 */
const timeBits = 41;
const timeBitsWide = 63;

/**
 * Number of bits for a stable order of rows in the same millisecond, and for the attached fact, which is a device or a
 * factor.
 */
const tieBits = 12;
const factBits = 8;

/**
 * Creates the SQL that groups rows into attempts: the rows of one user with one correlation id, or a single row without
 * one. The facts are those of the last success or, without one, of the last row. They are selected as the maximum of
 * numbers that start with success and time and end with the fact, at half the cost of comparing times and carrying
 * facts along. The arguments name the tables of rows, of their facts and of users as written, and `span` describes the
 * rows.
 */
export function packedAttempts(rows: string, facts: string, users: string, span: RowSpan): string {
  const { number, successBit } = computePacking(span);
  const time = `(r.t - ${span.fromMs})::${number} << ${tieBits + factBits}`;
  const tie = `((coalesce(r.i, hash(NULL::VARCHAR)) & ${2 ** tieBits - 1})::${number} << ${factBits})`;
  const order = `(f.success | (${time}) | ${tie})`;
  const known = span.hasFacts ? `arg_max(f.known, ${order})` : '0';
  const own = span.hasDevices ? `coalesce(arg_max(r.own, ${order}) FILTER (r.own <> 0), 0)` : '0';
  return `
    SELECT w.u AS u, r.c AS c,
      max(${order} | f.device) AS lastdevice,
      max(${order} | f.factor) AS lastfactor,
      ${own}::INTEGER AS own,
      ${known}::INTEGER AS known,
      ${listKept(span, (name) => `arg_max(r.${name}, ${order}) FILTER (r.${name} IS NOT NULL) AS ${name}, `)}
      bit_or(f.flags)::INTEGER AS flags,
      min(r.t) AS t0, max(r.t) AS t1,
      count(*)::INTEGER AS n
    FROM ${rows} r
    JOIN (
      SELECT h, flags, known, device::${number} AS device, CASE WHEN factor > 0 THEN factor END::${number} AS factor,
        (flags & ${rowFlag.success})::${number} << ${successBit} AS success
      FROM ${facts} WHERE (flags & ${rowFlag.noUser}) = 0
    ) f ON r.h = f.h
    JOIN ${users} w ON r.w = w.w
    WHERE ${hasTimeSql}
    GROUP BY w.u, r.c`;
}

/**
 * Creates the SQL that unpacks attempts from `packedAttempts` into one column per fact.
 * @param span - common properties of the rows
 */
export function groupedAttempts(packed: string, span: RowSpan): string {
  const { number, bits } = computePacking(span);
  const fact = (of: string): string => `(${of} & ${2 ** factBits - 1})::INTEGER`;
  const time = `(lastdevice >> ${tieBits + factBits}) & ((1::${number} << ${bits}) - 1)`;
  return `SELECT u, c, ${fact('lastdevice')} AS device, coalesce(${fact('lastfactor')}, 0) AS factor, own, flags, known,
    ${listKept(span, (name) => `${name}, `)}(${time})::BIGINT + ${span.fromMs} AS t, t1 - t0 AS span, n FROM ${packed}`;
}

/** Returns SQL for each kept column: the text of the last row that has one, a success first. */
function listKept({ kept }: RowSpan, write: (name: string) => string): string {
  return Array.from({ length: kept }, (_, index) => write(keptName(index))).join('');
}

/** Returns the bit layout of a packed number, from its lowest bit: fact, order within a millisecond, time, success. */
function computePacking({ fromMs, toMs }: RowSpan): {
  readonly number: string;
  readonly bits: number;
  readonly successBit: number;
} {
  const isNarrow = toMs - fromMs < 2 ** timeBits;
  const bits = isNarrow ? timeBits : timeBitsWide;
  return { number: isNarrow ? 'BIGINT' : 'HUGEINT', bits, successBit: bits + tieBits + factBits };
}

/**
 * SQL for each user's first device on Windows and on a Mac; 0 if there is none. Passkeys from the registration report
 * are bound to these devices.
 */
export const firstDevicesSql = (() => {
  const of = (os: OperatingSystem): string =>
    `coalesce(arg_min(own, t) FILTER (device // ${deviceCodesOfSystem} = ${operatingSystems.indexOf(os)}), 0)::INTEGER`;
  return `SELECT u, ${of('windows')} AS windows, ${of('macos')} AS mac FROM grouped WHERE own <> 0 GROUP BY u`;
})();

const bit = (flag: number): string => `(flags & ${flag}) <> 0`;

/**
 * SQL for the attempt code from the columns of `groupedAttempts`. A second factor counts only if the attempt succeeded or
 * ended at a prompt.
 */
export const attemptCodeSql = `(
  device + ${deviceCodes} * (
    CASE WHEN ${bit(reachedEnd)} THEN factor ELSE 0 END
    + ${factorCodes} * (
      CASE WHEN ${bit(rowFlag.sso)} AND factor = 0 AND ${bit(reachedEnd)} THEN ${circumstance.sso} ELSE 0 END
      + CASE WHEN ${bit(rowFlag.registers)} AND ${bit(reachedEnd)} THEN ${circumstance.registeredThisSession} ELSE 0 END
      + CASE WHEN ${bit(rowFlag.termsOfUse)} THEN ${circumstance.termsOfUse} ELSE 0 END
      + CASE WHEN ${bit(rowFlag.customControls)} THEN ${circumstance.customControls} ELSE 0 END
      + CASE WHEN ${bit(rowFlag.registrationBlocked)} THEN ${circumstance.registrationPageBlocked} ELSE 0 END
      + CASE WHEN ${bit(rowFlag.registrationUnmet)} THEN ${circumstance.registrationConditionUnmet} ELSE 0 END
    )
  )
)::INTEGER`;
