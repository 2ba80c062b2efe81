import { effectiveCampaign } from '../../machines/effective-campaign.ts';
import { rulesetIds, rulesets } from '../../machines/rulesets/ruleset-registry.ts';
import type { Ruleset } from '../../machines/vocabulary.ts';
import type { ForecastDescription } from '../contract/forecast.schema.ts';
import {
  type Band,
  type BandSeries,
  bandSeries,
  type ForecastDay,
  type ForecastFigures,
  type ForecastReport,
  type PromptCounts,
  type Spread,
} from '../contract/forecast-report.ts';
import { NudgeLabError } from '../core/errors.ts';
import { type CompiledForecast, compileForecast, firstDayMs } from './compile-forecast.ts';
import { findRulesOfPeriod } from './dated-rules.ts';
import type { ForecastCounts } from './forecast-pool.ts';
import { digestText } from './population-digest.ts';
import { builtInMeaning, CountedDays, type CounterMeaning } from './read-counters.ts';
import { listReasons } from './verdict-table.ts';

/** Returns the ruleset named by a description. Throws `forecast-invalid` if it is unknown. */
function getRuleset({ ruleset }: Pick<ForecastDescription, 'ruleset'>): Ruleset {
  const found = rulesets.get(ruleset);
  if (found !== undefined) return found;
  throw new NudgeLabError('forecast-invalid', {
    problems: [{ location: 'ruleset', message: `${JSON.stringify(ruleset)} is not one of ${rulesetIds.join(', ')}` }],
  });
}

/**
 * Compiles a description with the ruleset that it names.
 *
 * @param description - description of the tenant
 * @param fromFile - ruleset of a file, whose id the description names; `null` for a built-in one
 * @throws `forecast-invalid` and `forecast-too-large`
 */
export function compileDescription(
  description: ForecastDescription,
  fromFile: Ruleset | null = null,
): CompiledForecast {
  const ruleset = fromFile ?? getRuleset(description);
  const compiled = compileForecast(description, findRulesOfPeriod(description, ruleset));
  return fromFile === null ? compiled : { ...compiled, fromFile };
}

/** Creates the report from the counters. `users` is the requested number of users. */
export function forecastReport(compiled: CompiledForecast, counts: ForecastCounts, users: number): ForecastReport {
  const { description, ruleset, segments, tables } = compiled;
  const campaign = effectiveCampaign(description.tenant, ruleset);
  return reportCounts(
    {
      description,
      ruleset: ruleset.id,
      campaign,
      segments,
      tablesDigest: tables.digest,
      ...(ruleset.extension === undefined ? {} : { meaning: { ...builtInMeaning, reasons: listReasons(ruleset) } }),
    },
    counts,
    users,
  );
}

/** What a report states besides its counts. */
export interface ReportedForecast
  extends Pick<ForecastReport, 'ruleset' | 'campaign' | 'tablesDigest' | 'engine' | 'rulesetDigest'> {
  readonly description: { readonly name: string; readonly start: string; readonly days: number };
  readonly segments: readonly { readonly name: string }[];
  /** Meaning of the counters, unless it is that of the built-in rulesets. */
  readonly meaning?: CounterMeaning;
}

/** Creates the report of counters. `users` is the requested number of users. */
export function reportCounts(
  { description, segments, meaning, tablesDigest, ruleset, campaign, ...own }: ReportedForecast,
  counts: ForecastCounts,
  users: number,
): ForecastReport {
  const names = segments.map(({ name }) => name);
  const runs = counts.counters.map((counters) => {
    const counted = new CountedDays(counters, description.days, names, meaning);
    const daily = counted.daily(firstDayMs(description));
    const totals = counted.totals();
    return { counted, daily, totals, figures: computeFigures(counted.users, daily, totals) };
  });
  const [first] = runs;
  if (first === undefined) throw new RangeError('A forecast requires a random seed.');
  return {
    name: description.name,
    ruleset,
    campaign,
    ...own,
    start: description.start,
    days: description.days,
    users,
    simulatedUsers: first.counted.users,
    complete: counts.complete,
    seeds: counts.seeds,
    tablesDigest,
    usersDigest: digestText(counts.digest),
    figures: first.figures,
    totals: first.totals,
    daily: first.daily,
    segments: first.counted.segments(),
    promptCountHistogram: first.counted.promptCountHistogram(),
    warnings: listWarnings(first.totals, counts, users, first.counted.users),
    bands: runs.length < 2 ? null : computeBands(runs.map(({ daily }) => daily)),
    spread: runs.length < 2 ? null : computeSpread(runs.map(({ figures }) => figures)),
  };
}

function computeFigures(users: number, daily: readonly ForecastDay[], totals: PromptCounts): ForecastFigures {
  const last = daily.at(-1);
  const registered = last?.registeredUsers ?? 0;
  const findDay = (share: number): number | null => {
    const day = daily.findIndex(({ registeredUsers }) => registered > 0 && registeredUsers >= share * registered);
    return day === -1 ? null : day + 1;
  };
  const computeShare = (some: number): number => (users === 0 ? 0 : some / users);
  return {
    users,
    registeredShare: computeShare(registered),
    promptedShare: computeShare(last?.promptedUsers ?? 0),
    requiredShare: computeShare(last?.requiredUsers ?? 0),
    promptsPerUser: computeShare(totals.prompts),
    promptsPerRegistration: totals.registered === 0 ? null : totals.prompts / totals.registered,
    registeredP50Day: findDay(0.5),
    registeredP90Day: findDay(0.9),
  };
}

function listWarnings(
  totals: PromptCounts,
  counts: ForecastCounts,
  users: number,
  simulated: number,
): readonly string[] {
  const warnings: string[] = [];
  if (totals.prompts === 0) warnings.push('This campaign prompts no users: no attempt leads to a prompt.');
  if (!counts.complete) {
    warnings.push(
      `The time limit was reached after ${simulated} of ${users} users; all counts cover only these users.`,
    );
  }
  return warnings;
}

function computeBands(runs: readonly (readonly ForecastDay[])[]): Readonly<Record<BandSeries, Band>> {
  const names = Object.keys(bandSeries) as readonly BandSeries[];
  return Object.fromEntries(
    names.map((name) => {
      const days = (runs[0] ?? []).map((_, day) =>
        spread(runs.map((run) => seriesValue(run[day] as ForecastDay, name))),
      );
      const band: Band = {
        low: days.map(({ low }) => low),
        median: days.map(({ median: middle }) => middle),
        high: days.map(({ high }) => high),
      };
      return [name, band];
    }),
  ) as Record<BandSeries, Band>;
}

/** Returns the value of a series on a day. */
function seriesValue(day: ForecastDay, series: BandSeries): number {
  if (series !== 'neverPromptedByReason') return day[series];
  return Object.values(day.neverPromptedByReason).reduce((sum, users) => sum + users, 0);
}

function computeSpread(runs: readonly ForecastFigures[]): NonNullable<ForecastReport['spread']> {
  return {
    registeredShare: spread(runs.map(({ registeredShare }) => registeredShare)),
    promptedShare: spread(runs.map(({ promptedShare }) => promptedShare)),
    requiredShare: spread(runs.map(({ requiredShare }) => requiredShare)),
    promptsPerUser: spread(runs.map(({ promptsPerUser }) => promptsPerUser)),
  };
}

/**
 * Computes the median and a band that contains at least 90% of the values. For a few values the band is the minimum
 * and maximum, so it always includes the first random seed, whose figures are reported.
 */
function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  const outer = Math.floor(0.05 * last);
  const [below = 0, above = below] = [sorted[Math.floor(last / 2)], sorted[Math.ceil(last / 2)]];
  return { low: sorted[outer] ?? 0, median: (below + above) / 2, high: sorted[last - outer] ?? 0 };
}
