import { afterAll, describe, expect, test } from 'vitest';
import { counterLayout } from '../../src/forecast/counters.ts';
import { forecastReport } from '../../src/forecast/forecast.ts';
import { ForecastPool } from '../../src/forecast/forecast-pool.ts';
import { simulateUsers } from '../../src/forecast/kernel.ts';
import { nonEmpty } from '../non-empty.ts';
import { compiled, officeTenant } from './descriptions.ts';

const forecast = compiled(officeTenant);
const pools = [1, 2, 3].map((threads) => new ForecastPool(threads));
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

describe('ForecastPool', () => {
  test('any number of threads returns the same report byte for byte', async () => {
    const texts = await Promise.all(
      pools.map(async (pool) => {
        const counts = await pool.run(forecast, { users: 5_000, seeds: [1, 2, 3] });
        return JSON.stringify(forecastReport(forecast, counts, 5_000));
      }),
    );
    expect(new Set(texts).size).toBe(1);
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({
      simulatedUsers: 5_000,
      complete: true,
      bands: { prompts: { low: expect.any(Array) } },
    });
  });

  test('users in any partitions and in reverse order have the same totals', () => {
    const layout = counterLayout(forecast.tables.days, forecast.segments.length);
    const whole = new Int32Array(layout.size);
    const cut = new Int32Array(layout.size);
    const population = new Uint32Array(1_000);
    simulateUsers(forecast.tables, layout, { seed: 9, firstUser: 0, endUser: 1_000 }, { population, counters: whole });
    for (const [firstUser, endUser] of [
      [613, 1_000],
      [17, 613],
      [0, 17],
    ] as const) {
      const part = new Uint32Array(endUser - firstUser);
      simulateUsers(forecast.tables, layout, { seed: 9, firstUser, endUser }, { population: part, counters: cut });
      expect(part).toEqual(population.subarray(firstUser, endUser));
    }
    expect(cut).toEqual(whole);
  });

  test('the states of each day add up to all users, and the counts add up to the attempts', async () => {
    const [pool] = pools;
    const counts = await pool?.run(forecast, { users: 3_000, seeds: [5] });
    if (counts === undefined) throw new Error('No pool.');
    const report = forecastReport(forecast, counts, 3_000);
    const sum = (numbers: object): number =>
      Object.values(numbers as Record<string, number>).reduce((total, number) => total + number, 0);
    for (const day of nonEmpty(report.daily)) {
      expect(sum(day.users)).toBe(3_000);
      expect(sum(day.neverPromptedByReason) + day.promptedUsers).toBe(3_000);
      expect(sum(day.notPromptedByReason) + day.prompts).toBe(day.attempts);
    }
    expect(sum(report.promptCountHistogram)).toBe(3_000);
    expect(report.promptCountHistogram.reduce((total, users, times) => total + users * times, 0)).toBe(
      report.totals.prompts,
    );
  });

  test('forecast-too-large: more random seeds than the counters support are rejected before anything runs', async () => {
    const long = compiled({ ...officeTenant, days: 3_660 });
    const seeds = Array.from({ length: 1_000 }, (_, seed) => seed);
    await expect(pools[0]?.run(long, { users: 10, seeds })).rejects.toMatchObject({ code: 'forecast-too-large' });
  });
});
