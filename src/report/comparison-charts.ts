import { scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { html } from 'ghtml';
import { wholeText } from './text-table.ts';

/** A series of a chart: its name in the legend, the class that its colour hangs on, and its values. */
export interface Series {
  readonly name: string;
  readonly look: 'before' | 'after' | 'required';
  readonly values: readonly number[];
}

/** What a chart shows: its title, what it says in a sentence, the names of its places, and its series. */
export interface ChartParts {
  readonly title: string;
  readonly says: string;
  readonly places: readonly string[];
  readonly series: readonly Series[];
}

const width = 860;
const lineHeight = 280;
const margin = { top: 12, right: 16, bottom: 34, left: 64 };
const gridLines = 4;
const labelsMax = 8;

/** Lines over days or any other places in order, with its table behind it. */
export function lineChart(parts: ChartParts): string {
  const { places, series } = parts;
  const y = scaleLinear()
    .domain([0, topOf(series)])
    .nice(gridLines)
    .range([lineHeight - margin.bottom, margin.top]);
  const x = scaleLinear()
    .domain([0, Math.max(1, places.length - 1)])
    .range([margin.left, width - margin.right]);
  const path = line<number>()
    .x((_, index) => x(index))
    .y((value) => y(value));
  const every = Math.max(1, Math.ceil(places.length / labelsMax));
  const labels = places.flatMap((place, index) => (index % every === 0 ? [{ place, at: x(index) }] : []));
  const drawing = html`!${y
    .ticks(gridLines)
    .map(
      (tick) =>
        html`<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(tick)}" y2="${y(tick)}"/><text class="label" x="${margin.left - 8}" y="${y(tick) + 4}" text-anchor="end">${wholeText(tick)}</text>`,
    )}!${labels.map(({ place, at }) => html`<text class="label" x="${at}" y="${lineHeight - 10}" text-anchor="middle">${place}</text>`)}!${series.map(
    ({ look, values }) =>
      values.length === 1
        ? html`<circle class="dot ${look}" cx="${x(0)}" cy="${y(values[0] ?? 0)}" r="4"/>`
        : html`<path class="line ${look}" d="${path([...values]) ?? ''}"/>`,
  )}`;
  return figure(parts, drawing, lineHeight);
}

const barHeight = 16;
const barGap = 12;
const nameWidth = 320;
const valueWidth = 80;

/** Bars for each place, one for each series, with its table behind it. */
export function barChart(parts: ChartParts): string {
  const { places, series } = parts;
  const height = places.length * (series.length * barHeight + barGap) + barGap;
  const y = scaleBand()
    .domain(places.map((_, index) => String(index)))
    .range([barGap, height])
    .paddingInner(barGap / (series.length * barHeight + barGap));
  const x = scaleLinear()
    .domain([0, topOf(series)])
    .range([nameWidth, width - valueWidth]);
  const drawing = html`!${places.map((place, index) => {
    const top = y(String(index)) ?? 0;
    const middle = top + (series.length * barHeight) / 2 + 4;
    return html`<text class="name" x="${nameWidth - 12}" y="${middle}" text-anchor="end">${shortened(place)}</text>!${series.map(
      ({ look, values }, row) => {
        const value = values[index] ?? 0;
        const at = top + row * barHeight;
        return html`<rect class="bar ${look}" x="${nameWidth}" y="${at}" width="${Math.max(value > 0 ? 1 : 0, x(value) - nameWidth)}" height="${barHeight - 3}" rx="2"/><text class="label" x="${x(value) + 6}" y="${at + 11}">${wholeText(value)}</text>`;
      },
    )}`;
  })}`;
  return figure(parts, drawing, height);
}

function figure({ title, says, places, series }: ChartParts, drawing: string, height: number): string {
  return html`<figure>
<figcaption><h3>${title}</h3><p class="quiet">${says}</p>
<ul class="legend">!${series.map(({ name, look }) => html`<li><span class="key ${look}"></span>${name}</li>`)}</ul></figcaption>
<div class="scroll" tabindex="0" role="region" aria-label="${title}"><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}. ${says}">!${drawing}</svg></div>
<details><summary>The same as a table</summary><div class="scroll" tabindex="0" role="region" aria-label="${title}, as a table"><table>
<thead><tr><th scope="col"></th>!${series.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>!${places.map((place, index) => html`<tr><th scope="row">${place}</th>!${series.map(({ values }) => html`<td class="count">${wholeText(values[index] ?? 0)}</td>`)}</tr>`)}</tbody></table></div></details>
</figure>
`;
}

function topOf(series: readonly Series[]): number {
  return series.flatMap(({ values }) => values).reduce((top, value) => Math.max(top, value), 1);
}

const nameCharactersMax = 46;

function shortened(text: string): string {
  return text.length <= nameCharactersMax ? text : `${text.slice(0, nameCharactersMax - 1)}…`;
}
