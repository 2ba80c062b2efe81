import { describe, expect, it } from 'vitest';
import { counterLayout } from '../../src/forecast/counters.ts';
import { forecastReport } from '../../src/forecast/forecast.ts';
import { forecastCharts } from '../../src/report/forecast-charts.ts';
import { forecastPage } from '../../src/report/forecast-page.ts';
import { analyses, forecast, report } from './sample-forecast.ts';

describe('forecast page', () => {
  it('escapes names and loads no external resources', () => {
    const page = forecastPage(report, analyses);
    expect(page).not.toContain('<Ann>');
    expect(page).toMatch(/Tom &(amp|#38); &(lt|#60);Ann/);
    expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\//);
  });

  it('has a table with the values of each chart and one row per day', () => {
    const charts = forecastCharts(report, analyses);
    expect(charts.map(({ id }) => id)).toEqual(['users', 'prompts', 'reasons', 'policies', 'sensitivity']);
    expect(charts[0]?.rows).toHaveLength(60);
    expect(charts[1]?.rows.map((row) => row[1])).toEqual(report.daily.map(({ prompts }) => prompts));
    for (const { svg } of charts) expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('renders a forecast in which no user signs in', () => {
    const empty = forecastReport(
      forecast,
      {
        seeds: [1],
        counters: [new Float64Array(counterLayout(60, 2).size)],
        digest: 0,
        population: null,
        complete: false,
      },
      2_000,
    );
    const page = forecastPage(empty, { sweep: null, sensitivity: null });
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
    expect(page).toContain('This campaign prompts no users: no attempt leads to a prompt.');
  });
});
