import { effectiveCampaign } from '../../machines/effective-campaign.ts';
import type { AttemptFacts, Ruleset, UserFacts } from '../../machines/vocabulary.ts';
import { completeAttempt } from '../contract/attempt-facts.ts';
import type { ForecastDescription } from '../contract/forecast.schema.ts';
import { parseInstant } from '../core/clock.ts';
import { computeDigest } from '../core/digest.ts';
import { getWeekday } from '../core/utc-calendar.ts';
import { answerPaths, answerRounds } from './action-paths.ts';
import { answerTables, startTables } from './action-tables.ts';
import { countedStates } from './counters.ts';
import { dayMinutes, type ForecastTables } from './forecast-tables.ts';
import { type LifecycleTable, lifecycleTable } from './lifecycle-table.ts';
import { planSegments, type SegmentPlan } from './segment-plan.ts';
import { habitTables } from './sign-in-pattern-tables.ts';
import { type UserClass, type UserClasses, userClasses } from './user-classes.ts';
import { noReason, type TimerTable, timerTable, verdictTable } from './verdict-table.ts';

/** Compiled description: the tables for the kernel and the meaning of their numbers. */
export interface CompiledForecast {
  readonly description: ForecastDescription;
  readonly ruleset: Ruleset;
  /** Ruleset of a file, as it was read; omitted for a built-in one. */
  readonly fromFile?: Ruleset;
  readonly tables: ForecastTables;
  readonly segments: readonly SegmentPlan[];
  readonly classes: UserClasses['classes'];
  readonly lifecycle: LifecycleTable;
  /** Segment and user of each starting entry in the tables. */
  readonly starting: readonly { readonly segment: number; readonly user: number }[];
}

/**
 * Compiles a description. Rules and lifecycle are evaluated for every case, and distributions become tables for
 * drawing. Throws `forecast-too-large`.
 */
export function compileForecast(description: ForecastDescription, ruleset: Ruleset): CompiledForecast {
  const { tenant } = description;
  const campaign = effectiveCampaign(tenant, ruleset);
  const segments = planSegments(description, campaign.method);
  const { classes, starting: startingClasses } = userClasses(segments, tenant, campaign.method);
  const { rowOf, reasons, timer } = evaluated(description, ruleset, segments, classes);
  const lifecycle = lifecycleTable(campaign.method ?? 'vendorAuthenticator', campaign);
  const snoozeMinutes = timer.snoozeDays * dayMinutes;
  const starting = segments.flatMap(({ users }, segment) => users.map((_, user) => ({ segment, user })));
  const rounds = Math.max(...segments.map(({ answers }) => answerRounds(answers)));
  const tables = {
    days: description.days,
    weekdayBefore: (getWeekday(firstDayMs(description)) + 6) % 7,
    ...startTables(description, segments, startingClasses, lifecycle, snoozeMinutes),
    segmentOf: Uint16Array.from(classes, ({ segment }) => segment),
    rowOf,
    reasons,
    nextClass: Uint16Array.from(classes.flatMap(({ next }) => next)),
    admitted: Uint8Array.from(classes.flatMap(({ admitted }) => admitted.map(Number))),
    ...habitTables(segments),
    rounds,
    ...answerTables(segments, rounds),
    requiredIn: Uint8Array.from(lifecycle.counts, (count) => Number(timer.required[count] ?? false)),
    stockOf: Uint8Array.from(lifecycle.states, (state) => (countedStates as readonly string[]).indexOf(state)),
    paths: answerPaths.length,
    nextState: lifecycle.next,
    snoozeStart: lifecycle.starts,
    registers: Uint8Array.from(answerPaths, ({ registers }) => Number(registers)),
    snoozeMinutes,
    timerReason: timer.reason,
  };
  return {
    description,
    ruleset,
    tables: { digest: digestOfTables(tables), ...tables },
    segments,
    classes,
    lifecycle,
    starting,
  };
}

/** Returns the start of a description's first day in milliseconds since the epoch. */
export function firstDayMs({ start }: Pick<ForecastDescription, 'start'>): number {
  return parseInstant(start) as number;
}

interface Judged {
  readonly rowOf: Uint32Array;
  readonly reasons: Uint8Array;
  readonly timer: TimerTable;
}

/** Evaluates the rules for every class of users and every attempt type of its segment. */
function evaluated(
  { tenant }: ForecastDescription,
  ruleset: Ruleset,
  segments: readonly SegmentPlan[],
  classes: readonly UserClass[],
): Judged {
  const attempts: AttemptFacts[] = [];
  const numbers = new Map<string, number>();
  // The default method of the second factor depends on the user, so it is part of the attempt key.
  const getClassNumber = (segment: number, kind: number, user: UserFacts): number => {
    const attempt = completeAttempt(segments[segment]?.kinds[kind]?.patch ?? {}, user, 0);
    const key = `${segment} ${kind} ${attempt.mfa.method}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, attempts.length);
    return attempts.push(attempt) - 1;
  };
  const places = classes.map(({ segment, facts, next }) => next.map((_, kind) => getClassNumber(segment, kind, facts)));
  const users = classes.map(({ facts }) => facts);
  const reasonOf = verdictTable(tenant, ruleset, users, attempts);
  const reasons = places.map((row, user) => row.map((attempt) => reasonOf(user, attempt)));
  const promptedUser = reasons.findIndex((row) => row.includes(noReason));
  const attempt = attempts[places[promptedUser]?.[reasons[promptedUser]?.indexOf(noReason) ?? 0] ?? 0] as AttemptFacts;
  let at = 0;
  return {
    rowOf: Uint32Array.from(reasons, (row) => {
      at += row.length;
      return at - row.length;
    }),
    reasons: Uint8Array.from(reasons.flat()),
    timer: promptedUser === -1 ? noPrompts : timerTable(tenant, ruleset, users[promptedUser] as UserFacts, attempt),
  };
}

/** Timer table for a campaign that prompts no users. No snooze ever starts, so the values have no effect. */
const noPrompts: TimerTable = { snoozeDays: 0, reason: noReason, required: [] };

/** Computes a digest of all numbers in the tables. */
function digestOfTables(tables: Omit<ForecastTables, 'digest'>): string {
  return computeDigest(
    JSON.stringify(tables, (_, value: unknown) =>
      ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value,
    ),
  );
}
