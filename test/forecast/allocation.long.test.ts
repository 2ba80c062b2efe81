import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allocate } from '../../src/forecast/allocate-users.ts';
import { kernelAttempts, machineAttempts } from '../../src/forecast/verify.ts';
import { type ForecastInput, forecast } from '../../src/index.ts';
import { nonEmpty } from '../non-empty.ts';
import { compiled, createCampaignForAll, officeTenant } from './descriptions.ts';

/** Three users who sign in and register every day, of whom one is excluded. */
const three: ForecastInput = {
  days: 5,
  users: 3,
  allocation: 'proportional',
  tenant: {
    campaign: {
      ...createCampaignForAll('vendorAuthenticator', 1, true),
      excludeTargets: [{ targetType: 'group', id: 'excluded' }],
    },
  },
  defaults: {
    users: [{ share: 2 / 3 }, { share: 1 / 3, groups: ['excluded'] }],
    signIn: { weekdays: { monday: 1, tuesday: 1, wednesday: 1, thursday: 1, friday: 1 } },
    answers: { skippable: [{ register: 1 }] },
  },
};

describe('allocation of users by share', () => {
  const wholeCounts = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 400 });

  test('shares that correspond to whole numbers of users give exactly these numbers', () => {
    fc.assert(
      fc.property(
        wholeCounts.filter((counts) => counts.some((count) => count > 0)),
        (counts) => {
          const users = counts.reduce((sum, count) => sum + count, 0);
          expect(
            allocate(
              counts.map((count) => count / users),
              users,
            ),
          ).toEqual(counts);
        },
      ),
    );
  });

  test('the numbers add up, and each is its exact share rounded down or up', () => {
    const weights = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(
        weights.filter((some) => some.some((weight) => weight > 1e-6)),
        fc.integer({ min: 1, max: 4_000_000_000 }),
        (some, users) => {
          const total = some.reduce((sum, weight) => sum + weight, 0);
          const counts = allocate(some, users);
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(users);
          for (const [entry, count] of nonEmpty([...counts.entries()])) {
            const exact = ((some[entry] as number) / total) * users;
            expect(Math.abs(count - exact)).toBeLessThan(1 + 1e-4);
          }
        },
      ),
    );
  });

  test.each([
    [[1, 1, 1], 2, [1, 1, 0]],
    [[1, 1, 1], 3, [1, 1, 1]],
    [[0, 1], 5, [0, 5]],
    [[0.7, 0.2, 0.1], 4, [3, 1, 0]],
  ])('weights of %j for %i users give %j', (weights, users, counts) => {
    expect(allocate(weights, users)).toEqual(counts);
  });
});

describe('forecasts with allocated users', () => {
  test('S2: one excluded user of three is one excluded user for every random seed', async () => {
    const report = await forecast(three, { seeds: 20, threads: 1 });
    expect(report.daily.at(-1)).toMatchObject({ registeredUsers: 2, neverPromptedByReason: { excluded: 1 } });
    expect(report.spread?.registeredShare).toEqual({ low: 2 / 3, median: 2 / 3, high: 2 / 3 });
    const { neverPromptedByReason, registeredUsers } = report.bands as NonNullable<typeof report.bands>;
    expect([neverPromptedByReason.low.at(-1), neverPromptedByReason.high.at(-1)]).toEqual([1, 1]);
    expect([registeredUsers.low.at(-1), registeredUsers.high.at(-1)]).toEqual([2, 2]);
  });

  test('drawn users vary: the same tenant has other numbers of excluded users', async () => {
    const report = await forecast({ ...three, allocation: 'random' }, { seeds: 20, threads: 1 });
    expect(report.spread?.registeredShare.low).toBeLessThan(report.spread?.registeredShare.high ?? 0);
  });

  test('the report is the same for any number of threads, and other numbers of users keep the proportions', async () => {
    const office: ForecastInput = { ...officeTenant, allocation: 'proportional' };
    const options = { users: 900, seeds: 3 };
    expect(await forecast(office, { ...options, threads: 2 })).toEqual(
      await forecast(office, { ...options, threads: 1 }),
    );
    const { daily } = await forecast(three, { users: 300, threads: 1 });
    expect(daily.at(-1)).toMatchObject({ registeredUsers: 200, neverPromptedByReason: { excluded: 100 } });
  });

  test('R1 to R13: the kernel starts each allocated user like the state machines', () => {
    const tenant = compiled({ ...officeTenant, allocation: 'proportional' });
    for (const user of [...Array.from({ length: 100 }, (_, place) => place * 20), 2_000, 3_999_999_999]) {
      expect(kernelAttempts(tenant, 7, user)).toEqual(machineAttempts(tenant, 7, user));
    }
  });

  test('forecast-too-large: more user types than the tables hold are rejected', () => {
    const users = Array.from({ length: 10_000 }, (_, place) => ({ share: 1 / 10_000, snooze: { count: place % 900 } }));
    const segments = Array.from({ length: 7 }, () => ({ share: 1 / 7, users }));
    expect(() => compiled({ ...officeTenant, segments })).toThrow(
      expect.objectContaining({ code: 'forecast-too-large' }),
    );
  });
});
