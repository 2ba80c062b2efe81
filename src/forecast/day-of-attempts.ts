import { threefry2x32 } from '../core/threefry.ts';
import {
  type DrawTables,
  dayMinutes,
  fixedHour,
  fixedMinute,
  hourBits,
  lastMinute,
  spacingMinutes,
  streams,
} from './forecast-tables.ts';

/** Last hour of the day, which is 45 minutes long. See `spacingMinutes`. */
const lastHour = 23;

/** Returns the minute of the day that a random word draws from the hours of a segment. */
export function getMinute(
  { hourThresholds, hourOutcomes }: Pick<DrawTables, 'hourThresholds' | 'hourOutcomes'>,
  segment: number,
  word: number,
): number {
  const column = (segment << hourBits) + (word >>> (32 - hourBits));
  const pair = hourOutcomes[column] as number;
  const hour = ((word >>> 12) & 0x7fff) < (hourThresholds[column] as number) ? pair & 0xff : pair >>> 8;
  if (hour === fixedHour) return fixedMinute;
  return hour * 60 + (((word & 0xfff) * (hour === lastHour ? 60 - spacingMinutes : 60)) >>> 12);
}

/** Values drawn for the attempts of a day with more than one attempt, in chronological order. */
export interface AttemptsOfADay {
  readonly kinds: Int32Array;
  readonly minutes: Int32Array;
  readonly answers: Int32Array;
}

/** Creates buffers for the attempts of one day. */
export function attemptsOfADay(): AttemptsOfADay {
  return { kinds: new Int32Array(4), minutes: new Int32Array(4), answers: new Int32Array(4) };
}

const block = new Int32Array(2);

/** User whose attempts are drawn, with the position in the random stream. */
export interface DrawnFor {
  readonly seed: number;
  readonly user: number;
  readonly segment: number;
  /** Number of the random word that drew the day and its first attempt. The words of the other attempts follow. */
  readonly firstWord: number;
  /** Number of attempts on the day after the first one. */
  readonly extra: number;
}

/** Draws the types of the attempts after the first one of a day, and writes them to `kinds`. */
export function drawKinds(tables: DrawTables, drawnFor: DrawnFor, { kinds }: AttemptsOfADay): void {
  const { kindBits, kindAt, kindThresholds, kindOutcomes } = tables;
  const { seed, user, segment, firstWord, extra } = drawnFor;
  const bits = kindBits[segment] as number;
  for (let place = 1; place <= extra; place += 1) {
    const wordNumber = firstWord + place;
    threefry2x32(seed, user, wordNumber >>> 1, streams.attempts, block);
    const word = block[wordNumber & 1] as number;
    const column = (kindAt[segment] as number) + (word >>> (32 - bits));
    const pair = kindOutcomes[column] as number;
    kinds[place] = (word & (-1 >>> bits)) < (kindThresholds[column] as number) ? pair & 0xffff : pair >>> 16;
  }
}

/**
 * Draws the times of all attempts of a day, and the random words for the actions at prompts. Types and times are
 * independent, so the times are sorted. They are at least one prompt lifetime apart.
 */
export function drawMoments(tables: DrawTables, drawnFor: DrawnFor, { minutes, answers }: AttemptsOfADay): void {
  const { seed, user, segment, firstWord, extra } = drawnFor;
  for (let place = 0; place <= extra; place += 1) {
    threefry2x32(seed, user, firstWord + place, streams.moments, block);
    minutes[place] = getMinute(tables, segment, block[0] as number);
    answers[place] = block[1] as number;
  }
  spread(minutes, extra);
}

/**
 * Sorts times and spaces them apart. Later times are moved forward, or back from the end of the day if they reach
 * it.
 */
function spread(minutes: Int32Array, last: number): void {
  for (let sorted = 1; sorted <= last; sorted += 1) {
    const minute = minutes[sorted] as number;
    let place = sorted;
    for (; place > 0 && (minutes[place - 1] as number) > minute; place -= 1) {
      minutes[place] = minutes[place - 1] as number;
    }
    minutes[place] = minute;
  }
  for (let place = 1; place <= last; place += 1) {
    minutes[place] = Math.max(minutes[place] as number, (minutes[place - 1] as number) + spacingMinutes);
  }
  let latest = lastMinute;
  for (let place = last; place >= 0 && (minutes[place] as number) > latest; place -= 1) {
    minutes[place] = latest;
    latest -= spacingMinutes;
  }
  if ((minutes[0] as number) < 0 || (minutes[last] as number) >= dayMinutes)
    throw new RangeError('The day is too short.');
}
