import { scaleLinear } from 'd3-scale';
import { html } from 'ghtml';
import { type ChartText, chartFrame, chartMargin, chartWidth, placed } from './chart-frame.ts';

/** Chart with groups of bars, one group per category and one bar per series. */
export interface GroupedBarChart extends ChartText {
  readonly places: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
  readonly valueText: (value: number) => string;
}

const nameCharactersMax = 46;
const nameWidthMin = 110;
const characterWidth = 7.6;
const barHeight = 16;
const gap = 12;
const legendHeight = 24;
const legendStep = 150;
const valueWidth = 80;

/** Draws grouped bars with category names on the left, values on the right, and series names above. */
export function groupedBarChart(chart: GroupedBarChart): string {
  const { places, series, valueText } = chart;
  const top = chartMargin.top + legendHeight;
  const names = places.map(shortened);
  const longest = names.reduce((most, { length }) => Math.max(most, length), 0);
  const nameWidth = Math.max(nameWidthMin, Math.round(longest * characterWidth) + 20);
  const highest = series.flatMap(({ values }) => values).reduce((most, value) => Math.max(most, value), 0);
  const across = scaleLinear([0, highest === 0 ? 1 : highest], [nameWidth, chartWidth - valueWidth]);
  const groupHeight = series.length * barHeight + gap;
  const legend = series.map(
    ({ name }, number) =>
      html`<rect class="bar s${number}" x="${chartMargin.left + number * legendStep}" y="${chartMargin.top - 10}" width="12" height="12"/><text x="${chartMargin.left + number * legendStep + 18}" y="${chartMargin.top}">${name}</text>`,
  );
  const groups = names.flatMap((name, index) => {
    const y = top + index * groupHeight;
    const middle = y + (series.length * barHeight) / 2 + 3;
    const bars = series.map(({ values }, number) => {
      const value = values[index] ?? 0;
      const end = across(value);
      const at = y + number * barHeight;
      return html`<rect class="bar s${number}" x="${nameWidth}" y="${at}" width="${placed(Math.max(value > 0 ? 1 : 0, end - nameWidth))}" height="${barHeight - 3}"/><text class="faint" x="${placed(end + 6)}" y="${at + 11}">${valueText(value)}</text>`;
    });
    return [html`<text x="${nameWidth - 12}" y="${middle}" text-anchor="end">${name}</text>`, ...bars];
  });
  return chartFrame(chart, top + places.length * groupHeight + gap, [...legend, ...groups].join('\n'));
}

/** Shortens a name to the available width. The table contains the full name. */
function shortened(text: string): string {
  return text.length <= nameCharactersMax ? text : `${text.slice(0, nameCharactersMax - 1)}…`;
}
