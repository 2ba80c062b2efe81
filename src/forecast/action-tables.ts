import { answerPaths, pathWeights } from './action-paths.ts';
import { aliasTable } from './alias-table.ts';
import { answerBits, dayMinutes, type ForecastTables, longOverMinute } from './forecast-tables.ts';
import type { LifecycleTable } from './lifecycle-table.ts';
import type { SegmentPlan } from './segment-plan.ts';

const pathNumbers = answerPaths.map((_, number) => number);

/** What users do at prompts, by segment, round, required, and whether the policy admits what they would register. */
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
 * Who a user is and where they stand before the first day. Takes the segments, the class of each of their starting users, the
 * lifecycle, and how long a snooze lasts.
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
      state: lifecycle.startOf(user.snoozes, user.snoozedDaysAgo !== null),
      dueMinute: dueMinuteOf(user.snoozedDaysAgo, snoozeMinutes),
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

function dueMinuteOf(daysAgo: number | null, snoozeMinutes: number): number {
  return daysAgo === null ? longOverMinute : snoozeMinutes - startedMinutesAgo(daysAgo);
}

/** When a snooze began that a description has begin before the first day, in whole minutes before it. */
export function startedMinutesAgo(daysAgo: number): number {
  return Math.round(daysAgo * dayMinutes);
}
