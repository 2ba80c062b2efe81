import { html } from 'ghtml';
import type { DrawnChart } from './drawn-chart.ts';

/** A page of charts that needs nothing else. */
export interface ChartPage {
  readonly title: string;
  /** HTML that a template has escaped: what stands before the charts. */
  readonly introduction: string;
  readonly charts: readonly DrawnChart[];
}

const style = `
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1b1f24; --faint: #57606a; --rule: #d8dee4; --accent: #0a5fb4; }
@media (prefers-color-scheme: dark) { :root { --ground: #14181d; --ink: #e6e9ed; --faint: #a3adb8; --rule: #363d46; --accent: #6cb2ff; } }
* { box-sizing: border-box; } body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; } h1 { font-size: 1.6rem; margin: .5rem 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
a { color: var(--accent); } .faint { color: var(--faint); } .warning { border-left: 4px solid var(--accent); padding-left: .75rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem; margin: 1rem 0; } dl div { border: 1px solid var(--rule); border-radius: 6px; padding: .6rem .8rem; }
dt { color: var(--faint); font-size: .85rem; } dd { margin: 0; font-size: 1.3rem; font-weight: 600; } dd small { display: block; font-size: .8rem; font-weight: 400; color: var(--faint); }
figure { margin: 0 0 2rem; } figcaption { color: var(--faint); font-size: .9rem; } .drawing { overflow-x: auto; } .drawing svg { display: block; width: 100%; min-width: 34rem; height: auto; }
details { margin-top: .4rem; } summary { cursor: pointer; } .scroll { overflow: auto; max-height: 24rem; margin-bottom: 1.5rem; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; } th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid var(--rule); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } thead th { position: sticky; top: 0; background: var(--ground); }
@media print { details > * { display: none; } }
`;

/** The page as HTML: every chart with its table and the table as a file. */
export function chartPage({ title, introduction, charts }: ChartPage): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title} – NudgeLab</title>
<style>!${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
!${introduction}
!${charts.map(figure)}
</main>
</body>
</html>
`;
}

function figure(chart: DrawnChart): string {
  const csv = `data:text/csv;charset=utf-8,${encodeURIComponent(csvOf(chart))}`;
  return html`<figure id="${chart.id}">
<div class="drawing" tabindex="0" role="region" aria-label="${chart.title}">!${chart.svg}</div>
<figcaption>${chart.description} <a href="${csv}" download="${chart.id}.csv">CSV</a></figcaption>
<details><summary>Table</summary>!${dataTable(chart)}</details>
</figure>`;
}

/** A table for the page, with its name for those who do not see it. */
export function dataTable({ title, head, rows }: Pick<DrawnChart, 'title' | 'head' | 'rows'>): string {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table><thead><tr>!${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>!${rows.map((row) => html`<tr>!${row.map((cell, column) => (column === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cellText(cell)}</td>`))}</tr>`)}</tbody></table></div>`;
}

function cellText(cell: string | number): string {
  if (typeof cell === 'string') return cell;
  return Number.isInteger(cell) ? cell.toLocaleString('en-GB') : String(Number(cell.toPrecision(4)));
}

/** What a chart was drawn from, as CSV. */
function csvOf({ head, rows }: Pick<DrawnChart, 'head' | 'rows'>): string {
  const quoted = (cell: string | number): string =>
    /[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell);
  return `${[head, ...rows].map((row) => row.map(quoted).join(',')).join('\n')}\n`;
}
