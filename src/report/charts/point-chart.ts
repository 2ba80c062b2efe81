import { scaleLinear } from 'd3-scale';
import { html } from 'ghtml';
import { type ChartText, chartFrame, chartMargin, chartWidth, placed } from './chart-frame.ts';

/** Named point of a chart. Points with `marked` are filled, and the others are hollow. */
export interface ChartPoint {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly series: number;
  readonly marked: boolean;
}

/** Scatter chart of two measures. */
export interface PointChart extends ChartText {
  readonly points: readonly ChartPoint[];
  readonly xName: string;
  readonly yName: string;
  readonly series: readonly string[];
  readonly xText: (value: number) => string;
  readonly yText: (value: number) => string;
}

const height = 380;
const markedText = 'filled: paretoOptimal';
const labelHeight = 12;
const labelWidth = 26;

/** Draws points with their names next to them and the series names on the right. */
export function pointChart(chart: PointChart): string {
  const { points, series, xText, yText } = chart;
  const { top, right, bottom, left } = chartMargin;
  const across = scaleLinear(computeSpan(points.map(({ x }) => x)), [left + 10, chartWidth - right - 40]).nice(5);
  const up = scaleLinear(computeSpan(points.map(({ y }) => y)), [height - bottom - 10, top + 10]).nice(5);
  const taken: Place[] = [];
  const body = [
    ...up
      .ticks(5)
      .map(
        (tick) =>
          html`<line class="rule" x1="${left}" x2="${chartWidth - right}" y1="${placed(up(tick))}" y2="${placed(up(tick))}"/><text class="faint" x="${left - 8}" y="${placed(up(tick) + 4)}" text-anchor="end">${yText(tick)}</text>`,
      ),
    ...across
      .ticks(5)
      .map(
        (tick) =>
          html`<text class="faint" x="${placed(across(tick))}" y="${height - bottom + 18}" text-anchor="middle">${xText(tick)}</text>`,
      ),
    html`<text class="faint" x="${(left + chartWidth - right) / 2}" y="${height - 6}" text-anchor="middle">${chart.xName}</text>`,
    html`<text class="faint" x="${left}" y="${top - 4}">${chart.yName}</text>`,
    ...points.map(({ name, x, y, series: number, marked }) => {
      const [px, py] = [across(x), up(y)];
      const label = freePlace(px, py, taken);
      const anchor = label.x < px ? 'end' : 'start';
      return html`<circle class="dot s${number} ${marked ? 'filled' : 'hollow'}" cx="${placed(px)}" cy="${placed(py)}" r="5"><title>${name}: ${xText(x)}, ${yText(y)}</title></circle><text x="${placed(label.x)}" y="${placed(label.y + 4)}" font-size="11" text-anchor="${anchor}">${name}</text>`;
    }),
    ...series.map(
      (name, number) =>
        html`<circle class="dot s${number}" cx="${chartWidth - right + 14}" cy="${top + number * 20}" r="5"/><text x="${chartWidth - right + 24}" y="${top + 4 + number * 20}">${name}</text>`,
    ),
    html`<text class="faint" x="${chartWidth - right + 9}" y="${top + 8 + series.length * 20}">${markedText}</text>`,
  ];
  return chartFrame(chart, height, body.join('\n'));
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Returns a free position for a name to the left or right of its point, on the same or a nearby row. */
function freePlace(x: number, y: number, taken: Place[]): Place {
  const places = [0, -1, 1, -2, 2, -3, 3].flatMap((rows) =>
    [9, -9].map((aside) => ({ x: x + aside, y: y + rows * labelHeight })),
  );
  const isFree = (place: Place): boolean =>
    taken.every((one) => Math.abs(one.x - place.x) >= labelWidth || Math.abs(one.y - place.y) >= labelHeight);
  const found = places.find(isFree) ?? { x: x + 9, y };
  taken.push(found);
  return found;
}

function computeSpan(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low !== high) return [low, high];
  // Identical values are centered, and the scale does not extend below zero.
  return low === 0 ? [0, 1] : [low * 0.9, low * 1.1];
}
