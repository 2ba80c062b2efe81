import type { TenantFacts } from '../../machines/vocabulary.ts';
import type { AttemptPatch } from '../contract/facts.schema.ts';
import { type ForecastInput, weekdays } from '../contract/forecast.schema.ts';
import { forecastAttemptsOfADayMax } from '../core/limits.ts';

/** What was counted of the users of one activity, those who sign in rarely, sometimes or often. */
export interface ObservedActivity {
  readonly name: string;
  readonly users: number;
  /** Days with a sign-in, by day of the week, Monday first, and how many such days the history has. */
  readonly signInDays: readonly number[];
  readonly calendarDays: readonly number[];
  /** Of the days with a sign-in, how many had one attempt, two, and so on; the last is for it and more. */
  readonly perDay: readonly number[];
  readonly hours: readonly number[];
  readonly attempts: readonly { readonly patch: AttemptPatch; readonly count: number }[];
  readonly kinds: readonly { readonly kind: ObservedKind; readonly users: number }[];
  /** How many users signed in on so many days, from 0 on. */
  readonly daysOfUsers: readonly number[];
}

/** Facts of users that are alike. */
export type ObservedKind = NonNullable<NonNullable<ForecastInput['defaults']>['users']>[number];

/** How near a fitted distribution comes to what was counted. */
export interface FitQuality {
  readonly what: string;
  readonly measure: 'Kolmogorov-Smirnov' | 'total variation' | 'left out';
  /** 0 is the same, 1 has nothing in common. */
  readonly distance: number;
  readonly verdict: 'good' | 'fair' | 'poor';
}

/** A description with how well it fits. */
export interface FittedDescription {
  readonly description: ForecastInput;
  readonly quality: readonly FitQuality[];
}

/** Kinds of users, platforms and circumstances that a segment keeps; rarer ones are left out and said to be. */
const kindsMax = 60;
const platformsMax = 24;
const circumstancesMax = 24;

const good = 0.05;
const fair = 0.15;

/**
 * A description whose distributions are those of a history. Answers to prompts are in no history and are taken from the caller. Takes
 * the policy, the first day to forecast, and what was counted, by activities told apart in several ways: the way whose days with a
 * sign-in come nearest to those of the history is taken.
 */
export function fitDescription(
  given: Pick<ForecastInput, 'name' | 'start' | 'users'> & { readonly tenant: TenantFacts },
  ways: readonly (readonly ObservedActivity[])[],
  answers: NonNullable<NonNullable<ForecastInput['defaults']>['answers']>,
): FittedDescription {
  const [nearest] = ways
    .map((activities) => ({ activities, distance: daysDistance(activities) }))
    .toSorted((a, b) => a.distance - b.distance);
  if (nearest === undefined) throw new RangeError('Nothing was counted.');
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
  const chances = chancesOf(activity);
  const base = { name, share, users: kinds.kept.map(({ value, share: part }) => ({ ...value, share: part })) };
  if (activity.attempts.length === 0) {
    const weekdayChances = Object.fromEntries(weekdays.map((day) => [day, 0]));
    return {
      segment: { ...base, signIn: { weekdays: weekdayChances } },
      quality: omitted(`${name}: kinds of users`, kinds.lost),
    };
  }
  const platforms = commonest(
    activity.attempts.map(({ patch, count }) => ({ value: deviceOf(patch), count })),
    platformsMax,
  );
  const signInContexts = commonest(
    activity.attempts.map(({ patch, count }) => ({ value: circumstanceOf(patch), count })),
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
      quality(`${name}: platform and circumstance drawn apart`, 'total variation', jointDistance(activity)),
      ...omitted(`${name}: kinds of users`, kinds.lost),
      ...omitted(`${name}: platforms`, platforms.lost),
      ...omitted(`${name}: circumstances`, signInContexts.lost),
    ],
  };
}

function deviceOf({ os, browser, surface }: AttemptPatch): object {
  return { os, browser, surface };
}

function circumstanceOf({ os: _os, browser: _browser, surface: _surface, ...rest }: AttemptPatch): object {
  return rest;
}

/** How likely a user of an activity signs in, by day of the week. */
function chancesOf({ users, signInDays, calendarDays }: ObservedActivity): readonly number[] {
  return signInDays.map((days, weekday) => Math.min(1, days / Math.max(1, users * (calendarDays[weekday] ?? 0))));
}

/** How far the days on which users sign in are from those of users of these activities who draw each day apart. */
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

/** How likely a user has a sign-in on so many days of the history, from 0 on, when each day is drawn apart. */
function daysDrawn(activity: ObservedActivity): readonly number[] {
  const chances = chancesOf(activity);
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

/** How far attempts are from platform and circumstance drawn apart. */
function jointDistance({ attempts }: ObservedActivity): number {
  const all = attempts.reduce((sum, { count }) => sum + count, 0);
  const devices = new Map<string, number>();
  const signInContexts = new Map<string, number>();
  const joint = new Map<string, number>();
  const add = (to: Map<string, number>, key: string, count: number) => to.set(key, (to.get(key) ?? 0) + count / all);
  for (const { patch, count } of attempts) {
    const [device, circumstance] = [JSON.stringify(deviceOf(patch)), JSON.stringify(circumstanceOf(patch))];
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
  /** The share that is left out. */
  readonly lost: number;
}

/** The commonest values, alike ones together, with shares that come to one. */
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
  return lost > 0 ? [quality(`${what} beyond the commonest`, 'left out', lost)] : [];
}

function quality(what: string, measure: FitQuality['measure'], distance: number): FitQuality {
  const verdict = distance <= good ? 'good' : distance <= fair ? 'fair' : 'poor';
  return { what, measure, distance, verdict };
}
