import { describe, expect, it } from 'vitest';
import { bandSeries, type ForecastReport } from '../../src/contract/forecast-report.ts';
import { counterLayout } from '../../src/forecast/counters.ts';
import { forecastReport } from '../../src/forecast/forecast.ts';
import { simulateUsers } from '../../src/forecast/kernel.ts';
import { nonEmpty } from '../non-empty.ts';
import { compiled, officeTenant } from './descriptions.ts';

const users = 1_500;
const office = compiled({ ...officeTenant, users });

function createCounters(seed: number): Float64Array {
  const layout = counterLayout(office.tables.days, office.segments.length);
  const counters = new Int32Array(layout.size);
  const population = new Uint32Array(users);
  simulateUsers(office.tables, layout, { seed, firstUser: 0, endUser: users }, { population, counters });
  return Float64Array.from(counters);
}

function createReport(...seeds: readonly number[]): ForecastReport {
  const counters = seeds.map((seed) => createCounters(seed));
  return forecastReport(office, { seeds, counters, digest: 0, population: null, complete: true }, users);
}

/** Computes the lowest, median and highest of some values without the program. */
function extremes(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const middle = (sorted[Math.ceil(half) - 1] as number) / 2 + (sorted[Math.floor(half)] as number) / 2;
  return { low: sorted[0], median: expect.closeTo(middle, 10), high: sorted.at(-1) };
}

const single = [7, 8, 9].map((seed) => createReport(seed));
const [first] = single;
if (first === undefined) throw new RangeError('There is no report.');

describe('figures of a forecast report', () => {
  it('every prompt has exactly one result, in total and on each day', () => {
    for (const counts of [first.totals, ...first.daily]) {
      const { skipped, closed, expired, closedDuringSetup, registered, errorScreensSkipped, errorsClosed } = counts;
      expect(skipped + closed + expired + closedDuringSetup + registered + errorScreensSkipped + errorsClosed).toBe(
        counts.prompts,
      );
      expect(counts.skippable + counts.required).toBe(counts.prompts);
      const reasons = Object.values(counts.notPromptedByReason).reduce((sum, times) => sum + times, 0);
      expect(counts.attempts).toBe(counts.prompts + reasons);
    }
    expect(first.daily).toHaveLength(60);
    const { skipped, closed, expired, closedDuringSetup, registered, errorScreensSkipped, errorsClosed } = first.totals;
    const ways = [skipped, closed, expired, closedDuringSetup, registered, errorScreensSkipped, errorsClosed];
    expect(ways.every((times) => times > 0)).toBe(true);
  });

  it('the days add up to the totals', () => {
    for (const name of ['attempts', 'prompts', 'snoozed', 'failed', 'registered', 'skipped'] as const) {
      expect(first.daily.reduce((sum, day) => sum + day[name], 0)).toBe(first.totals[name]);
    }
    expect(first.totals.failed).toBeGreaterThan(0);
  });

  it('figures are derived from the last day and the totals', () => {
    const last = first.daily.at(-1);
    expect(first.figures).toMatchObject({
      users,
      registeredShare: (last?.registeredUsers ?? 0) / users,
      promptedShare: (last?.promptedUsers ?? 0) / users,
      requiredShare: (last?.requiredUsers ?? 0) / users,
      promptsPerUser: first.totals.prompts / users,
      promptsPerRegistration: first.totals.prompts / first.totals.registered,
    });
    for (const [share, day] of [
      [0.5, first.figures.registeredP50Day] as const,
      [0.9, first.figures.registeredP90Day] as const,
    ]) {
      const wanted = share * (last?.registeredUsers ?? 0);
      expect(first.daily[(day ?? 0) - 1]?.registeredUsers).toBeGreaterThanOrEqual(wanted);
      expect(first.daily[(day ?? 0) - 2]?.registeredUsers ?? -1).toBeLessThan(wanted);
    }
    expect(first.segments.reduce((sum, segment) => sum + segment.users, 0)).toBe(users);
    expect(first.promptCountHistogram.reduce((sum, times) => sum + times, 0)).toBe(users);
  });

  it('one random seed has neither a spread nor percentile bands', () => {
    expect([first.spread, first.bands]).toEqual([null, null]);
  });

  it.each([[[7, 8]], [[7, 8, 9]]])(
    'the spread of the random seeds %j contains their lowest, median and highest values',
    (seeds) => {
      const { spread, bands, figures } = createReport(...seeds);
      const reports = single.slice(0, seeds.length);
      expect(figures).toEqual(first.figures);
      const names = ['registeredShare', 'promptedShare', 'requiredShare', 'promptsPerUser'] as const;
      expect(spread).toEqual(
        Object.fromEntries(names.map((name) => [name, extremes(reports.map((report) => report.figures[name]))])),
      );
      const days = [0, 20, 59];
      for (const name of nonEmpty(Object.keys(bandSeries) as (keyof typeof bandSeries)[])) {
        const valueOn = (report: ForecastReport, day: number): number => {
          const value = report.daily[day]?.[name] ?? 0;
          return typeof value === 'number' ? value : Object.values(value).reduce((sum, users) => sum + users, 0);
        };
        const band = bands?.[name];
        const series = days.map((day) => ({ low: band?.low[day], median: band?.median[day], high: band?.high[day] }));
        expect(series).toEqual(days.map((day) => extremes(reports.map((report) => valueOn(report, day)))));
      }
      expect(Object.keys(bands ?? {})).toEqual(Object.keys(bandSeries));
    },
  );
});
