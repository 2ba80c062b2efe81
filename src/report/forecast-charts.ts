import type { Band, ForecastAnalyses, ForecastReport, MovedInput } from '../contract/forecast-report.ts';
import { barChart } from './charts/bar-chart.ts';
import { numberText, percentText } from './charts/chart-frame.ts';
import type { DrawnChart } from './charts/drawn-chart.ts';
import { type ChartSeries, lineChart } from './charts/line-chart.ts';
import { pointChart } from './charts/point-chart.ts';
import { methodText } from './forecast-analyses-text.ts';
import { sumNeverPrompted } from './forecast-text.ts';
import { settingsChart } from './settings-chart.ts';

/** Maximum number of reasons in the chart. The table contains all of them. */
const reasonsShownMax = 12;

/** Creates the charts of a forecast and of its additional analyses. */
export function forecastCharts(report: ForecastReport, analyses: ForecastAnalyses): readonly DrawnChart[] {
  return [
    usersChart(report),
    promptsChart(report),
    ...(report.totals.attempts > 0 ? [reasonsChart(report)] : []),
    ...(analyses.sweep === null ? [] : [sweepChart(analyses.sweep)]),
    ...(analyses.settings === undefined ? [] : [settingsChart(analyses.settings)]),
    ...(analyses.sensitivity === null ? [] : [sensitivityChart(report, analyses.sensitivity.inputs)]),
  ];
}

function usersChart({ daily, simulatedUsers, bands }: ForecastReport): DrawnChart {
  const share = (users: number): number => (simulatedUsers === 0 ? 0 : users / simulatedUsers);
  const toBand = (band: Band | undefined): ChartSeries['band'] =>
    band === undefined ? null : { low: band.low.map(share), high: band.high.map(share) };
  const series: readonly ChartSeries[] = [
    {
      name: 'registered',
      values: daily.map(({ registeredUsers }) => share(registeredUsers)),
      band: toBand(bands?.registeredUsers),
    },
    {
      name: 'never prompted',
      values: daily.map((day) => share(sumNeverPrompted(day))),
      band: toBand(bands?.neverPromptedByReason),
    },
    {
      name: 'required once',
      values: daily.map(({ requiredUsers }) => share(requiredUsers)),
      band: toBand(bands?.requiredUsers),
    },
  ];
  const chart = {
    id: 'users',
    title: 'Cumulative share of users',
    description:
      'For each day, the share of users who had registered at a prompt, never been prompted, or been required to register.',
  };
  return { ...chart, ...drawnLines(chart, daily, series, percentText) };
}

function promptsChart({ daily, bands }: ForecastReport): DrawnChart {
  const series: readonly ChartSeries[] = [
    { name: 'prompted', values: daily.map(({ prompts }) => prompts), band: bands?.prompts ?? null },
    { name: 'registered', values: daily.map(({ registered }) => registered), band: null },
    { name: 'required', values: daily.map(({ required }) => required), band: null },
  ];
  const chart = {
    id: 'prompts',
    title: 'Prompts per day',
    description:
      'For each day, the number of prompts that were shown, that ended in a registration, and that had no skip button.',
  };
  return { ...chart, ...drawnLines(chart, daily, series, numberText) };
}

function drawnLines(
  chart: { readonly id: string; readonly title: string; readonly description: string },
  daily: ForecastReport['daily'],
  series: readonly ChartSeries[],
  valueText: (value: number) => string,
): Pick<DrawnChart, 'svg' | 'lines' | 'head' | 'rows'> {
  return {
    lines: series.map(({ name }) => name),
    svg: lineChart({ ...chart, labels: daily.map(({ date }) => date), series, valueText }),
    head: [
      'date',
      ...series.flatMap(({ name, band }) => (band === null ? [name] : [name, `${name} low`, `${name} high`])),
    ],
    rows: daily.map(({ date, day }) => [
      date,
      ...series.flatMap(({ values, band }) =>
        band === null ? [values[day] ?? 0] : [values[day] ?? 0, band.low[day] ?? 0, band.high[day] ?? 0],
      ),
    ]),
  };
}

function reasonsChart({ totals, daily }: ForecastReport): DrawnChart {
  const never = daily.at(-1)?.neverPromptedByReason ?? {};
  const names = [...new Set([...Object.keys(totals.notPromptedByReason), ...Object.keys(never)])];
  const rows = names
    .map((name) => ({
      name,
      attempts: totals.notPromptedByReason[name] ?? 0,
      users: never[name] ?? 0,
    }))
    .toSorted((a, b) => b.attempts - a.attempts);
  const chart = {
    id: 'reasons',
    title: 'Reasons for no prompt, share of all attempts',
    description: 'For each reason, the share of all attempts in which it suppressed the prompt.',
  };
  return {
    ...chart,
    svg: barChart({
      ...chart,
      bars: rows
        .filter(({ attempts }) => attempts > 0)
        .slice(0, reasonsShownMax)
        .map(({ name, attempts }) => ({ name, from: 0, to: attempts / totals.attempts })),
      mark: null,
      fromZero: true,
      valueText: percentText,
    }),
    head: ['reason', 'attempts', 'users never prompted'],
    rows: rows.map(({ name, attempts, users }) => [name, attempts, users]),
  };
}

function sweepChart(variants: NonNullable<ForecastAnalyses['sweep']>): DrawnChart {
  const formatSeries = ({ method, limited }: (typeof variants)[number]): string =>
    `${methodText(method) === 'passkey' ? 'passkey' : 'app'}, ${limited ? 'three snoozes' : 'no limit'}`;
  const series = [...new Set(variants.map(formatSeries))];
  const chart = {
    id: 'policies',
    title: 'Policy trade-offs: prompts and registrations',
    description:
      'Each policy by its prompts per user and its share of users who register, labeled with its snooze days.',
  };
  return {
    ...chart,
    svg: pointChart({
      ...chart,
      points: variants.map((variant) => ({
        name: `${variant.snoozeDays} d`,
        x: variant.figures.promptsPerUser,
        y: variant.figures.registeredShare,
        series: series.indexOf(formatSeries(variant)),
        marked: variant.paretoOptimal,
      })),
      xName: 'prompts per user',
      yName: 'registered',
      series,
      xText: numberText,
      yText: percentText,
    }),
    head: [
      'method',
      'limited',
      'snooze days',
      'registered',
      'prompts per user',
      'required',
      'half by day',
      'paretoOptimal',
    ],
    rows: variants.map(({ method, limited, snoozeDays, figures, paretoOptimal }) => [
      methodText(method),
      limited ? 'yes' : 'no',
      snoozeDays,
      figures.registeredShare,
      figures.promptsPerUser,
      figures.requiredShare,
      figures.registeredP50Day ?? '',
      paretoOptimal ? 'yes' : 'no',
    ]),
  };
}

function sensitivityChart({ figures }: ForecastReport, inputs: readonly MovedInput[]): DrawnChart {
  const chart = {
    id: 'sensitivity',
    title: 'Sensitivity: users registered when one input is 20% lower or higher',
    description: 'For each input, the range of the share of users who register; the line marks the original input.',
  };
  return {
    ...chart,
    svg: barChart({
      ...chart,
      bars: inputs.map(({ name, low, high }) => ({
        name: shortName(name),
        from: low.registeredShare,
        to: high.registeredShare,
      })),
      mark: figures.registeredShare,
      fromZero: false,
      valueText: percentText,
    }),
    head: ['input', 'registered low', 'registered high', 'prompts per user low', 'prompts per user high'],
    rows: inputs.map(({ name, low, high }) => [
      name,
      low.registeredShare,
      high.registeredShare,
      low.promptsPerUser,
      high.promptsPerUser,
    ]),
  };
}

function shortName(name: string): string {
  return name.replace('likelihood of registering ', 'registering ').replace(' on each day', '');
}
