import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import type { ComparedAttempt } from '../../src/contract/compared-attempt.ts';
import type { RunReport, ScenarioResult } from '../../src/contract/result.schema.ts';
import { workflowAnnotations } from '../../src/report/annotations.ts';
import { barChart } from '../../src/report/charts/bar-chart.ts';
import { groupedBarChart } from '../../src/report/charts/grouped-bar-chart.ts';
import { lineChart } from '../../src/report/charts/line-chart.ts';
import { pointChart } from '../../src/report/charts/point-chart.ts';
import { comparisonHtml } from '../../src/report/comparison-html.ts';
import { attemptLine, comparisonLines } from '../../src/report/comparison-text.ts';
import { ctrfReport } from '../../src/report/ctrf.ts';
import { analysesText } from '../../src/report/forecast-analyses-text.ts';
import { forecastCsv } from '../../src/report/forecast-csv.ts';
import { forecastPage } from '../../src/report/forecast-page.ts';
import { forecastText } from '../../src/report/forecast-text.ts';
import { reportHtml } from '../../src/report/html-report.ts';
import type { Palette } from '../../src/report/palette.ts';
import { changesSince } from '../../src/report/run-changes.ts';
import { pictureSymbols } from '../../src/report/screen-pictures.ts';
import { type PictureName, screenSketches, signs } from '../../src/report/screen-sketches.ts';
import { suitePageHtml } from '../../src/report/suite-page.ts';
import { summaryMarkdown } from '../../src/report/summary-markdown.ts';
import { fullTrace } from '../../src/report/trace-text.ts';
import { sampleComparison } from './sample-comparison.ts';
import { sampleReport } from './sample-report.ts';
import { chart, coverage as suite } from './sample-suite.ts';
import { smallAnalyses, smallForecast } from './small-forecast.ts';

/** Shows where emphasis is, so that a golden file can hold it. */
const marking: Palette = {
  strong: (text) => `*${text}*`,
  faint: (text) => `~${text}~`,
  good: (text) => `+${text}+`,
  bad: (text) => `!${text}!`,
  doubtful: (text) => `?${text}?`,
};

const [passed, failed, skipped] = sampleReport.results;
if (passed === undefined || failed === undefined || skipped === undefined)
  throw new RangeError('The sample is too small.');

/** What a page holds besides its style and script, with an element on each line. */
function body(html: string): string {
  const page = parse(html);
  for (const part of page.querySelectorAll('style, script')) part.remove();
  return `${page
    .toString()
    .replaceAll(/\s*(<[a-z!])/g, '\n$1')
    .trim()}\n`;
}

const golden = (text: string, file: string) => expect(text).toMatchFileSnapshot(`../golden/report/${file}`);
const shownWith = { id: 'figure', title: 'Users & <prompts>', description: 'Of each day.' };
const valueText = (value: number): string => `${value} of it`;

describe('texts and pages as golden files', () => {
  it('the text of a comparison and of its attempts', async () => {
    const attempt: ComparedAttempt = {
      variant: 'passkeys',
      user: 'ada',
      attempt: 's7',
      at: '2026-01-05T09:00:00.000Z',
      platform: 'ios',
      before: { outcome: 'none', reason: 'snoozed', rule: 'R5' },
      after: { outcome: 'required', reason: null, rule: null },
      changed: true,
      certain: true,
      answer: 'assumed',
    };
    const saw = { elapsedMs: 0 };
    const rule = {
      id: 'R5',
      before: 'stopped: snoozed',
      after: 'met',
      baselineFacts: saw,
      variantFacts: { ...saw, days: 1 },
    };
    const attempts: readonly ComparedAttempt[] = [
      attempt,
      { ...attempt, certain: false, answer: 'none', after: attempt.before, changed: false },
      { ...attempt, answer: 'inapplicable', before: { outcome: 'skippable', reason: null, rule: null } },
      { ...attempt, rules: [rule, { ...rule, id: 'R6', after: rule.before, baselineFacts: null }] },
    ];
    const [one] = sampleComparison.variants;
    if (one === undefined) throw new RangeError('The sample has no variant.');
    const alone = {
      ...sampleComparison,
      kind: 'journey' as const,
      from: null,
      to: null,
      baseWarnings: one.warnings,
      variants: [{ ...one, warnings: [], byRule: [], byPlatform: {}, byGroup: {} }],
    };
    const lines = [
      ...comparisonLines(sampleComparison, marking),
      '---',
      ...comparisonLines(alone, marking),
      '---',
      ...attempts.map((each) => attemptLine(each, marking)),
    ];
    await golden(`${lines.join('\n')}\n`, 'comparison.txt');
  });

  it('the page of a comparison', async () => {
    await golden(body(comparisonHtml(sampleComparison)), 'comparison.html');
  });

  it('the text of a forecast at several widths, with and without analyses', async () => {
    const alone = {
      ...smallForecast,
      seeds: [1],
      bands: null,
      spread: null,
      warnings: [],
      segments: smallForecast.segments.slice(0, 1),
      campaign: { ...(smallForecast.campaign ?? expect.fail()), method: null, limited: false },
      figures: { ...smallForecast.figures, promptsPerRegistration: null, registeredP50Day: null },
    };
    const long = {
      ...smallForecast,
      daily: Array.from({ length: 16 }, (_, number) => ({
        ...(smallForecast.daily[number % 4] ?? expect.fail()),
        day: number,
      })),
    };
    const nobody = { ...smallForecast, daily: [], simulatedUsers: 0, totals: { ...smallForecast.totals, attempts: 0 } };
    await golden(
      [
        forecastText(smallForecast, 80, marking),
        forecastText(alone, 20, marking),
        forecastText(long, 120, marking),
        forecastText(nobody, 80, marking),
        analysesText(smallForecast, smallAnalyses, marking),
        analysesText(smallForecast, { sweep: null, sensitivity: null }, marking),
        forecastCsv(smallForecast),
      ].join('\n---\n'),
      'forecast.txt',
    );
  });

  it('the page of a forecast', async () => {
    await golden(body(forecastPage(smallForecast, smallAnalyses)), 'forecast.html');
  });

  it('the page of a run with changes, screens of failures and the lifecycle', async () => {
    const shot = 'browser/x/tab-1.webp';
    const evidence = ['browser/x/tab-1.png', shot];
    const results: readonly ScenarioResult[] = [
      passed,
      { ...failed, evidence, tags: ['Slow', 'a&b'] },
      skipped,
      { ...failed, status: 'passed', steps: [] },
      {
        ...failed,
        id: 'broken.yaml',
        steps: [],
        message: 'It took longer than 5 ms.',
        unconfirmedClaims: ['R6', 'A3'],
      },
    ];
    const report: RunReport = { ...sampleReport, summary: { ...sampleReport.summary, failed: 2, passed: 2 }, results };
    const earlier: RunReport = {
      ...sampleReport,
      results: [
        { ...passed, status: 'failed' },
        { ...failed, id: 'broken.yaml', status: 'passed' },
        { ...passed, id: 'gone.yaml' },
      ],
    };
    const shotIn = (file: string): string | null => (file === shot ? 'data:image/webp;base64,AAAA' : null);
    const changes = changesSince(earlier, report);
    await golden(body(reportHtml(report, { changes, lifecycle: chart, shotIn })), 'run.html');
    const all = { ...sampleReport, summary: { ...sampleReport.summary, failed: 0, passed: 1 }, results: [passed] };
    await golden(body(reportHtml(all, { changes: null })), 'run-passed.html');
    const markdown = [summaryMarkdown(report, changes), summaryMarkdown(all, null), ...workflowAnnotations(results)];
    await golden(`${markdown.join('\n---\n')}\n`, 'summary.md');
  });

  it('a run as CTRF', async () => {
    await golden(`${JSON.stringify(ctrfReport(sampleReport, Date.UTC(2026, 0, 5, 9)), null, 2)}\n`, 'ctrf.json');
  });

  it('the trace of a verdict', async () => {
    const rules = failed.steps.flatMap((step) => step.rules ?? []);
    await golden(`${fullTrace(rules, marking).join('\n')}\n`, 'trace.txt');
  });

  it('the page of a suite', async () => {
    await golden(body(suitePageHtml(suite)), 'suite.html');
    const { array: _array, ...alone } = suite;
    const whole = { ...alone, complete: true, unreachable: [], charts: [], array: null };
    await golden(body(suitePageHtml(whole)), 'suite-empty.html');
  });

  it('every screen and every symbol', async () => {
    const names = [...Object.keys(screenSketches), ...Object.keys(signs)] as PictureName[];
    await golden(body(pictureSymbols(new Set(names))), 'screens.svg');
  });

  it('charts of each kind, including those without values and with one value', async () => {
    const bars = [
      { name: 'a & b', from: 2, to: 6 },
      { name: 'the other way', from: 9, to: 4 },
    ];
    const labels = ['Mon', 'Tue', 'Wed'];
    const values = [1, 4, 2];
    const line = { name: 'asked', values, band: { low: [0, 3, 1], high: [2, 7, 3] } };
    const plain = { name: 'required', values: [0, 1, 1], band: null };
    const points = [
      { name: '1 d', x: 1, y: 0.2, series: 0, marked: true },
      { name: '3 d', x: 4, y: 0.9, series: 1, marked: false },
      { name: '7 d', x: 4, y: 0.5, series: 1, marked: true },
    ];
    const axes = {
      xName: 'prompts',
      yName: 'registered',
      series: ['app', 'passkey'],
      xText: valueText,
      yText: valueText,
    };
    const places = ['windows', 'a name that is longer than the room that there is for names of places'];
    const drawn = [
      barChart({ ...shownWith, bars, mark: 5, fromZero: false, valueText }),
      barChart({ ...shownWith, bars, mark: null, fromZero: true, valueText }),
      barChart({ ...shownWith, bars: [], mark: null, fromZero: true, valueText }),
      lineChart({ ...shownWith, labels, series: [line, plain], valueText }),
      lineChart({ ...shownWith, labels: ['Mon'], series: [{ ...plain, values: [0] }], valueText }),
      pointChart({ ...shownWith, ...axes, points }),
      pointChart({ ...shownWith, ...axes, points: points.slice(0, 1) }),
      groupedBarChart({
        ...shownWith,
        places,
        series: [
          { name: 'before', values: [3, 0] },
          { name: 'after', values: [1, 8] },
        ],
        valueText,
      }),
      groupedBarChart({ ...shownWith, places: ['ios'], series: [{ name: 'before', values: [0] }], valueText }),
    ];
    await golden(body(drawn.join('\n')), 'charts.svg');
  });
});
