import type { TenantFacts } from '../../machines/vocabulary.ts';
import type { AttemptPatch } from '../contract/facts.schema.ts';
import type { ForecastInput } from '../contract/forecast.schema.ts';
import { forecastAttemptsOfADayMax } from '../core/limits.ts';
import { weekdays } from '../core/utc-calendar.ts';

/** Observed activity of users with similar sign-in frequency: rare, occasional or frequent. */
export interface ObservedActivity {
  readonly name: string;
  readonly users: number;
  /**
   * Number of days with a sign-in by weekday, starting with Monday. The next member is the number of such weekdays in
   * the log.
   */
  readonly signInDays: readonly number[];
  readonly calendarDays: readonly number[];
  /** Number of sign-in days by number of attempts, starting with one. The last entry includes all higher numbers. */
  readonly perDay: readonly number[];
  readonly hours: readonly number[];
  readonly attempts: readonly { readonly patch: AttemptPatch; readonly count: number }[];
  readonly kinds: readonly { readonly kind: ObservedKind; readonly users: number }[];
  /** Number of users by number of sign-in days, starting with 0. */
  readonly daysOfUsers: readonly number[];
}

/** Facts that a group of users shares. */
export type ObservedKind = NonNullable<NonNullable<ForecastInput['defaults']>['users']>[number];

/** Distance between a fitted distribution and the observed one. */
export interface FitQuality {
  readonly what: string;
  readonly measure: 'Kolmogorov-Smirnov' | 'total variation' | 'left out';
  /** Distance from 0 for identical distributions to 1 for disjoint ones. */
  readonly distance: number;
  readonly verdict: 'good' | 'fair' | 'poor';
}

/** Fitted description with its goodness of fit. */
export interface FittedDescription {
  readonly description: ForecastInput;
  readonly quality: readonly FitQuality[];
}

/**
 * Maximum numbers of user types, platforms and sign-in contexts per segment. Rarer ones are omitted and reported.
 */
const kindsMax = 60;
const platformsMax = 24;
const circumstancesMax = 24;

const good = 0.05;
const fair = 0.15;

/**
 * Fits the distributions of a description to a sign-in log. User actions at prompts are not in the log, so the
 * caller provides them. The caller also provides the policy, the first day of the forecast, and the observed
 * activity for several groupings of users. The grouping whose sign-in days match the log best is used.
 */
export function fitDescription(
  given: Pick<ForecastInput, 'name' | 'start' | 'users'> & { readonly tenant: TenantFacts },
  ways: readonly (readonly ObservedActivity[])[],
  answers: NonNullable<NonNullable<ForecastInput['defaults']>['answers']>,
): FittedDescription {
  const [nearest] = ways
    .map((activities) => ({ activities, distance: daysDistance(activities) }))
    .toSorted((a, b) => a.distance - b.distance);
  if (nearest === undefined) throw new RangeError('At least one count is required.');
  const { activities, distance } = nearest;
  const all = activities.reduce((sum, { users }) => sum + users, 0);
  const fitted = activities.map((activity) => fitActivity(activity, activity.users / all));
  const { tenant, ...rest } = given;
  return {
    description: {
      ...rest,
      tenant: tenant as unknown as ForecastInput['tenant'],
      defaults: { answers },
      segments: fitted.map(({ segment }) => segment),
    },
    quality: [
      quality('days with a sign-in, all users', 'Kolmogorov-Smirnov', distance),
      ...fitted.flatMap((one) => one.quality),
    ],
  };
}

type Segment = NonNullable<ForecastInput['segments']>[number];

function fitActivity(
  activity: ObservedActivity,
  share: number,
): { readonly segment: Segment; readonly quality: readonly FitQuality[] } {
  const { name } = activity;
  const kinds = commonest(
    activity.kinds.map(({ kind, users: count }) => ({ value: kind, count })),
    kindsMax,
  );
  const chances = computeChances(activity);
  const base = { name, share, users: kinds.kept.map(({ value, share: part }) => ({ ...value, share: part })) };
  if (activity.attempts.length === 0) {
    const weekdayChances = Object.fromEntries(weekdays.map((day) => [day, 0]));
    return {
      segment: { ...base, signIn: { weekdays: weekdayChances } },
      quality: omitted(`${name}: user types`, kinds.lost),
    };
  }
  const platforms = commonest(
    activity.attempts.map(({ patch, count }) => ({ value: pickDevice(patch), count })),
    platformsMax,
  );
  const signInContexts = commonest(
    activity.attempts.map(({ patch, count }) => ({ value: pickCircumstance(patch), count })),
    circumstancesMax,
  );
  const segment = {
    ...base,
    signIn: {
      weekdays: Object.fromEntries(weekdays.map((day, place) => [day, chances[place] ?? 0])),
      perDay: shares(activity.perDay.slice(0, forecastAttemptsOfADayMax)),
      hours: Object.fromEntries(shares(activity.hours).flatMap((part, hour) => (part > 0 ? [[hour, part]] : []))),
    },
    platforms: platforms.kept.map(({ value, share: part }) => ({ ...value, share: part })),
    signInContexts: signInContexts.kept.map(({ value, share: part }) => ({ ...value, share: part })),
  };
  return {
    segment: segment as Segment,
    quality: [
      quality(`${name}: platform and context sampled independently`, 'total variation', jointDistance(activity)),
      ...omitted(`${name}: user types`, kinds.lost),
      ...omitted(`${name}: platforms`, platforms.lost),
      ...omitted(`${name}: circumstances`, signInContexts.lost),
    ],
  };
}

function pickDevice({ os, browser, surface }: AttemptPatch): object {
  return { os, browser, surface };
}

function pickCircumstance({ os: _os, browser: _browser, surface: _surface, ...rest }: AttemptPatch): object {
  return rest;
}

/** Computes the sign-in probability of a user by weekday. */
function computeChances({ users, signInDays, calendarDays }: ObservedActivity): readonly number[] {
  return signInDays.map((days, weekday) => Math.min(1, days / Math.max(1, users * (calendarDays[weekday] ?? 0))));
}

/** Computes the distance between the observed sign-in days per user and the distribution for independent days. */
function daysDistance(activities: readonly ObservedActivity[]): number {
  const all = activities.reduce((sum, { users }) => sum + users, 0);
  const drawn = activities.map((activity) => ({ activity, expected: daysDrawn(activity) }));
  const longest = Math.max(
    ...drawn.map(({ activity, expected }) => Math.max(expected.length, activity.daysOfUsers.length)),
  );
  let [apart, widest] = [0, 0];
  for (let count = 0; count < longest; count += 1) {
    for (const { activity, expected } of drawn) {
      apart += ((activity.daysOfUsers[count] ?? 0) - activity.users * (expected[count] ?? 0)) / all;
    }
    widest = Math.max(widest, Math.abs(apart));
  }
  return widest;
}

/** Computes the probability of each number of sign-in days, from 0, if all days are independent. */
function daysDrawn(activity: ObservedActivity): readonly number[] {
  const chances = computeChances(activity);
  let expected = [1];
  activity.calendarDays.forEach((days, weekday) => {
    const chance = chances[weekday] ?? 0;
    for (let day = 0; day < days; day += 1) {
      expected = Array.from(
        { length: expected.length + 1 },
        (_, count) => (expected[count] ?? 0) * (1 - chance) + (expected[count - 1] ?? 0) * chance,
      );
    }
  });
  return expected;
}

/** Computes the distance between the observed attempts and independent draws of platform and sign-in context. */
function jointDistance({ attempts }: ObservedActivity): number {
  const all = attempts.reduce((sum, { count }) => sum + count, 0);
  const devices = new Map<string, number>();
  const signInContexts = new Map<string, number>();
  const joint = new Map<string, number>();
  const add = (to: Map<string, number>, key: string, count: number) => to.set(key, (to.get(key) ?? 0) + count / all);
  for (const { patch, count } of attempts) {
    const [device, circumstance] = [JSON.stringify(pickDevice(patch)), JSON.stringify(pickCircumstance(patch))];
    add(devices, device, count);
    add(signInContexts, circumstance, count);
    add(joint, `${device} ${circumstance}`, count);
  }
  let apart = 0;
  for (const [device, share] of devices) {
    for (const [circumstance, part] of signInContexts) {
      apart += Math.abs((joint.get(`${device} ${circumstance}`) ?? 0) - share * part);
    }
  }
  return apart / 2;
}

interface Commonest<T> {
  readonly kept: readonly { readonly value: T; readonly share: number }[];
  /** Omitted share. */
  readonly lost: number;
}

/** Returns the most common values with shares that sum to 1. Equal values are combined. */
function commonest<T>(counted: readonly { readonly value: T; readonly count: number }[], most: number): Commonest<T> {
  const groups = [...Map.groupBy(counted, ({ value }) => JSON.stringify(value)).values()].map((alike) => ({
    value: (alike[0] as { readonly value: T }).value,
    count: alike.reduce((sum, { count }) => sum + count, 0),
  }));
  const sorted = groups.toSorted((a, b) => b.count - a.count);
  const kept = sorted.slice(0, most);
  const sum = (some: typeof sorted): number => some.reduce((total, { count }) => total + count, 0);
  const all = sum(sorted);
  return {
    kept: kept.map(({ value, count }) => ({ value, share: count / sum(kept) })),
    lost: all === 0 ? 0 : 1 - sum(kept) / all,
  };
}

function shares(counts: readonly number[]): readonly number[] {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return all === 0 ? [1] : counts.map((count) => count / all);
}

function omitted(what: string, lost: number): readonly FitQuality[] {
  return lost > 0 ? [quality(`${what} beyond the most common`, 'left out', lost)] : [];
}

function quality(what: string, measure: FitQuality['measure'], distance: number): FitQuality {
  const verdict = distance <= good ? 'good' : distance <= fair ? 'fair' : 'poor';
  return { what, measure, distance, verdict };
}
