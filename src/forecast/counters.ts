import { answerPaths } from './action-paths.ts';

/**
 * Layout of the kernel's counters. Each day has three rows of 32 counters, and each type of row is stored for all
 * days in sequence. The rows count sign-ins without a prompt by reason, actions at prompts, and changes in the
 * number of never prompted users by the reason of their latest attempt. Counters per user follow at the end. All
 * values are integers, so sums do not depend on the order of addition.
 */
const rowBits = 5;
export const rowCounters = 2 ** rowBits;

/** Offsets in the prompt row: paths of skippable prompts, then paths of required prompts, then these counters. */
export const promptCounters = {
  paths: 0,
  snoozed: 2 * answerPaths.length,
  firstPrompted: 2 * answerPaths.length + 1,
  firstRequired: 2 * answerPaths.length + 2,
  firstRegistered: 2 * answerPaths.length + 3,
  /** Offset of the changes in the number of users per lifecycle state. */
  stocks: 2 * answerPaths.length + 4,
} as const;

/** Nudge states that the daily totals count, in column order. `snoozed` applies only during the snooze period. */
export const countedStates = ['notPrompted', 'snoozed', 'registrationRequired', 'registered'] as const;

/** Column indexes of states that change through the passing of time alone. */
export const stocks = {
  notPrompted: countedStates.indexOf('notPrompted'),
  snoozed: countedStates.indexOf('snoozed'),
} as const;

/** Number of counters for prompts per user at the end. The last counter includes all higher numbers. */
export const promptHistogram = 64;

/** Offsets of the counters per segment: users, then prompted, required and registered users, then prompts. */
export const segmentCounters = { users: 0, reached: 1, required: 2, registered: 3, prompts: 4, size: 8 } as const;

/** Offsets of all counters in a forecast. */
export interface CounterLayout {
  /** Base-2 logarithm of the number of counters in a row. */
  readonly rowBits: number;
  readonly reasons: number;
  readonly prompts: number;
  readonly unreached: number;
  readonly startStocks: number;
  readonly promptsPerUser: number;
  readonly segments: number;
  readonly size: number;
}

/** Computes the counter layout for a number of days and segments, with rows of `2 ** bits` counters. */
export function counterLayout(days: number, segments: number, bits = rowBits): CounterLayout {
  // A shift gives a small integer, which V8 adds without conversion.
  const daily = days << bits;
  const startStocks = 3 * daily;
  const promptsPerUser = startStocks + countedStates.length;
  const segmentsAt = promptsPerUser + promptHistogram;
  return {
    rowBits: bits,
    reasons: 0,
    prompts: daily,
    unreached: 2 * daily,
    startStocks,
    promptsPerUser,
    segments: segmentsAt,
    size: segmentsAt + segments * segmentCounters.size,
  };
}
