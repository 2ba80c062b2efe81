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

  it('OC34: a sweep through settings has a chart, whose points have the values of the setting with most of them', () => {
    const figures = (registeredShare: number, promptsPerUser: number) => ({
      ...report.figures,
      registeredShare,
      promptsPerUser,
    });
    const settings = [
      { settings: { window: '1d', limit: '2' }, figures: figures(0.5, 3), paretoOptimal: true },
      { settings: { window: '7d', limit: '2' }, figures: figures(0.4, 2), paretoOptimal: true },
      { settings: { window: '14d', limit: '2' }, figures: figures(0.3, 2.5), paretoOptimal: false },
      { settings: { window: '1d', limit: '3' }, figures: figures(0.6, 4), paretoOptimal: true },
    ];
    const [chart] = forecastCharts(report, { sweep: null, sensitivity: null, settings }).filter(
      ({ id }) => id === 'settings',
    );
    expect(chart?.svg.match(/>(1d|7d|14d)<\/text>/g)).toHaveLength(4);
    expect(chart?.svg).toContain('>limit 2</text>');
    expect(chart?.svg.match(/class="dot s1 filled"/g)).toHaveLength(1);
    expect(chart?.svg.match(/class="dot s0 hollow"/g)).toHaveLength(1);
    expect(chart?.rows[2]).toEqual([
      3,
      '14d',
      '2',
      0.3,
      2.5,
      report.figures.requiredShare,
      report.figures.registeredP50Day,
      'no',
    ]);
    expect(forecastPage(report, { sweep: null, sensitivity: null, settings })).toContain(chart?.title);
  });

  it('OC34: points of settings that do not fit have the number of their row', () => {
    const settings = ['monday', 'a-very-long-value'].map((day) => ({
      settings: { day, '<b>': '1' },
      figures: report.figures,
      paretoOptimal: false,
    }));
    const [chart] = forecastCharts(report, { sweep: null, sensitivity: null, settings }).filter(
      ({ id }) => id === 'settings',
    );
    expect(chart?.svg.match(/font-size="11"[^>]*>([12])<\/text>/g)).toHaveLength(2);
    expect(chart?.description).toContain('its row in the table');
    expect(chart?.rows.map(([row, day]) => [row, day])).toEqual([
      [1, 'monday'],
      [2, 'a-very-long-value'],
    ]);
    expect(forecastPage(report, { sweep: null, sensitivity: null, settings })).not.toContain('<b>');
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
