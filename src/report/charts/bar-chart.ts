import { scaleLinear } from 'd3-scale';
import { html } from 'ghtml';
import { type ChartText, chartFrame, chartMargin, chartWidth, placed } from './chart-frame.ts';

/** Chart of horizontal bars from one value to another. */
export interface BarChart extends ChartText {
  readonly bars: readonly { readonly name: string; readonly from: number; readonly to: number }[];
  /** Value marked by a line across all bars, or `null` if there is none. */
  readonly mark: number | null;
  /** True if the scale starts at 0. */
  readonly fromZero: boolean;
  readonly valueText: (value: number) => string;
}

const nameWidth = 250;
const rowHeight = 26;

/** Draws bars with their names on the left and their values on the right. */
export function barChart(chart: BarChart): string {
  const { bars, mark, fromZero, valueText } = chart;
  const { top } = chartMargin;
  const ends = [...bars.flatMap(({ from, to }) => [from, to]), ...(mark === null ? [] : [mark])];
  const lowest = fromZero ? 0 : Math.min(...ends);
  const highest = Math.max(...ends, 0);
  const across = scaleLinear(
    [lowest, highest === lowest ? lowest + 1 : highest],
    [nameWidth, chartWidth - (fromZero ? 80 : 130)],
  );
  const height = top + bars.length * rowHeight + 16;
  const rows = bars.map(({ name, from, to }, row) => {
    const [start, end] = [Math.min(from, to), Math.max(from, to)].map((value) => across(value)) as [number, number];
    const y = top + row * rowHeight;
    const text = fromZero ? valueText(to) : `${valueText(Math.min(from, to))} – ${valueText(Math.max(from, to))}`;
    return html`<text x="${nameWidth - 10}" y="${y + 15}" text-anchor="end">${name}</text><rect class="bar s0" x="${placed(start)}" y="${y + 3}" width="${placed(Math.max(1, end - start))}" height="${rowHeight - 9}"/><text class="faint" x="${placed(fromZero ? end + 6 : chartWidth - 6)}" y="${y + 15}" text-anchor="${fromZero ? 'start' : 'end'}">${text}</text>`;
  });
  const marked =
    mark === null
      ? ''
      : html`<line class="axis" x1="${placed(across(mark))}" x2="${placed(across(mark))}" y1="${top - 4}" y2="${height - 12}"/>`;
  return chartFrame(chart, height, [...rows, marked].join('\n'));
}
