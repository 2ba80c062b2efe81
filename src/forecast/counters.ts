import { answerPaths } from './action-paths.ts';

/**
 * Where the kernel counts what. A day has three rows of 32 counters, one behind the other for all days: sign-ins without a prompt
 * by reason, what happened at prompts, and changes of the stock of users who were never asked, by the reason of their latest
 * attempt. The end holds what is counted once for each user. All are whole numbers, so that sums do not depend on any order.
 */
export const rowBits = 5;
export const rowCounters = 2 ** rowBits;

/** In the row of prompts: paths of skippable prompts, then of required ones, then these. */
export const promptCounters = {
  paths: 0,
  snoozed: 2 * answerPaths.length,
  firstAsked: 2 * answerPaths.length + 1,
  firstRequired: 2 * answerPaths.length + 2,
  firstRegistered: 2 * answerPaths.length + 3,
  /** Changes of the stocks of users by their state of the lifecycle. */
  stocks: 2 * answerPaths.length + 4,
} as const;

/** The states that stocks tell apart, in their order; `snoozed` only while the snooze runs. */
export const countedStates = ['notPrompted', 'snoozed', 'registrationRequired', 'registered'] as const;

/** The places of stocks that the passing of time alone changes. */
export const stocks = {
  notPrompted: countedStates.indexOf('notPrompted'),
  snoozed: countedStates.indexOf('snoozed'),
} as const;

/** How often users were asked at the end: so many times, and the last counter more often. */
export const promptHistogram = 64;

/** For each segment: its users, those reached, required and registered, and the prompts. */
export const segmentCounters = { users: 0, reached: 1, required: 2, registered: 3, prompts: 4, size: 8 } as const;

/** The places of all counters of a forecast. */
export interface CounterLayout {
  readonly reasons: number;
  readonly prompts: number;
  readonly unreached: number;
  readonly startStocks: number;
  readonly asked: number;
  readonly segments: number;
  readonly size: number;
}

/** Lays out the counters. Takes how many days and segments there are. */
export function counterLayout(days: number, segments: number): CounterLayout {
  const daily = days * rowCounters;
  const startStocks = 3 * daily;
  const asked = startStocks + countedStates.length;
  const segmentsAt = asked + promptHistogram;
  return {
    reasons: 0,
    prompts: daily,
    unreached: 2 * daily,
    startStocks,
    asked,
    segments: segmentsAt,
    size: segmentsAt + segments * segmentCounters.size,
  };
}
