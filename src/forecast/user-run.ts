import { threefry2x32 } from '../core/threefry.ts';
import type { CounterLayout } from './counters.ts';
import { type ForecastTables, streams } from './forecast-tables.ts';

/** What one run of the kernel reads and writes. */
export interface KernelRun {
  readonly tables: ForecastTables;
  readonly layout: CounterLayout;
  readonly counters: Int32Array;
  readonly seed: number;
  /** The words of the latest block that was asked for. */
  readonly block: Int32Array;
  /** Where each attempt is told, see `attemptLogSize`; `null` where no one asks. */
  readonly log: number[] | null;
}

/**
 * The state of the user who is being simulated, one number a slot: in one array, because the loop takes it up again after every
 * prompt.
 */
export const slots = {
  /** The user's number, as a signed 32-bit integer: the second word of the key. */
  user: 0,
  userClass: 1,
  segment: 2,
  /** Where the class's row of kinds of attempt begins. */
  row: 3,
  /** State of the lifecycle at rest. */
  state: 4,
  /** The minute at which the latest snooze is over; the first day begins at 0. */
  dueMinute: 5,
  asked: 6,
  wasRequired: 7,
  wasRegistered: 8,
  /** The number of the reason of the latest attempt without a prompt, as long as the user was never asked. */
  latestReason: 9,
  day: 10,
  weekday: 11,
  /** How many words of the stream of attempts are used up. */
  words: 12,
  /** The second word of the block in use, and the two of the block after it. */
  secondWord: 13,
  nextFirst: 14,
  nextSecond: 15,
  /** The attempt at which the loop stopped. */
  kind: 16,
  minute: 17,
  answer: 18,
  extra: 19,
} as const;

/** Numbers that the log holds of each attempt: day, kind, what happened, and the state after it. */
export const attemptLogSize = 4;

/** What happened, as the log tells it: below it the number of a reason, from it on `required * paths + path`. */
export const promptedFrom = 32;

/** Tells the log of an attempt. It stands apart so that the loop stays small. */
export function attemptLogged(log: number[], attempt: readonly [number, number, number, number]): void {
  log.push(...attempt);
}

const slotCount = Object.keys(slots).length;

/** Room for the state of one user. */
export function userSlots(): Int32Array {
  return new Int32Array(slotCount);
}

/** Brings a user to the evening before the first day. Takes the run, the slots to fill, and the number of the user. */
export function beginUser({ tables, seed, block }: KernelRun, slot: Int32Array, user: number): void {
  const key = user | 0;
  threefry2x32(seed, key, 0, streams.start, block);
  const start = sampleStart(tables, block[0] as number);
  const userClass = tables.startClass[start] as number;
  slot.fill(0);
  slot[slots.user] = key;
  slot[slots.userClass] = userClass;
  slot[slots.segment] = tables.segmentOf[userClass] as number;
  slot[slots.row] = tables.rowOf[userClass] as number;
  slot[slots.state] = tables.startState[start] as number;
  slot[slots.dueMinute] = tables.startDueMinute[start] as number;
  slot[slots.day] = -1;
  slot[slots.weekday] = tables.weekdayBefore;
  threefry2x32(seed, key, 0, streams.attempts, block);
  slot[slots.nextFirst] = block[0] as number;
  slot[slots.nextSecond] = block[1] as number;
}

/** The starting entry that a word draws. */
export function sampleStart({ startBits, startThresholds, startOutcomes }: ForecastTables, word: number): number {
  const column = word >>> (32 - startBits);
  const pair = startOutcomes[column] as number;
  return (word & (-1 >>> startBits)) < (startThresholds[column] as number) ? pair & 0xffff : pair >>> 16;
}
