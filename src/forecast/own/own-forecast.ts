import type { OwnRuleset } from '../../../machines/own/own-ruleset.ts';
import { nudgeStates } from '../../../machines/vocabulary.ts';
import type { ForecastReport } from '../../contract/forecast-report.ts';
import type { OwnForecastDescription } from '../../contract/own-forecast.schema.ts';
import { counterLayout } from '../counters.ts';
import { reportCounts } from '../forecast.ts';
import type { ForecastCounts } from '../forecast-pool.ts';
import type { Simulation } from '../partition-work.ts';
import { attemptLogSize } from '../user-run.ts';
import { compileOwn } from './compile-own.ts';
import { type FoldedAttempt, foldUser } from './fold-users.ts';
import { compileDraws, listOwnReasons, type OwnDraws } from './own-draws.ts';
import type { OwnEngine } from './own-engines.ts';
import { ownPromptedFrom, simulateOwnUsers } from './own-kernel.ts';
import { type OwnPlan, planOwnForecast } from './own-plan.ts';
import { type OwnTables, ownPromptCounters } from './own-tables.ts';

/** Forecast of an own ruleset that is ready to run. */
export interface OwnForecast {
  readonly plan: OwnPlan;
  readonly draws: OwnDraws;
  readonly engine: OwnEngine;
  readonly tables: Simulation;
  readonly segments: OwnPlan['segments'];
}

/**
 * Prepares the forecast of an own ruleset.
 *
 * @throws NotCompiled for the engine `table` if the ruleset has no finite tables, and NudgeLabError `forecast-invalid`
 *   and `forecast-too-large`
 */
export function prepareOwnForecast(
  description: OwnForecastDescription,
  ruleset: OwnRuleset,
  engine: OwnEngine,
): OwnForecast {
  const plan = planOwnForecast(description, ruleset);
  const draws = compileDraws(plan);
  const tables = engine === 'table' ? compileOwn(plan) : { plan, draws };
  return { plan, draws, engine, tables, segments: plan.segments };
}

/** Creates the report from the counters. `users` is the requested number of users. */
export function ownForecastReport(
  { plan, draws, engine, segments }: OwnForecast,
  counts: ForecastCounts,
  users: number,
): ForecastReport {
  const { description, ruleset, paths } = plan;
  const parts = {
    description,
    ruleset: ruleset.id,
    campaign: null,
    engine,
    rulesetDigest: ruleset.digest,
    segments,
    tablesDigest: draws.digest,
    meaning: {
      rowBits: draws.rowBits,
      paths,
      reasons: listOwnReasons(plan),
      columns: ownPromptCounters(paths.length),
    },
  };
  return reportCounts(parts, counts, users);
}

/** Attempt as both engines give it, in the same form. */
type ComparedAttempt = Omit<FoldedAttempt, 'atMs'>;

/** Lists the attempts of one user as the tables simulate them. */
function listTableAttempts({ plan, draws }: OwnForecast, tables: OwnTables, seed: number, user: number) {
  const layout = counterLayout(draws.days, plan.segments.length, draws.rowBits);
  const reasons = listOwnReasons(plan);
  const log: number[] = [];
  const output = { population: new Uint32Array(1), counters: new Int32Array(layout.size), log };
  simulateOwnUsers(tables, layout, { seed, firstUser: user, endUser: user + 1 }, output);
  return Array.from({ length: log.length / attemptLogSize }, (_, attempt): ComparedAttempt => {
    const [day = 0, kind = 0, code = 0, state = 0] = log.slice(attempt * attemptLogSize);
    const status = nudgeStates[state] ?? 'notPrompted';
    if (code < ownPromptedFrom) {
      const reason = reasons[code - 1] ?? null;
      return { day, kind, outcome: reason === 'blocked' ? 'blocked' : 'none', reason, path: null, status };
    }
    const path = code - ownPromptedFrom;
    const outcome = path < draws.paths ? 'skippable' : 'required';
    return { day, kind, outcome, reason: null, path: plan.paths[path % draws.paths]?.name ?? null, status };
  });
}

/** Result of comparing the tables with the campaign itself. */
export interface OwnVerification {
  readonly users: number;
  readonly attempts: number;
  readonly difference: {
    readonly user: number;
    readonly attempt: number;
    readonly kernel: ComparedAttempt | null;
    readonly machines: ComparedAttempt | null;
  } | null;
}

/** Replays users on the campaign, and compares each attempt with the tables. `sample` of the users are compared. */
export function verifyOwnForecast(forecast: OwnForecast, seed: number, users: number, sample: number): OwnVerification {
  const { plan, draws } = forecast;
  const tables = 'plan' in forecast.tables ? compileOwn(plan) : (forecast.tables as OwnTables);
  const compared = Math.min(users, sample);
  let attempts = 0;
  for (let number = 0; number < compared; number += 1) {
    const user = Math.floor((number * users) / compared);
    const kernel = listTableAttempts(forecast, tables, seed, user);
    const machines = foldUser(plan, draws, seed, user).attempts.map(({ atMs: _time, ...attempt }) => attempt);
    attempts += machines.length;
    const length = Math.max(kernel.length, machines.length);
    for (let attempt = 0; attempt < length; attempt += 1) {
      const [one, other] = [kernel[attempt] ?? null, machines[attempt] ?? null];
      if (isSame(one, other)) continue;
      return { users: number + 1, attempts, difference: { user, attempt, kernel: one, machines: other } };
    }
  }
  return { users: compared, attempts, difference: null };
}

function isSame(one: ComparedAttempt | null, other: ComparedAttempt | null): boolean {
  const keys = ['day', 'kind', 'outcome', 'reason', 'path', 'status'] as const;
  return one !== null && other !== null && keys.every((key) => one[key] === other[key]);
}
