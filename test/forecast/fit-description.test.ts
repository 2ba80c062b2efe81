import { describe, expect, it } from 'vitest';
import { tenantFactsSchema } from '../../src/contract/facts.schema.ts';
import type { ForecastInput } from '../../src/contract/forecast.schema.ts';
import { fitDescription, type ObservedActivity } from '../../src/forecast/fit-description.ts';

const tenant = tenantFactsSchema.parse({});
const given = { name: 'fitted', start: '2026-01-05', users: 100, tenant };
const answers = { skippable: [{ register: 1 }] } as NonNullable<NonNullable<ForecastInput['defaults']>['answers']>;
const edge = { os: 'windows', browser: 'edge', surface: 'browser' } as const;
const safari = { os: 'ios', browser: 'safari', surface: 'browser' } as const;

/** Activity of ten users in one week: five of them sign in on Monday, and all of them on Tuesday. */
const activity: ObservedActivity = {
  name: 'often',
  users: 10,
  signInDays: [5, 10, 0, 0, 0, 0, 0],
  calendarDays: [1, 1, 1, 1, 1, 1, 1],
  perDay: [9, 6],
  hours: [0, 0, 0, 0, 0, 0, 0, 0, 15, 5],
  attempts: [
    { patch: { ...edge, ssoSession: true }, count: 30 },
    { patch: { ...edge, ssoSession: false }, count: 10 },
    { patch: { ...safari, ssoSession: true }, count: 45 },
    { patch: { ...safari, ssoSession: false }, count: 15 },
  ],
  kinds: [
    { kind: { methods: ['sms'] }, users: 2 },
    { kind: { methods: ['voice'] }, users: 6 },
    { kind: { methods: ['sms'] }, users: 2 },
  ],
  daysOfUsers: [0, 5, 5, 0, 0, 0, 0, 0],
};

function fitted(...ways: readonly (readonly ObservedActivity[])[]) {
  const { description, quality } = fitDescription(given, ways, answers);
  return {
    description,
    segments: description.segments ?? [],
    quality: quality.map(({ what, measure, distance, verdict }) => [
      what,
      measure,
      Number(distance.toFixed(6)),
      verdict,
    ]),
  };
}

describe('description that is fitted to a history', () => {
  it('contains the counted shares in descending order, and the given policy and actions', () => {
    const { description, segments, quality } = fitted([activity]);
    expect(description).toMatchObject({
      name: 'fitted',
      start: '2026-01-05',
      users: 100,
      tenant,
      defaults: { answers },
    });
    expect(segments).toEqual([
      {
        name: 'often',
        share: 1,
        users: [
          { methods: ['voice'], share: 0.6 },
          { methods: ['sms'], share: 0.4 },
        ],
        signIn: {
          weekdays: { monday: 0.5, tuesday: 1, wednesday: 0, thursday: 0, friday: 0, saturday: 0, sunday: 0 },
          perDay: [0.6, 0.4],
          hours: { 8: 0.75, 9: 0.25 },
        },
        platforms: [
          { ...safari, share: 0.6 },
          { ...edge, share: 0.4 },
        ],
        signInContexts: [
          { ssoSession: true, share: 0.75 },
          { ssoSession: false, share: 0.25 },
        ],
      },
    ]);
    expect(quality).toEqual([
      ['days with a sign-in, all users', 'Kolmogorov-Smirnov', 0, 'good'],
      ['often: platform and context sampled independently', 'total variation', 0, 'good'],
    ]);
  });

  it('reports how much platform and sign-in context depend on each other', () => {
    const attempts = [
      { patch: { ...edge, ssoSession: true }, count: 50 },
      { patch: { ...safari, ssoSession: false }, count: 50 },
    ];
    // If both were independent, each of the four pairs would have a quarter. Here, two have a half and two have none.
    expect(fitted([{ ...activity, attempts }]).quality[1]?.slice(2)).toEqual([0.5, 'poor']);
    const nearly = [
      { patch: { ...edge, ssoSession: true }, count: 30 },
      { patch: { ...edge, ssoSession: false }, count: 20 },
      { patch: { ...safari, ssoSession: true }, count: 20 },
      { patch: { ...safari, ssoSession: false }, count: 30 },
    ];
    expect(fitted([{ ...activity, attempts: nearly }]).quality[1]?.slice(2)).toEqual([0.1, 'fair']);
  });

  it.for([
    // Of ten users, five are expected to sign in on one day and five on two days.
    [[0, 5, 5], 0, 'good'],
    [[0, 10, 0], 0.5, 'poor'],
    [[10, 0, 0], 1, 'poor'],
    [[0, 6, 4], 0.1, 'fair'],
    [[0, 0, 10], 0.5, 'poor'],
    [[0, 5, 0, 5], 0.5, 'poor'],
    [[1, 4, 5], 0.1, 'fair'],
  ] as const)(
    'if the numbers of users by sign-in days are %j, the distance is %d',
    ([daysOfUsers, distance, verdict]) => {
      expect(fitted([{ ...activity, daysOfUsers }]).quality[0]?.slice(2)).toEqual([distance, verdict]);
    },
  );

  it('a weekday that occurs several times is drawn several times', () => {
    const twice = {
      ...activity,
      signInDays: [10, 0, 0, 0, 0, 0, 0],
      calendarDays: [2, 2, 0, 0, 0, 0, 0],
      daysOfUsers: [2.5, 5, 2.5],
    };
    const { segments, quality } = fitted([twice]);
    expect(segments[0]?.signIn?.weekdays).toMatchObject({ monday: 0.5, tuesday: 0, wednesday: 0 });
    expect(quality[0]?.[2]).toBe(0);
  });

  it('a probability never exceeds 1', () => {
    const { segments } = fitted([{ ...activity, signInDays: [50, 0, 0, 0, 0, 0, 0] }]);
    expect(segments[0]?.signIn?.weekdays).toMatchObject({ monday: 1 });
  });

  it('activities have their shares of the users, and their days are compared together', () => {
    const rarely = { ...activity, name: 'rarely', users: 30, signInDays: [0, 0, 0, 0, 0, 0, 0], daysOfUsers: [30] };
    const { segments, quality } = fitted([activity, rarely]);
    expect(segments.map(({ name, share }) => [name, share])).toEqual([
      ['often', 0.25],
      ['rarely', 0.75],
    ]);
    expect(quality.map(([what]) => what)).toEqual([
      'days with a sign-in, all users',
      'often: platform and context sampled independently',
      'rarely: platform and context sampled independently',
    ]);
    expect(quality[0]?.[2]).toBe(0);
    expect(fitted([activity, { ...rarely, daysOfUsers: [0, 30] }]).quality[0]?.slice(2)).toEqual([0.75, 'poor']);
  });

  it('the closest of several divisions into activities is selected', () => {
    const far = { ...activity, name: 'far', daysOfUsers: [10] };
    for (const ways of [
      [[far], [activity]],
      [[activity], [far]],
    ]) {
      expect(fitted(...ways).segments.map(({ name }) => name)).toEqual(['often']);
    }
    expect(() => fitted()).toThrow(RangeError);
  });

  it('users without a sign-in do not sign in and have no device', () => {
    const none = { ...activity, name: 'never', attempts: [], signInDays: [0, 0, 0, 0, 0, 0, 0], daysOfUsers: [10] };
    const { segments, quality } = fitted([none]);
    const weekdays = { monday: 0, tuesday: 0, wednesday: 0, thursday: 0, friday: 0, saturday: 0, sunday: 0 };
    expect(segments[0]).toMatchObject({ name: 'never', signIn: { weekdays } });
    expect(Object.keys(segments[0] ?? {}).toSorted()).toEqual(['name', 'share', 'signIn', 'users']);
    expect(quality).toHaveLength(1);
  });

  it('an activity without counts has one attempt per day and no hours', () => {
    const { segments } = fitted([{ ...activity, perDay: [], hours: [] }]);
    expect(segments[0]?.signIn).toMatchObject({ perDay: [1] });
  });

  it('rare values are omitted and reported with their share', () => {
    const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
      Array.from({ length: count }, (_, index) => make(index));
    const odd = {
      ...activity,
      kinds: many(61, (index) => ({ kind: { groups: [`g${index}`] }, users: index === 60 ? 10 : 20 })),
      attempts: many(25, (index) => ({
        patch: { ...edge, os: 'windows', browser: `b${index}`, network: `n${index}` } as never,
        count: index === 24 ? 20 : 40,
      })),
    };
    const { segments, quality } = fitted([odd]);
    const [segment] = segments;
    expect([segment?.users?.length, segment?.platforms?.length, segment?.signInContexts?.length]).toEqual([60, 24, 24]);
    expect(segment?.users?.[0]?.share).toBeCloseTo(1 / 60);
    expect(quality.slice(2).map(([what, measure, distance]) => [what, measure, distance])).toEqual([
      ['often: user types beyond the most common', 'left out', Number((10 / 1_210).toFixed(6))],
      ['often: platforms beyond the most common', 'left out', Number((20 / 980).toFixed(6))],
      ['often: circumstances beyond the most common', 'left out', Number((20 / 980).toFixed(6))],
    ]);
    expect(
      fitted([{ ...odd, kinds: odd.kinds.slice(0, 60), attempts: odd.attempts.slice(0, 24) }]).quality,
    ).toHaveLength(2);
    expect(fitted([{ ...odd, attempts: [] }]).quality.map(([what]) => what)).toEqual([
      'days with a sign-in, all users',
      'often: user types beyond the most common',
    ]);
  });
});
