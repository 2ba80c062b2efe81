import { threefry2x32 } from '../core/threefry.ts';
import type { CounterLayout } from './counters.ts';
import { type DrawTables, type ForecastTables, type StartDraws, streams } from './forecast-tables.ts';

/** Input and output of one kernel run. */
export interface KernelRun<T extends DrawTables = ForecastTables> {
  readonly tables: T;
  readonly layout: CounterLayout;
  readonly counters: Int32Array;
  readonly seed: number;
  /** Words of the most recent random block. */
  readonly block: Int32Array;
  /** Log of each attempt; `null` if it is not needed. See `attemptLogSize`. */
  readonly log: number[] | null;
}

/** Indexes of the simulated user's state in a single array, which lets the loop continue after every prompt. */
export const slots = {
  /** User number as a signed 32-bit integer, which is the second word of the key. */
  user: 0,
  userClass: 1,
  segment: 2,
  /** Start of the class's row of attempt types. */
  row: 3,
  /** Lifecycle state between sign-ins. */
  state: 4,
  /** Minute at which the latest snooze period ends. The first day begins at 0. */
  dueMinute: 5,
  prompts: 6,
  wasRequired: 7,
  wasRegistered: 8,
  /** Reason number of the latest attempt without a prompt, as long as the user has never been prompted. */
  latestReason: 9,
  day: 10,
  weekday: 11,
  /** Number of used words in the random stream of attempts. */
  words: 12,
  /** Second word of the current block, followed by the two words of the next block. */
  secondWord: 13,
  nextFirst: 14,
  nextSecond: 15,
  /** Attempt at which the loop stopped. */
  kind: 16,
  minute: 17,
  answer: 18,
  extra: 19,
  /** Day from which sign-ins are evaluated one by one, because a time of the user passes. */
  untilDay: 20,
} as const;

/** Number of log values per attempt: day, type, result, and state after it. */
export const attemptLogSize = 4;

/**
 * Lowest result in the log that means a prompt. Lower values are reason numbers, and prompts are added as `required
 * * paths + path`.
 */
export const promptedFrom = 32;

/** Adds an attempt to the log. A separate function keeps the loop small. */
export function attemptLogged(log: number[], attempt: readonly [number, number, number, number]): void {
  log.push(...attempt);
}

const slotCount = Object.keys(slots).length;

/** Creates a buffer for the state of one user. */
export function userSlots(): Int32Array {
  return new Int32Array(slotCount);
}

/** Initializes the slots with the state of a user before the first day. */
export function beginUser(run: KernelRun, slot: Int32Array, user: number): void {
  const { tables, seed, block } = run;
  const start = findStart(tables, seed, user | 0, block);
  const userClass = tables.startClass[start] as number;
  beginDraws(run, slot, user);
  slot[slots.userClass] = userClass;
  slot[slots.segment] = tables.segmentOf[userClass] as number;
  slot[slots.row] = tables.rowOf[userClass] as number;
  slot[slots.state] = tables.startState[start] as number;
  slot[slots.dueMinute] = tables.startDueMinute[start] as number;
}

/** Clears the slots, and begins the random stream of a user's attempts before the first day. */
export function beginDraws({ tables, seed, block }: KernelRun<DrawTables>, slot: Int32Array, user: number): void {
  const key = user | 0;
  slot.fill(0);
  slot[slots.user] = key;
  slot[slots.day] = -1;
  slot[slots.untilDay] = tables.days;
  slot[slots.weekday] = tables.weekdayBefore;
  threefry2x32(seed, key, 0, streams.attempts, block);
  slot[slots.nextFirst] = block[0] as number;
  slot[slots.nextSecond] = block[1] as number;
}

/** Advances the random stream of attempts to a later word. */
export function skipWords({ seed, block }: Pick<KernelRun, 'seed' | 'block'>, slot: Int32Array, words: number): void {
  const user = slot[slots.user] as number;
  slot[slots.words] = words;
  threefry2x32(seed, user, words >>> 1, streams.attempts, block);
  slot[slots.secondWord] = block[1] as number;
  if ((words & 1) === 1) threefry2x32(seed, user, (words >>> 1) + 1, streams.attempts, block);
  slot[slots.nextFirst] = block[0] as number;
  slot[slots.nextSecond] = block[1] as number;
}

/**
 * Returns the starting entry of a user: its place among the allocated users, or a random draw. `user` is a signed
 * 32-bit integer, and `block` receives the drawn words.
 */
export function findStart(tables: StartDraws, seed: number, user: number, block: Int32Array): number {
  if (tables.startEnds !== undefined) return findAllocated(tables.startEnds, user >>> 0);
  threefry2x32(seed, user, 0, streams.start, block);
  return sampleStart(tables, block[0] as number);
}

/** Returns the first entry whose end is above the number of a user. Numbers beyond the last user start again. */
function findAllocated(ends: Uint32Array, user: number): number {
  const number = user % (ends.at(-1) as number);
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] as number) > number) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the starting entry that a random word draws. */
function sampleStart({ startBits, startThresholds, startOutcomes }: StartDraws, word: number): number {
  const column = word >>> (32 - startBits);
  const pair = startOutcomes[column] as number;
  return (word & (-1 >>> startBits)) < (startThresholds[column] as number) ? pair & 0xffff : pair >>> 16;
}
