import { generatedReasons } from '../../../machines/own/generated-gates.ts';
import { isDataGate, isModuleGate } from '../../../machines/own/own-ruleset.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { computeDigest } from '../../core/digest.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { getWeekday } from '../../core/utc-calendar.ts';
import { computeEnds } from '../action-tables.ts';
import { aliasTable, outcomesMax } from '../alias-table.ts';
import { allocate } from '../allocate-users.ts';
import { answerBits } from '../forecast-tables.ts';
import { habitTables } from '../sign-in-pattern-tables.ts';
import { countRounds, weighPaths } from './own-paths.ts';
import type { OwnPlan } from './own-plan.ts';
import { type OwnTables, ownPromptCounters } from './own-tables.ts';

/** Name under which the report counts sign-ins that end on a page without a way on. */
export const blockedReason = 'blocked';

/** Reasons of a ruleset by their numbers, from 1 on. */
export function listOwnReasons({ ruleset }: Pick<OwnPlan, 'ruleset'>): readonly string[] {
  const all = [ruleset.first, ...ruleset.editions.map(({ rules }) => rules)];
  const ofGates = all.flatMap(({ gates }) => [
    ...gates.filter(isDataGate).map(({ stop }) => stop),
    ...gates.filter(isModuleGate).flatMap(({ reasons }) => Object.keys(reasons)),
  ]);
  return [...new Set([...ofGates, ...Object.values(generatedReasons).flat(), blockedReason])];
}

/** Part of the tables that draws sign-ins and actions, which both engines share. */
export type OwnDraws = Omit<
  OwnTables,
  | 'reasons'
  | 'startClass'
  | 'startTimesAt'
  | 'startTimes'
  | 'segmentOf'
  | 'rowOf'
  | 'slotsOf'
  | 'stockOf'
  | 'statusOf'
  | 'isLost'
  | `cell${string}`
  | `turn${string}`
  | 'moves'
  | 'calendars'
  | `bound${string}`
> & {
  readonly reasons: Uint8Array;
  /** Segment and user of each starting entry. */
  readonly starting: readonly { readonly segment: number; readonly user: number }[];
};

/** Compiles the draws of a plan. Throws `forecast-too-large`. */
export function compileDraws(plan: OwnPlan): OwnDraws {
  const { description, ruleset, segments, paths, startMs } = plan;
  const starting = segments.flatMap(({ users }, segment) => users.map((_, user) => ({ segment, user })));
  const weights = segments.flatMap(({ share, users }) => users.map((user) => share * user.share));
  if (weights.length > outcomesMax) {
    throw new NudgeLabError('forecast-too-large', {
      message: `The segments have ${weights.length} user types; the maximum is ${outcomesMax}.`,
    });
  }
  const start = aliasTable(
    weights,
    weights.map((_, number) => number),
  );
  const bits = Math.max(answerBits, Math.ceil(Math.log2(paths.length)));
  const rounds = Math.max(...segments.map(({ answers }) => countRounds(answers)));
  const actions = segments.flatMap(({ answers }) =>
    Array.from({ length: rounds }, (_, round) =>
      [false, true].map((required) =>
        aliasTable(
          weighPaths(paths, answers, { required, round }),
          paths.map((_path, number) => number),
          bits,
        ),
      ),
    ).flat(),
  );
  const columns = Math.max(listOwnReasons(plan).length + 1, ownPromptCounters(paths.length).size);
  const draws = {
    days: description.days,
    weekdayBefore: (getWeekday(startMs) + 6) % 7,
    ...(description.allocation === 'proportional'
      ? { startEnds: computeEnds(allocate(weights, description.users)) }
      : {}),
    startBits: start.bits,
    startThresholds: start.thresholds,
    startOutcomes: start.outcomes,
    ...habitTables(segments),
    timerReason: 0,
    startMs,
    rowBits: Math.ceil(Math.log2(columns)),
    paths: paths.length,
    answerBits: bits,
    rounds,
    answerThresholds: Uint32Array.from(actions.flatMap(({ thresholds }) => [...thresholds])),
    answerOutcomes: Uint32Array.from(actions.flatMap(({ outcomes }) => [...outcomes])),
    registers: Uint8Array.from(paths, ({ registers }) => Number(registers)),
  };
  const parts = {
    ruleset: ruleset.digest,
    tenant: plan.tenant,
    segments: segments.map(({ users, kinds }) => ({ users, kinds })),
  };
  const digest = computeDigest(
    `${canonicalJson(JSON.parse(JSON.stringify(parts)))}${JSON.stringify(draws, (_, value: unknown) =>
      ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value,
    )}`,
  );
  return { digest, ...draws, reasons: new Uint8Array(), starting };
}
