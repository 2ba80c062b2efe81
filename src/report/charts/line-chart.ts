import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { html } from 'ghtml';
import { type ChartText, chartFrame, chartMargin, chartWidth, placed } from './chart-frame.ts';

/** Line of a chart with an optional percentile band. */
export interface ChartSeries {
  readonly name: string;
  readonly values: readonly number[];
  readonly band: { readonly low: readonly number[]; readonly high: readonly number[] } | null;
}

/** Chart of lines over time. */
export interface LineChart extends ChartText {
  /** Labels of the time axis, one for each value. */
  readonly labels: readonly string[];
  readonly series: readonly ChartSeries[];
  readonly valueText: (value: number) => string;
}

const height = 300;
const labelsShown = 6;
const labelHeight = 17;

/** Draws lines over time with their names at the line ends. */
export function lineChart(chart: LineChart): string {
  const { labels, series, valueText } = chart;
  const { top, right, bottom, left } = chartMargin;
  const highest = Math.max(...series.flatMap(({ values, band }) => [...values, ...(band?.high ?? [])]), 0);
  const across = scaleLinear([0, Math.max(1, labels.length - 1)], [left, chartWidth - right]);
  const up = scaleLinear([0, highest === 0 ? 1 : highest], [height - bottom, top]).nice(5);
  const path = line<number>(
    (_, place) => across(place),
    (value) => up(value),
  );
  // If all values are integers, ticks between them are omitted, because user counts would repeat the same label.
  const isWhole = series.every(({ values, band }) => [...values, ...(band?.high ?? [])].every(Number.isInteger));
  const ticks = up.ticks(5).filter((tick) => !isWhole || Number.isInteger(tick));
  const bands = series.map(({ band }, number) => {
    if (band === null) return '';
    const shape = area<number>(
      (_, place) => across(place),
      (_, place) => up(band.low[place] ?? 0),
      (value) => up(value),
    );
    return html`<path class="band s${number}" d="${shape.digits(1)([...band.high]) ?? ''}"/>`;
  });
  // A line with a single value would be invisible, so it is drawn as a dot.
  const lines = series.map(({ values }, number) =>
    values.length === 1
      ? html`<circle class="dot s${number}" cx="${placed(across(0))}" cy="${placed(up(values[0] ?? 0))}" r="4"/>`
      : html`<path class="line s${number}" d="${path.digits(1)([...values]) ?? ''}"/>`,
  );
  const body = [
    ...ticks.map(
      (tick) =>
        html`<line class="rule" x1="${left}" x2="${chartWidth - right}" y1="${placed(up(tick))}" y2="${placed(up(tick))}"/><text class="faint" x="${left - 8}" y="${placed(up(tick) + 4)}" text-anchor="end">${valueText(tick)}</text>`,
    ),
    ...timeLabels(labels).map(
      ({ place, label }) =>
        html`<text class="faint" x="${placed(across(place))}" y="${height - bottom + 20}" text-anchor="middle">${label}</text>`,
    ),
    ...bands,
    ...lines,
    ...endLabels(series, (value) => up(value)),
  ];
  return chartFrame(chart, height, body.join('\n'));
}

function timeLabels(labels: readonly string[]): readonly { readonly place: number; readonly label: string }[] {
  const step = Math.max(1, Math.ceil((labels.length - 1) / (labelsShown - 1)));
  return labels.flatMap((label, place) => (place % step === 0 ? [{ place, label }] : []));
}

/** Draws the names of the lines at their ends and moves them apart where they would overlap. */
function endLabels(series: readonly ChartSeries[], up: (value: number) => number): readonly string[] {
  const ends = series
    .map(({ name, values }, number) => ({ name, number, at: up(values.at(-1) ?? 0) }))
    .toSorted((a, b) => a.at - b.at);
  const right = chartWidth - chartMargin.right;
  let free = Number.NEGATIVE_INFINITY;
  const below = ends.map(({ at }) => {
    const y = Math.max(at, free);
    free = y + labelHeight;
    return y;
  });
  // Labels pushed below the drawing area move up again and push the labels above them.
  let limit = height - chartMargin.bottom;
  const apart = below.toReversed().map((at) => {
    const y = Math.min(at, limit);
    limit = y - labelHeight;
    return y;
  });
  return ends.map(({ name, number }, place) => {
    const y = apart[ends.length - 1 - place] ?? 0;
    return html`<line class="line s${number}" x1="${right + 6}" x2="${right + 26}" y1="${placed(y)}" y2="${placed(y)}"/><text x="${right + 30}" y="${placed(y + 4)}">${name}</text>`;
  });
}
