import type { SignInPattern } from '../contract/forecast.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import { forecastColumnsMax } from '../core/limits.ts';
import { weekdays } from '../core/utc-calendar.ts';
import { type AliasTable, aliasTable, outcomesMax } from './alias-table.ts';
import { type ForecastTables, fixedHour, hourBits } from './forecast-tables.ts';

type HabitTables = Pick<
  ForecastTables,
  | 'gapBits'
  | 'gapAt'
  | 'gaps'
  | 'kindBits'
  | 'kindAt'
  | 'kindThresholds'
  | 'kindOutcomes'
  | 'hourThresholds'
  | 'hourOutcomes'
>;

/** Part of a segment that its sign-ins are drawn from. */
interface DrawnSegment {
  readonly signIn: SignInPattern;
  readonly kinds: readonly { readonly share: number }[];
}

const daysOfAWeek = weekdays.length;

/**
 * Creates the sign-in pattern tables of each segment. Throws `forecast-too-large` if there are too many columns.
 */
export function habitTables(segments: readonly DrawnSegment[]): HabitTables {
  const gaps = segments.map((segment) => weekdays.map((_, weekday) => gapTable(segment, weekday)));
  const kinds = segments.map(({ kinds: all }) =>
    aliasTable(
      all.map(({ share }) => share),
      all.map((_, kind) => kind),
    ),
  );
  const hours = segments.map(({ signIn }) => hourTable(signIn));
  return {
    gapBits: Uint8Array.from(gaps, ([first]) => (first as AliasTable).bits),
    gapAt: starts(gaps.map((week) => week.reduce((sum, { thresholds }) => sum + 2 * thresholds.length, 0))),
    gaps: Int32Array.from(gaps.flat().flatMap(listPairs)),
    kindBits: Uint8Array.from(kinds, ({ bits }) => bits),
    kindAt: starts(kinds.map(({ thresholds }) => thresholds.length)),
    kindThresholds: joined(kinds.map(({ thresholds }) => thresholds)),
    kindOutcomes: joined(kinds.map(({ outcomes }) => outcomes)),
    hourThresholds: Uint16Array.from(hours.flatMap(({ thresholds }) => [...thresholds].map((one) => one >>> 12))),
    hourOutcomes: Uint16Array.from(
      hours.flatMap(({ outcomes }) => [...outcomes].map((pair) => ((pair >>> 16) << 8) | (pair & 0xff))),
    ),
  };
}

/**
 * Creates the table for the time after a weekday with a sign-in, or after the day before the first day. An outcome
 * is the number of days until the next sign-in, its number of attempts, and the type of the first one. Another
 * outcome is a week without a sign-in, after which the same table applies again. The probability of a sign-in
 * depends only on the weekday.
 */
function gapTable({ signIn, kinds }: DrawnSegment, weekday: number): AliasTable {
  const weights: number[] = [];
  const outcomes: number[] = [];
  let untilThen = 1;
  for (let days = 1; days <= daysOfAWeek; days += 1) {
    const chance = chanceOn(signIn, (weekday + days) % daysOfAWeek);
    signIn.perDay.forEach((share, extra) => {
      kinds.forEach((kind, number) => {
        weights.push(untilThen * chance * share * kind.share);
        outcomes.push((number << 5) | (extra << 3) | days);
      });
    });
    untilThen *= 1 - chance;
  }
  weights.push(untilThen);
  outcomes.push(0);
  if (weights.length > outcomesMax) {
    throw new NudgeLabError('forecast-too-large', {
      message: `A day of the week has ${weights.length} outcomes; the maximum is ${outcomesMax}.`,
    });
  }
  return aliasTable(weights, outcomes);
}

/** Converts a table to columns with a threshold and a pair of outcomes. */
function listPairs({ thresholds, outcomes }: AliasTable): readonly number[] {
  return [...thresholds].flatMap((threshold, column) => [threshold, outcomes[column] as number]);
}

/** Returns the sign-in probability of a weekday, where 0 is Monday. */
function chanceOn({ weekdays: chances }: SignInPattern, weekday: number): number {
  return (chances as Readonly<Record<string, number>>)[weekdays[weekday] as string] as number;
}

function hourTable({ hours }: SignInPattern): AliasTable {
  if (hours === null) return aliasTable([1], [fixedHour], hourBits);
  const given = Object.entries(hours).map(([hour, share]) => [Number(hour), share] as const);
  const sorted = given.toSorted(([a], [b]) => a - b);
  return aliasTable(
    sorted.map(([, share]) => share),
    sorted.map(([hour]) => hour),
    hourBits,
  );
}

function starts(sizes: readonly number[]): Uint32Array {
  let at = 0;
  const found = Uint32Array.from(sizes, (size) => {
    at += size;
    return at - size;
  });
  if (at <= forecastColumnsMax) return found;
  throw new NudgeLabError('forecast-too-large', {
    message: `The sign-in patterns of all segments need ${at} columns; the maximum is ${forecastColumnsMax}. Use fewer segments or kinds.`,
  });
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
