import { type OperatingSystem, operatingSystems } from '../../../machines/vocabulary.ts';
import { circumstance, deviceCodes, deviceCodesOfSystem, factorCodes } from '../attempt-code.ts';
import { rowFlag } from './row-facts.ts';
import { hasTimeSql } from './sign-in-sql.ts';

/** What the rows of an import have in common, which says in how few bytes they can be grouped. */
export interface RowSpan {
  /** The earliest and the latest time, in ms; 0 where there is none. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether any row names a device. */
  readonly hasDevices: boolean;
}

/** Bits of a time since the first one: 69 years. Where rows lie farther apart, numbers of 128 bits take the place of those of 64. */
const timeBits = 41;
const timeBitsWide = 63;

/** Bits of what tells rows of the same ms apart, always the same, and of the fact that is carried along; devices and factors fit. */
const tieBits = 12;
const factBits = 8;

/**
 * Rows grouped into attempts: those of one user with one correlation id, or a row without one by itself. Facts are those of the
 * last success; without one, of the last row. So the greatest of numbers that begin with the success and the time, and end with the
 * fact, says it: that costs half of what comparing times and carrying facts along does. Takes the tables of rows, of their facts, and of
 * users as they are written, and what the rows have in common.
 */
export function packedAttempts(rows: string, facts: string, users: string, span: RowSpan): string {
  const { number, successBit } = packingOf(span);
  const time = `(r.t - ${span.fromMs})::${number} << ${tieBits + factBits}`;
  const tie = `((coalesce(r.i, hash(NULL::VARCHAR)) & ${2 ** tieBits - 1})::${number} << ${factBits})`;
  const order = `(f.success | (${time}) | ${tie})`;
  const own = span.hasDevices ? `coalesce(arg_max(r.own, ${order}) FILTER (r.own <> 0), 0)` : '0';
  return `
    SELECT w.u AS u, r.c AS c,
      max(${order} | f.device) AS lastdevice,
      max(${order} | f.factor) AS lastfactor,
      ${own}::INTEGER AS own,
      bit_or(f.flags)::INTEGER AS flags,
      min(r.t) AS t0, max(r.t) AS t1,
      count(*)::INTEGER AS n
    FROM ${rows} r
    JOIN (
      SELECT h, flags, device::${number} AS device, CASE WHEN factor > 0 THEN factor END::${number} AS factor,
        (flags & ${rowFlag.success})::${number} << ${successBit} AS success
      FROM ${facts} WHERE (flags & ${rowFlag.noUser}) = 0
    ) f ON r.h = f.h
    JOIN ${users} w ON r.w = w.w
    WHERE ${hasTimeSql}
    GROUP BY w.u, r.c`;
}

/** The attempts that `packedAttempts` grouped with a column for each fact. Takes the table of them, and what the rows have in common. */
export function groupedAttempts(packed: string, span: RowSpan): string {
  const { number, bits } = packingOf(span);
  const fact = (of: string): string => `(${of} & ${2 ** factBits - 1})::INTEGER`;
  const time = `(lastdevice >> ${tieBits + factBits}) & ((1::${number} << ${bits}) - 1)`;
  return `SELECT u, c, ${fact('lastdevice')} AS device, coalesce(${fact('lastfactor')}, 0) AS factor, own, flags,
    (${time})::BIGINT + ${span.fromMs} AS t, t1 - t0 AS span, n FROM ${packed}`;
}

/** How the fact, what tells rows of the same ms apart, the time and the success lie in a number, from its lowest bit on. */
function packingOf({ fromMs, toMs }: RowSpan): {
  readonly number: string;
  readonly bits: number;
  readonly successBit: number;
} {
  const isNarrow = toMs - fromMs < 2 ** timeBits;
  const bits = isNarrow ? timeBits : timeBitsWide;
  return { number: isNarrow ? 'BIGINT' : 'HUGEINT', bits, successBit: bits + tieBits + factBits };
}

/**
 * The device of each user on Windows and on a Mac that was seen first; 0 where none was. Passkeys of the report are bound to these.
 */
export const firstDevicesSql = (() => {
  const of = (os: OperatingSystem): string =>
    `coalesce(arg_min(own, t) FILTER (device // ${deviceCodesOfSystem} = ${operatingSystems.indexOf(os)}), 0)::INTEGER`;
  return `SELECT u, ${of('windows')} AS windows, ${of('macos')} AS mac FROM grouped WHERE own <> 0 GROUP BY u`;
})();

const bit = (flag: number): string => `(flags & ${flag}) <> 0`;

/** The code of an attempt from the columns of `groupedAttempts`: a second factor counts where the attempt succeeded. */
export const attemptCodeSql = `(
  device + ${deviceCodes} * (
    CASE WHEN ${bit(rowFlag.success)} THEN factor ELSE 0 END
    + ${factorCodes} * (
      CASE WHEN ${bit(rowFlag.sso)} AND factor = 0 AND ${bit(rowFlag.success)} THEN ${circumstance.sso} ELSE 0 END
      + CASE WHEN ${bit(rowFlag.registers)} AND ${bit(rowFlag.success)} THEN ${circumstance.registeredThisSession} ELSE 0 END
      + CASE WHEN ${bit(rowFlag.termsOfUse)} THEN ${circumstance.termsOfUse} ELSE 0 END
      + CASE WHEN ${bit(rowFlag.customControls)} THEN ${circumstance.customControls} ELSE 0 END
    )
  )
)::INTEGER`;
