import { describe, expect, test } from 'vitest';
import { forecastSchema } from '../../src/contract/forecast.schema.ts';
import { fitDescription, type ObservedActivity } from '../../src/forecast/fit-description.ts';

const answers = { skippable: [{ register: 1 }] };
const given = { name: 'fitted', start: '2026-01-05', users: 100, tenant: forecastSchema.shape.tenant.parse({}) };

/**
 * Creates users who sign in with the same probability on each day. The number of users by sign-in days has the expected
 * distribution.
 */
function drawnApart(name: string, users: number, chance: number, weeks: number): ObservedActivity {
  let expected = [1];
  for (let day = 0; day < 7 * weeks; day += 1) {
    expected = Array.from(
      { length: expected.length + 1 },
      (_, count) => (expected[count] ?? 0) * (1 - chance) + (expected[count - 1] ?? 0) * chance,
    );
  }
  return {
    name,
    users,
    signInDays: Array.from({ length: 7 }, () => users * weeks * chance),
    calendarDays: Array.from({ length: 7 }, () => weeks),
    perDay: [users * 3, users, 0, 0],
    hours: Array.from({ length: 24 }, (_, hour) => (hour === 9 ? 3 : hour === 14 ? 1 : 0)),
    attempts: [
      { patch: { os: 'windows', browser: 'edge' }, count: 30 },
      { patch: { os: 'ios', browser: 'safari' }, count: 10 },
      { patch: { os: 'windows', browser: 'edge', ssoSession: true }, count: 30 },
      { patch: { os: 'ios', browser: 'safari', ssoSession: true }, count: 10 },
    ],
    kinds: [{ kind: { methods: ['sms'] }, users }],
    daysOfUsers: expected.map((share) => share * users),
  };
}

describe('fitDescription', () => {
  test('a fit restores the probabilities, hours, attempts per day and platforms of a drawn history', () => {
    const { description, quality } = fitDescription(given, [[drawnApart('everybody', 1_000, 0.4, 4)]], answers);
    const { segments } = forecastSchema.parse(description);
    expect(segments[0]?.signIn?.weekdays).toMatchObject({ monday: expect.closeTo(0.4), sunday: expect.closeTo(0.4) });
    expect(segments[0]?.signIn).toMatchObject({ perDay: [0.75, 0.25, 0, 0], hours: { 9: 0.75, 14: 0.25 } });
    expect(segments[0]?.platforms?.map(({ os, share }) => [os, share])).toEqual([
      ['windows', 0.75],
      ['ios', 0.25],
    ]);
    expect(quality.map(({ verdict }) => verdict)).toEqual(['good', 'good']);
    expect(quality[0]?.distance).toBeLessThan(1e-9);
  });

  test('each weekday keeps its own probability, however often it occurs in the history', () => {
    const chances = [0.9, 0.8, 0.7, 0.6, 0.5, 0.2, 0.1];
    const calendarDays = [5, 5, 4, 4, 4, 4, 3];
    const signInDays = chances.map((chance, day) => 200 * (calendarDays[day] ?? 0) * chance);
    const week = { ...drawnApart('week', 200, 0.5, 4), signInDays, calendarDays };
    const { description } = fitDescription(given, [[week]], answers);
    const { monday, tuesday, wednesday, thursday, friday, saturday, sunday } =
      forecastSchema.parse(description).segments[0]?.signIn?.weekdays ?? {};
    const fitted = [monday, tuesday, wednesday, thursday, friday, saturday, sunday];
    expect(fitted.map((chance) => Math.round(Number(chance) * 1e9) / 1e9)).toEqual(chances);
  });

  test('one activity is a poor fit for two kinds of users, and the closer division is selected', () => {
    const seldom = drawnApart('seldom', 500, 0.1, 4);
    const often = drawnApart('often', 500, 0.9, 4);
    const together: ObservedActivity = {
      ...drawnApart('everybody', 1_000, 0.5, 4),
      daysOfUsers: seldom.daysOfUsers.map((users, days) => users + (often.daysOfUsers[days] ?? 0)),
    };
    const one = fitDescription(given, [[together]], answers);
    expect(one.quality[0]).toMatchObject({ measure: 'Kolmogorov-Smirnov', verdict: 'poor' });
    const both = fitDescription(given, [[together], [seldom, often]], answers);
    expect(both.quality[0]).toMatchObject({ verdict: 'good' });
    expect(both.description.segments?.map(({ name }) => name)).toEqual(['seldom', 'often']);
  });

  test('platforms that depend on sign-in contexts are reported as a poor fit', () => {
    const everybody = drawnApart('everybody', 100, 0.4, 4);
    const attempts = [
      { patch: { os: 'windows' as const }, count: 50 },
      { patch: { os: 'ios' as const, ssoSession: true }, count: 50 },
    ];
    const { quality } = fitDescription(given, [[{ ...everybody, attempts }]], answers);
    expect(quality[1]).toMatchObject({ measure: 'total variation', distance: 0.5, verdict: 'poor' });
  });

  test('user kinds beyond the most common ones are omitted, and their share is reported', () => {
    const everybody = drawnApart('everybody', 100, 0.4, 4);
    const kinds = Array.from({ length: 100 }, (_, group) => ({ kind: { groups: [`group ${group}`] }, users: 1 }));
    const { description, quality } = fitDescription(given, [[{ ...everybody, kinds }]], answers);
    expect(quality.at(-1)).toMatchObject({ measure: 'left out', distance: expect.closeTo(0.4) });
    expect(forecastSchema.safeParse(description).success).toBe(true);
  });
});
