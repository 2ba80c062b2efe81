import { counterLayout } from '../../src/forecast/counters.ts';
import { forecastReport } from '../../src/forecast/forecast.ts';
import { simulateUsers } from '../../src/forecast/kernel.ts';
import { compiled, officeTenant } from '../forecast/descriptions.ts';

/** Small forecast with a malicious name. */
export const forecast = compiled({ ...officeTenant, name: 'Tom & <Ann>' });

function createReport(seeds: readonly number[]) {
  const layout = counterLayout(forecast.tables.days, forecast.segments.length);
  const counters = seeds.map((seed) => {
    const counted = new Int32Array(layout.size);
    const population = new Uint32Array(2_000);
    simulateUsers(forecast.tables, layout, { seed, firstUser: 0, endUser: 2_000 }, { population, counters: counted });
    return Float64Array.from(counted);
  });
  return forecastReport(forecast, { seeds, counters, digest: 0, population: null, complete: true }, 2_000);
}

/** Forecast report for three random seeds. */
export const report = createReport([1, 2, 3]);
const { figures } = report;
const policy = { method: 'vendorAuthenticator', limited: true, figures } as const;
/** Additional analyses of the forecast. */
export const analyses = {
  sweep: [
    { ...policy, snoozeDays: 1, paretoOptimal: true },
    { ...policy, snoozeDays: 3, limited: false, paretoOptimal: false },
  ],
  sensitivity: {
    factors: { low: 0.8, high: 1.2 },
    inputs: [{ name: 'chance', low: { ...figures, registeredShare: 0.3 }, high: { ...figures, registeredShare: 0.6 } }],
  },
};
