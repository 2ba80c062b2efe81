import type { ForecastDescription } from '../contract/forecast.schema.ts';
import { NudgeLabError } from '../core/errors.ts';
import { answerPaths, pathWeights } from './action-paths.ts';
import { aliasTable, outcomesMax } from './alias-table.ts';
import { allocate } from './allocate-users.ts';
import { answerBits, dayMinutes, type ForecastTables, longOverMinute } from './forecast-tables.ts';
import type { LifecycleTable } from './lifecycle-table.ts';
import type { SegmentPlan } from './segment-plan.ts';

const pathNumbers = answerPaths.map((_, number) => number);

/**
 * Creates the tables of user actions by segment, prompt number, requirement, and whether the policy allows the
 * method to register.
 */
export function answerTables(
  segments: readonly SegmentPlan[],
  rounds: number,
): Pick<ForecastTables, 'answerThresholds' | 'answerOutcomes'> {
  const tables = segments.flatMap(({ answers }) =>
    Array.from({ length: rounds }, (_, round) =>
      [false, true].flatMap((required) =>
        [false, true].map((admitted) =>
          aliasTable(pathWeights(answers, { required, round, admitted }), pathNumbers, answerBits),
        ),
      ),
    ).flat(),
  );
  return {
    answerThresholds: Uint32Array.from(tables.flatMap(({ thresholds }) => [...thresholds])),
    answerOutcomes: Uint32Array.from(tables.flatMap(({ outcomes }) => [...outcomes])),
  };
}

type StartTables = Pick<
  ForecastTables,
  'startBits' | 'startThresholds' | 'startOutcomes' | 'startEnds' | 'startClass' | 'startState' | 'startDueMinute'
>;

/**
 * Creates the tables of a user's class and lifecycle state before the first day. The inputs are the description, the
 * segments, the classes of their starting users, the lifecycle and the snooze duration. Throws `forecast-too-large`.
 */
export function startTables(
  { users: userCount, allocation }: Pick<ForecastDescription, 'users' | 'allocation'>,
  segments: readonly SegmentPlan[],
  startingClasses: readonly (readonly number[])[],
  lifecycle: LifecycleTable,
  snoozeMinutes: number,
): StartTables {
  const entries = segments.flatMap(({ share, users }, segment) =>
    users.map((user, place) => ({
      weight: share * user.share,
      userClass: startingClasses[segment]?.[place] as number,
      state: lifecycle.getStart(user.snoozes, user.snoozedDaysAgo !== null),
      dueMinute: computeDueMinute(user.snoozedDaysAgo, snoozeMinutes),
    })),
  );
  if (entries.length > outcomesMax) {
    throw new NudgeLabError('forecast-too-large', {
      message: `The segments have ${entries.length} user types; the maximum is ${outcomesMax}.`,
    });
  }
  const weights = entries.map(({ weight }) => weight);
  const { bits, thresholds, outcomes } = aliasTable(
    weights,
    entries.map((_, number) => number),
  );
  return {
    ...(allocation === 'proportional' ? { startEnds: computeEnds(allocate(weights, userCount)) } : {}),
    startBits: bits,
    startThresholds: thresholds,
    startOutcomes: outcomes,
    startClass: Uint16Array.from(entries, ({ userClass }) => userClass),
    startState: Uint8Array.from(entries, ({ state }) => state),
    startDueMinute: Int32Array.from(entries, ({ dueMinute }) => dueMinute),
  };
}

/** Computes the running totals of counts, so each is the end of a range. */
export function computeEnds(counts: readonly number[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(counts, (count) => {
    end += count;
    return end;
  });
}

function computeDueMinute(daysAgo: number | null, snoozeMinutes: number): number {
  return daysAgo === null ? longOverMinute : snoozeMinutes - startedMinutesAgo(daysAgo);
}

/** Converts the start of a snooze from days before the first day to whole minutes before it. */
export function startedMinutesAgo(daysAgo: number): number {
  return Math.round(daysAgo * dayMinutes);
}
