import { describe, expect, test } from 'vitest';
import type { ForecastInput } from '../../src/contract/forecast.schema.ts';
import { counterLayout } from '../../src/forecast/counters.ts';
import { followUser } from '../../src/forecast/follow-user.ts';
import { simulateUsers } from '../../src/forecast/kernel.ts';
import { CountedDays } from '../../src/forecast/read-counters.ts';
import { compiled, createCampaignForAll } from './descriptions.ts';

const users = 20;

/**
 * Creates a tenant whose users sign in at 09:00 on Mondays and skip, with a snooze duration in days and an initial
 * snooze record.
 */
function mondays(snoozeDays: number, snooze?: { readonly count: number; readonly daysAgo: number }): ForecastInput {
  return {
    start: '2026-01-05',
    days: 10,
    users,
    tenant: { campaign: createCampaignForAll('vendorAuthenticator', snoozeDays, false) },
    defaults: {
      users: [{ methods: ['sms'], ...(snooze === undefined ? {} : { snooze }) }],
      signIn: { weekdays: { monday: snooze === undefined ? 1 : 0 } },
      platforms: [{ os: 'windows' }],
      answers: { skippable: [{ skip: 1 }] },
    },
  };
}

/** Returns the number of snoozed users at the end of each day. All other users must be in the state `notPrompted`. */
function snoozedByDay(input: ForecastInput): readonly number[] {
  const { tables } = compiled(input);
  const layout = counterLayout(tables.days, 1);
  const counters = new Int32Array(layout.size);
  simulateUsers(
    tables,
    layout,
    { seed: 1, firstUser: 0, endUser: users },
    { population: new Uint32Array(users), counters },
  );
  return new CountedDays(Float64Array.from(counters), tables.days, ['all']).daily(0).map(({ users: stocks }) => {
    expect(stocks.notPrompted + stocks.snoozed).toBe(users);
    return stocks.snoozed;
  });
}

describe('daily numbers of users by state', () => {
  test.for([
    [0, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    [1, [20, 0, 0, 0, 0, 0, 0, 20, 0, 0]],
    [3, [20, 20, 20, 0, 0, 0, 0, 20, 20, 20]],
    [7, [20, 20, 20, 20, 20, 20, 20, 20, 20, 20]],
    [14, [20, 20, 20, 20, 20, 20, 20, 20, 20, 20]],
  ] as const)('R5: users who skip on Monday for %i days are snoozed on these days: %j', ([days, expected]) => {
    expect(snoozedByDay(mondays(days))).toEqual(expected);
  });

  test.for([
    [0, [20, 20, 0, 0, 0, 0, 0, 0, 0, 0]],
    [0.5, [20, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    [1.5, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    [2, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    [30, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ] as const)(
    'R5: a snooze of two days that began %d days before the forecast ends on its day: %j',
    ([daysAgo, expected]) => {
      expect(snoozedByDay(mondays(2, { count: 1, daysAgo }))).toEqual(expected);
    },
  );

  test('R5: the timeline of a user does not show an expired snooze', () => {
    const weekly = mondays(3);
    const over: ForecastInput = {
      ...weekly,
      defaults: {
        ...weekly.defaults,
        users: [{ methods: ['sms'], snooze: { count: 1, daysAgo: 3 } }],
        signInContexts: [{ ssoSession: true }],
      },
    };
    const [attempt] = followUser(compiled(over), 1, 0).attempts;
    expect(attempt).toMatchObject({ reason: 'sso-session', state: 'notPrompted', resting: 'snoozed', snoozes: 1 });
    expect(followUser(compiled(weekly), 1, 0).attempts[0]).toMatchObject({ answer: 'skipped', state: 'snoozed' });
    expect(followUser(compiled(mondays(0)), 1, 0).attempts[0]).toMatchObject({ state: 'notPrompted' });
  });
});
