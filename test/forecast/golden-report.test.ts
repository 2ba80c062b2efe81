import { describe, expect, it } from 'vitest';
import { counterLayout } from '../../src/forecast/counters.ts';
import { forecastReport } from '../../src/forecast/forecast.ts';
import { simulateUsers } from '../../src/forecast/kernel.ts';
import { digestOfUsers } from '../../src/forecast/population-digest.ts';
import { compiled, createCampaignForAll, officeTenant } from './descriptions.ts';

/** The report of a description for several random seeds, as the threads of a forecast come to it. */
function createReport(input: Parameters<typeof compiled>[0], seeds: readonly number[], users: number) {
  const forecast = compiled(input);
  const layout = counterLayout(forecast.tables.days, forecast.segments.length);
  let digest = 0;
  const counters = seeds.map((seed) => {
    const output = { population: new Uint32Array(users), counters: new Int32Array(layout.size) };
    simulateUsers(forecast.tables, layout, { seed, firstUser: 0, endUser: users }, output);
    digest = (digest + digestOfUsers(output.population, 0, seed)) | 0;
    return Float64Array.from(output.counters);
  });
  const { daily, ...report } = forecastReport(
    forecast,
    { seeds, counters, digest, population: null, complete: true },
    users,
  );
  return { ...report, daily: [daily[0], daily[13], daily.at(-1)] };
}

/** Everything that is drawn follows from the random seed, so that the same seed gives the same numbers in every version. */
describe('forecasts of fixed random seeds, as golden files', () => {
  it.for([
    ['office', officeTenant],
    [
      'passkeys',
      { ...officeTenant, tenant: { campaign: createCampaignForAll('fido2', 1, false) }, ruleset: '2026-09' },
    ],
    [
      'long-snooze',
      { ...officeTenant, days: 90, tenant: { campaign: createCampaignForAll('vendorAuthenticator', 14, true) } },
    ],
  ] as const)('%s', async ([name, input]) => {
    const text = JSON.stringify(createReport(input, [1, 2, 4_000_000_000], 400), null, 1);
    await expect(`${text}\n`).toMatchFileSnapshot(`../golden/forecast/${name}.json`);
  });
});
