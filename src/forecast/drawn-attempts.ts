import { threefry2x32 } from '../core/threefry.ts';
import { sampleAlias } from './alias-table.ts';
import { getMinute } from './day-of-attempts.ts';
import {
  answerBits,
  type DrawTables,
  type ForecastTables,
  lastMinute,
  spacingMinutes,
  streams,
} from './forecast-tables.ts';

/** Drawn attempt of a user before its evaluation. */
export interface DrawnAttempt {
  readonly day: number;
  /** Minute of the day. */
  readonly minute: number;
  readonly kind: number;
  /** Random word that determines the action at a prompt. */
  readonly answerWord: number;
}

/**
 * Draws all attempts of one user in order with a simple algorithm. The kernel draws the same attempts but as few as
 * possible.
 */
export function drawnAttempts(
  tables: DrawTables,
  { seed, user, segment }: { readonly seed: number; readonly user: number; readonly segment: number },
): readonly DrawnAttempt[] {
  const attempts: DrawnAttempt[] = [];
  const bits = tables.gapBits[segment] as number;
  let words = 0;
  let weekday = tables.weekdayBefore;
  for (let day = -1; ; ) {
    const firstWord = words;
    words += 1;
    const week = (tables.gapAt[segment] as number) + 2 * weekday * 2 ** bits;
    const outcome = sampleAlias(gapTable(tables, week, bits), blockWord(seed, user, firstWord, streams.attempts));
    const days = outcome & 7;
    day += days === 0 ? 7 : days;
    if (day >= tables.days) return attempts;
    if (days === 0) continue;
    weekday = (weekday + days) % 7;
    const extra = (outcome >>> 3) & 3;
    const numbers = Array.from({ length: extra + 1 }, (_, place) => firstWord + place);
    words += extra;
    const kinds = numbers.map((number, place) =>
      place === 0
        ? outcome >>> 5
        : sampleAlias(kindTable(tables, segment), blockWord(seed, user, number, streams.attempts)),
    );
    const moments = numbers.map((number) => {
      const block = new Int32Array(2);
      threefry2x32(seed, user, number, streams.moments, block);
      return { minute: getMinute(tables, segment, block[0] as number), answerWord: block[1] as number };
    });
    const minutes = apart(moments.map(({ minute }) => minute));
    minutes.forEach((minute, place) => {
      const { answerWord } = moments[place] as (typeof moments)[number];
      attempts.push({ day, minute, kind: kinds[place] as number, answerWord });
    });
  }
}

/** Returns the path that a random word draws for a prompt. */
export function drawnPath(
  { rounds, answerThresholds, answerOutcomes }: ForecastTables,
  at: { readonly segment: number; readonly round: number; readonly required: boolean; readonly admitted: boolean },
  word: number,
): number {
  const round = Math.min(at.round, rounds - 1);
  const table = ((at.segment * rounds + round) * 2 + Number(at.required)) * 2 + Number(at.admitted);
  const from = table * 2 ** answerBits;
  const to = from + 2 ** answerBits;
  const thresholds = answerThresholds.slice(from, to);
  return sampleAlias({ bits: answerBits, thresholds, outcomes: answerOutcomes.slice(from, to) }, word);
}

/**
 * Sorts times and spaces them at least one prompt lifetime apart. Later times are moved forward, or back at the end
 * of the day.
 */
function apart(minutes: readonly number[]): readonly number[] {
  const sorted = minutes.toSorted((a, b) => a - b);
  for (let place = 1; place < sorted.length; place += 1) {
    sorted[place] = Math.max(sorted[place] as number, (sorted[place - 1] as number) + spacingMinutes);
  }
  for (let place = sorted.length - 1, latest = lastMinute; place >= 0; place -= 1, latest -= spacingMinutes) {
    sorted[place] = Math.min(sorted[place] as number, latest);
  }
  return sorted;
}

/** Returns one word of a random stream, which is numbered through blocks of two words. */
function blockWord(seed: number, user: number, number: number, stream: number): number {
  const block = new Int32Array(2);
  threefry2x32(seed, user, number >>> 1, stream, block);
  return block[number & 1] as number;
}

function gapTable({ gaps }: DrawTables, from: number, bits: number) {
  const columns = gaps.subarray(from, from + 2 * 2 ** bits);
  return {
    bits,
    thresholds: Uint32Array.from({ length: 2 ** bits }, (_, column) => columns[2 * column] as number),
    outcomes: Uint32Array.from({ length: 2 ** bits }, (_, column) => columns[2 * column + 1] as number),
  };
}

function kindTable({ kindBits, kindAt, kindThresholds, kindOutcomes }: DrawTables, segment: number) {
  const bits = kindBits[segment] as number;
  const from = kindAt[segment] as number;
  return {
    bits,
    thresholds: kindThresholds.subarray(from, from + 2 ** bits),
    outcomes: kindOutcomes.subarray(from, from + 2 ** bits),
  };
}
