import { html } from 'ghtml';
import type { DrawnChart } from './drawn-chart.ts';

/** Style sheet for charts on a page. The page must define --faint and --ground. */
export const figureStyle = `
figure { margin: 0 0 2rem; } figcaption { color: var(--faint); font-size: .9rem; } .drawing { overflow-x: auto; } .drawing svg { display: block; width: 100%; min-width: 34rem; height: auto; }
details { margin-top: .4rem; } summary { cursor: pointer; }
.legend { display: none; } @media (max-width: 40rem) { .legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: .25rem 0 .5rem; padding: 0; font-size: .9rem; } }
`;

/**
 * Renders a chart on a page with its description, its table, and a CSV download. `of` names its subject if other
 * charts have the same title.
 */
export function chartFigure(chart: DrawnChart, of = ''): string {
  const name = of === '' ? chart.title : `${chart.title}, ${of}`;
  const csv = `data:text/csv;charset=utf-8,${encodeURIComponent(formatCsv(chart))}`;
  return html`<figure id="${chart.id}">
<div class="drawing" tabindex="0" role="region" aria-label="${name}, drawing">!${chart.svg}</div>
!${legend(chart.lines ?? [])}<figcaption>${chart.description} <a href="${csv}" download="${chart.id}.csv">CSV</a></figcaption>
<details><summary>Table</summary>!${dataTable({ ...chart, title: `${name}, table` })}</details>
</figure>`;
}

/** Renders the legend of the lines for narrow screens, where the labels at the line ends are cut off. */
function legend(names: readonly string[]): string {
  if (names.length === 0) return '';
  const key = (number: number): string =>
    html`<svg class="chart" width="26" height="10" aria-hidden="true"><line class="line s${number}" x1="0" x2="26" y1="5" y2="5"/></svg>`;
  return html`<ul class="legend">!${names.map((name, number) => html`<li>!${key(number)} ${name}</li>`)}</ul>
`;
}

/** Renders a table with an accessible name. */
export function dataTable({ title, head, rows }: Pick<DrawnChart, 'title' | 'head' | 'rows'>): string {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>!${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>!${rows.map((row) => html`<tr>!${row.map((cell, column) => (column === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cellText(cell)}</td>`))}</tr>`)}</tbody></table></div>`;
}

function cellText(cell: string | number): string {
  if (typeof cell === 'string') return cell;
  return Number.isInteger(cell) ? cell.toLocaleString('en-GB') : String(Number(cell.toPrecision(4)));
}

/** Formats the data of a chart as CSV. */
function formatCsv({ head, rows }: Pick<DrawnChart, 'head' | 'rows'>): string {
  const quoted = (cell: string | number): string =>
    /[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell);
  return `${[head, ...rows].map((row) => row.map(quoted).join(',')).join('\n')}\n`;
}
