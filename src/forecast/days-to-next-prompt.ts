import { threefry2x32 } from '../core/threefry.ts';
import { getMinute } from './day-of-attempts.ts';
import {
  type DrawTables,
  dayMinutes as importedDayMinutes,
  lastMinute as importedLastMinute,
  streams,
} from './forecast-tables.ts';
import { attemptLogged, slots as importedSlots, type KernelRun } from './user-run.ts';

/**
 * Reasons for leaving the loop: the days have ended, the user is prompted, or a day has several attempts or is one on
 * which a time of the user passes.
 */
export const stops = { end: 0, prompted: 1, severalAttempts: 2 } as const;

/** Constants of this module, because V8 compiles only those into the code and loads imported ones at every use. */
const slots = importedSlots;
const dayMinutes = importedDayMinutes;
const lastMinute = importedLastMinute;

/**
 * Advances a user from sign-in to sign-in and counts the reasons for suppressed prompts, until a prompt occurs. The
 * days between two sign-ins are drawn as one gap. Returns one of `stops`.
 *
 * Forecasts spend most of their time in this function. The Threefry rounds are inlined because a call costs as much
 * as they do. The next block is started before the current one is used, so a mispredicted branch does not wait for
 * it. A test compares the words with `threefry2x32`. Choices between two outcomes are branchless for the same
 * reason.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one loop, whose rounds are written out; see above.
export function advanceToPrompt(run: KernelRun<DrawTables>, slot: Int32Array): number {
  const { tables, layout, counters, seed, block, log } = run;
  const { days, gaps, reasons, timerReason } = tables;
  const { unreached, rowBits } = layout;
  const key = slot[slots.user] as number;
  const key2 = seed ^ key ^ 0x1bd11bda;
  const segment = slot[slots.segment] as number;
  const gapAt = tables.gapAt[segment] as number;
  const gapBits = tables.gapBits[segment] as number;
  const shift = 32 - gapBits;
  const mask = -1 >>> gapBits;
  const row = slot[slots.row] as number;
  const dueMinute = slot[slots.dueMinute] as number;
  // First day whose last minute is not before the end of the snooze period.
  const openDay = Math.ceil((dueMinute - lastMinute) / dayMinutes) | 0;
  const neverPrompted = slot[slots.prompts] === 0;
  let latestReason = slot[slots.latestReason] as number;
  let day = slot[slots.day] as number;
  let weekday = slot[slots.weekday] as number;
  const untilDay = slot[slots.untilDay] as number;
  let words = slot[slots.words] as number;
  let secondWord = slot[slots.secondWord] as number;
  let nextFirst = slot[slots.nextFirst] as number;
  let nextSecond = slot[slots.nextSecond] as number;
  let kind = 0;
  let minute = 0;
  let stop: number = stops.end;
  for (;;) {
    let word = secondWord;
    if ((words & 1) === 0) {
      word = nextFirst;
      secondWord = nextSecond;
      let a = ((words >>> 1) + 1 + seed) | 0;
      let b = key;
      a = (a + b) | 0;
      b = ((b << 13) | (b >>> 19)) ^ a;
      a = (a + b) | 0;
      b = ((b << 15) | (b >>> 17)) ^ a;
      a = (a + b) | 0;
      b = ((b << 26) | (b >>> 6)) ^ a;
      a = (a + b) | 0;
      b = ((b << 6) | (b >>> 26)) ^ a;
      a = (a + key) | 0;
      b = (((b + key2) | 0) + 1) | 0;
      a = (a + b) | 0;
      b = ((b << 17) | (b >>> 15)) ^ a;
      a = (a + b) | 0;
      b = ((b << 29) | (b >>> 3)) ^ a;
      a = (a + b) | 0;
      b = ((b << 16) | (b >>> 16)) ^ a;
      a = (a + b) | 0;
      b = ((b << 24) | (b >>> 8)) ^ a;
      a = (a + key2) | 0;
      b = (((b + seed) | 0) + 2) | 0;
      a = (a + b) | 0;
      b = ((b << 13) | (b >>> 19)) ^ a;
      a = (a + b) | 0;
      b = ((b << 15) | (b >>> 17)) ^ a;
      a = (a + b) | 0;
      b = ((b << 26) | (b >>> 6)) ^ a;
      a = (a + b) | 0;
      b = ((b << 6) | (b >>> 26)) ^ a;
      a = (a + seed) | 0;
      b = (((b + key) | 0) + 3) | 0;
      a = (a + b) | 0;
      nextFirst = a;
      nextSecond = ((b << 17) | (b >>> 15)) ^ a;
    }
    words = (words + 1) | 0;
    const column = (gapAt + (((weekday << gapBits) + (word >>> shift)) << 1)) | 0;
    // The sign of the difference selects one half of the pair.
    const otherHalf = 16 & ~(((word & mask) - (gaps[column] as number)) >> 31);
    const outcome = ((gaps[column + 1] as number) >>> otherHalf) & 0xffff;
    const gap = outcome & 7;
    day = (day + (gap === 0 ? 7 : gap)) | 0;
    if (day >= days) break;
    if (gap === 0) continue;
    weekday = (weekday + gap) | 0;
    weekday = (weekday - (7 & ~((weekday - 7) >> 31))) | 0;
    kind = outcome >>> 5;
    // Several attempts, or a day from `untilDay` on: the sign of the difference is 0 then.
    if (((outcome & 24) | ~((day - untilDay) >> 31)) !== 0) {
      slot[slots.extra] = (outcome >>> 3) & 3;
      stop = stops.severalAttempts;
      break;
    }
    let reason = reasons[(row + kind) | 0] as number;
    // If no other gate stops and the snooze period lasts until the last minute of the day, the timer stops.
    reason |= timerReason & ((reason - 1) >> 31) & ((day - openDay) >> 31);
    if (reason === 0) {
      threefry2x32(seed, key, words - 1, streams.moments, block);
      minute = getMinute(tables, segment, block[0] as number);
      if (Math.imul(day, dayMinutes) + minute >= dueMinute) {
        stop = stops.prompted;
        break;
      }
      reason = timerReason;
    }
    const place = ((day << rowBits) + reason) | 0;
    counters[place] = (counters[place] as number) + 1;
    if (neverPrompted) {
      const stock = (unreached + (day << rowBits)) | 0;
      counters[stock + latestReason] = (counters[stock + latestReason] as number) - 1;
      counters[stock + reason] = (counters[stock + reason] as number) + 1;
      latestReason = reason;
    }
    if (log !== null) attemptLogged(log, [day, kind, reason, slot[slots.state] as number]);
  }
  slot[slots.latestReason] = latestReason;
  slot[slots.day] = day;
  slot[slots.weekday] = weekday;
  slot[slots.words] = words;
  slot[slots.secondWord] = secondWord;
  slot[slots.nextFirst] = nextFirst;
  slot[slots.nextSecond] = nextSecond;
  slot[slots.kind] = kind;
  slot[slots.minute] = minute;
  slot[slots.answer] = block[1] as number;
  return stop;
}
