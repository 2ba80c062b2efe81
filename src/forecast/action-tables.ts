import { answerPaths, pathWeights } from './action-paths.ts';
import { aliasTable } from './alias-table.ts';
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
  'startBits' | 'startThresholds' | 'startOutcomes' | 'startClass' | 'startState' | 'startDueMinute'
>;

/**
 * Creates the tables of a user's class and lifecycle state before the first day. The inputs are the segments, the
 * classes of their starting users, the lifecycle and the snooze duration.
 */
export function startTables(
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
  const { bits, thresholds, outcomes } = aliasTable(
    entries.map(({ weight }) => weight),
    entries.map((_, number) => number),
  );
  return {
    startBits: bits,
    startThresholds: thresholds,
    startOutcomes: outcomes,
    startClass: Uint16Array.from(entries, ({ userClass }) => userClass),
    startState: Uint8Array.from(entries, ({ state }) => state),
    startDueMinute: Int32Array.from(entries, ({ dueMinute }) => dueMinute),
  };
}

function computeDueMinute(daysAgo: number | null, snoozeMinutes: number): number {
  return daysAgo === null ? longOverMinute : snoozeMinutes - startedMinutesAgo(daysAgo);
}

/** Converts the start of a snooze from days before the first day to whole minutes before it. */
export function startedMinutesAgo(daysAgo: number): number {
  return Math.round(daysAgo * dayMinutes);
}
