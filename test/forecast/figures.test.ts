import { describe, expect, test } from 'vitest';
import type { ForecastInput } from '../../src/contract/forecast.schema.ts';
import { counterLayout } from '../../src/forecast/counters.ts';
import { forecastReport } from '../../src/forecast/forecast.ts';
import { simulateUsers } from '../../src/forecast/kernel.ts';
import { forecastCsv } from '../../src/report/forecast-csv.ts';
import { compiled, createCampaignForAll } from './descriptions.ts';

const users = 60;
const description: ForecastInput = {
  name: 'small',
  start: '2026-01-05',
  days: 30,
  users,
  tenant: { campaign: createCampaignForAll('vendorAuthenticator', 2, true) },
  defaults: {
    signIn: { weekdays: { monday: 0.5, wednesday: 0.4, saturday: 0.2 }, hours: { 9: 1 } },
    answers: { skippable: [{ register: 0.2, skip: 0.8 }], required: [{ register: 0.5, close: 0.5 }] },
  },
};
const forecast = compiled(description);

function createReport(seeds: readonly number[]) {
  const layout = counterLayout(forecast.tables.days, forecast.segments.length);
  const counters = seeds.map((seed) => {
    const counted = new Int32Array(layout.size);
    const population = new Uint32Array(users);
    simulateUsers(forecast.tables, layout, { seed, firstUser: 0, endUser: users }, { population, counters: counted });
    return Float64Array.from(counted);
  });
  return forecastReport(forecast, { seeds, counters, digest: 0, population: null, complete: true }, users);
}

describe('figures of forecasts with several random seeds', () => {
  test.for([2, 20, 21, 41, 42])('the spread of %i random seeds contains 90% of the values', (count) => {
    const seeds = Array.from({ length: count }, (_, seed) => seed);
    const single = seeds.map((seed) => createReport([seed]));
    const { spread, bands } = createReport(seeds);
    // Computed by hand: positions of the lowest and highest reported values and of the one or two median values.
    const [low, high, ...middle] = {
      2: [0, 1, 0, 1],
      20: [0, 19, 9, 10],
      21: [1, 19, 10, 10],
      41: [2, 38, 20, 20],
      42: [2, 39, 20, 21],
    }[count] as [number, number, number, number];
    const computeSpread = (values: readonly number[]) => {
      const sorted = values.toSorted((a, b) => a - b);
      const [one = 0, other = 0] = middle.map((place) => sorted[place]);
      return { low: sorted[low], median: (one + other) / 2, high: sorted[high] };
    };
    for (const figure of ['registeredShare', 'promptedShare', 'requiredShare', 'promptsPerUser'] as const)
      expect([figure, spread?.[figure]]).toEqual([figure, computeSpread(single.map(({ figures }) => figures[figure]))]);
    for (const day of [0, 9, 29]) {
      const { low: lowest, high: highest } = computeSpread(single.map(({ daily }) => daily[day]?.registeredUsers ?? 0));
      expect([bands?.registeredUsers.low[day], bands?.registeredUsers.high[day]]).toEqual([lowest, highest]);
    }
  });

  test('the P50 and P90 days are the first days on which 50% and 90% of the registrations are complete', () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const { daily, figures } = createReport([seed]);
      const registered = daily.map(({ registeredUsers }) => registeredUsers);
      const all = registered.at(-1) ?? 0;
      expect(all).toBeGreaterThan(0);
      const firstDay = (share: number) => registered.filter((count) => count < share * all).length + 1;
      expect([figures.registeredP50Day, figures.registeredP90Day]).toEqual([firstDay(0.5), firstDay(0.9)]);
    }
  });

  test('the CSV numbers the days from 1 and contains their dates', () => {
    const [head, ...rows] = forecastCsv(createReport([1]))
      .trimEnd()
      .split('\n');
    expect(head).toMatch(/^day,date,attempts,prompts,/);
    expect(rows.map((row) => row.split(',').slice(0, 2).join())).toEqual(
      Array.from(
        { length: 30 },
        (_, day) => `${day + 1},${new Date(Date.UTC(2026, 0, 5 + day)).toISOString().slice(0, 10)}`,
      ),
    );
  });
});
