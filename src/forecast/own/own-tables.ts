import type { DrawTables, StartDraws } from '../forecast-tables.ts';
import type { Boundary } from './boundary.ts';

/** Input of the kernel of own rulesets: only typed arrays, numbers and data, which is sent to threads unchanged. */
export interface OwnTables extends DrawTables, StartDraws {
  /** Digest of what is drawn, and of the ruleset. It does not depend on the engine. */
  readonly digest: string;
  readonly startMs: number;
  readonly rowBits: number;
  /** Number of action paths, and the base-2 logarithm of the columns that draw them. */
  readonly paths: number;
  readonly answerBits: number;
  readonly rounds: number;
  readonly answerThresholds: Uint32Array;
  readonly answerOutcomes: Uint32Array;
  /** Values by path: 1 if the user has done afterwards what the prompt asks for. */
  readonly registers: Uint8Array;

  /** Class of each starting entry, and its instants from `startTimesAt` on, relative to the first day. */
  readonly startClass: Uint32Array;
  readonly startTimesAt: Uint32Array;
  readonly startTimes: Float64Array;

  /** Values by class: segment, first cell of its row, number of instants, and the states that totals count. */
  readonly segmentOf: Uint16Array;
  readonly rowOf: Uint32Array;
  readonly slotsOf: Uint16Array;
  readonly stockOf: Uint8Array;
  readonly statusOf: Uint8Array;
  /** Values by class: 1 if no example of its users was found, so that what they do is not known. */
  readonly isLost: Uint8Array;

  /** Values by cell without a reason of its own: its first turn. A prompt has one turn for each path. */
  readonly cellTurn: Int32Array;
  /** Values by turn: reason number, or one of `prompted`; class afterwards; list of moves, or -1; snoozes started. */
  readonly turnReason: Int16Array;
  readonly turnTarget: Int32Array;
  readonly turnMoves: Int32Array;
  readonly turnSnoozes: Uint8Array;
  /** Origins of the instants after a turn: an instant before it, or -1 for its own time. */
  readonly moves: Int16Array;

  /** Times at which the users of a class change by themselves: from `boundsAt[class]` on. */
  readonly boundsAt: Uint32Array;
  /** Values by bound: instant, or -1 for a time of the calendar; milliseconds after it, or `NaN` for a calendar rule. */
  readonly boundSlot: Int16Array;
  readonly boundOffset: Float64Array;
  readonly boundCalendar: Int16Array;
  readonly calendars: readonly Boundary[];
  readonly boundTarget: Int32Array;
  readonly boundMoves: Int32Array;
  readonly boundSnoozes: Uint8Array;
}

/** Reasons of turns that are prompts. */
export const prompted = { skippable: 0, required: -1 } as const;

/** Maximum number of instants of one user. */
export const instantsMax = 128;

/** Offsets in the row of prompts: the paths of skippable prompts, then those of required ones, then these counters. */
export function ownPromptCounters(paths: number) {
  return {
    snoozed: 2 * paths,
    firstPrompted: 2 * paths + 1,
    firstRequired: 2 * paths + 2,
    firstRegistered: 2 * paths + 3,
    stocks: 2 * paths + 4,
    size: 2 * paths + 8,
  };
}

/** Encodes the final state of a user: segment, number of prompts, and stored nudge state. */
export function ownUserWord(segment: number, prompts: number, status: number): number {
  return ((status << 24) | (Math.min(prompts, 255) << 16) | segment) >>> 0;
}
