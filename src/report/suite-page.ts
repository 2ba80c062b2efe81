import { html } from 'ghtml';
import type { ArrayCoverage, ChartCoverage, ChartTransition, SuiteCoverage } from '../contract/suite-coverage.ts';
import { reportStyle } from './html-report-parts.ts';
import { statechartSvg } from './statechart-svg.ts';

/** Maximum number of rows on the page. The CSV table contains all of them. */
const rowsShownMax = 500;

/** Style sheet for statecharts and covering arrays, in addition to the report style. */
export const suiteStyle = `
.chart{display:block;height:auto;max-width:none;background:var(--card)}
.board{border:1px solid var(--edge);border-radius:8px;overflow:auto;max-height:85vh;background:var(--card)}
.chart text{font:12px system-ui,"Segoe UI",Roboto,Arial,sans-serif;fill:var(--text);text-anchor:middle}
.chart .name{font-size:13px;font-weight:600}.chart .label{font:11px ui-monospace,Menlo,Consolas,monospace}
.chart .state{fill:var(--ground);stroke:var(--good);stroke-width:2}.chart .state.none{stroke:var(--bad);stroke-dasharray:6 4}
.chart .state.any{stroke:var(--quiet);stroke-dasharray:2 3}
.chart .arrow{fill:none;stroke:var(--good);stroke-width:1.5}.chart .arrow.some{stroke:var(--doubt);stroke-dasharray:8 3}
.chart .arrow.none{stroke:var(--bad);stroke-dasharray:3 4}
.chart .tip{fill:var(--quiet)}.chart .behind{fill:var(--card);opacity:.88}.chart .start{fill:var(--text)}.chart .ring{fill:none;stroke:var(--quiet)}
.key{display:flex;flex-wrap:wrap;gap:1.25rem;padding:0;list-style:none}.key svg{vertical-align:middle;margin-inline-end:.5rem}
.grid td,.grid th{padding:.25rem .5rem;font-size:.8125rem;white-space:nowrap}
.grid thead th{position:sticky;top:0;background:var(--card)}
.board.rows{max-height:70vh}.board table{border:0}
.pairs td{text-align:center;font-variant-numeric:tabular-nums}.pairs .full{color:var(--good)}.pairs .part{color:var(--bad);font-weight:600}
.pairs .self{color:var(--quiet)}
.not-taken td,.not-taken th{color:var(--bad)}
.warning{padding:.5rem 1rem;border-inline-start:4px solid var(--doubt);background:var(--card)}
`;

/**
 * Renders the coverage of a generated suite as a self-contained HTML file. Machines are statecharts colored by test
 * coverage with equivalent tables, and a covering array is a grid.
 */
export function suitePageHtml({
  title,
  sizeProof: certificate,
  complete,
  unreachable,
  charts,
  array,
}: SuiteCoverage): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}: coverage – NudgeLab</title>
<style>!${reportStyle}!${suiteStyle}</style>
</head>
<body>
<main>
<h1>${title}: coverage</h1>
!${complete ? '' : '<p class="warning">Partial result: the time limit was reached before all tests were generated.</p>'}<ul>!${certificate.map((line) => html`<li>${line}</li>`)}</ul>
!${unreachable.length === 0 ? '' : html`<h2>Unreachable coverage items</h2><ul>!${unreachable.map((name) => html`<li>${name}</li>`)}</ul>`}
!${charts.map(chartSection)}!${array === null ? '' : arraySection(array)}
</main>
</body>
</html>
`;
}

/**
 * Renders a machine as a statechart colored by coverage, with equivalent tables. `index` is its position on the
 * page, from 0.
 */
export function chartSection(chart: ChartCoverage, index: number): string {
  const { machine, states, transitions } = chart;
  const entered = states.filter(({ times }) => times > 0).length;
  const taken = transitions.filter(({ times }) => times > 0).length;
  return html`<h2>Machine ${machine}</h2>
<p>${entered} of ${states.length} states entered, ${taken} of ${transitions.length} transitions taken.</p>
<ul class="key" aria-label="Key">
<li>!${keyLine('all')}✓ taken</li><li>!${keyLine('some')}some transitions taken</li><li>!${keyLine('none')}✗ not taken</li>
</ul>
<div class="board" tabindex="0" role="region" aria-label="Statechart of ${machine}">!${statechartSvg(chart, index + 1)}</div>
<details><summary>${machine} as tables</summary>
<h3>States of ${machine}</h3>
<div class="scroll" tabindex="0" role="region" aria-label="States of ${machine}"><table class="grid">
<thead><tr><th scope="col">State</th><th scope="col" class="count">Entered</th></tr></thead>
<tbody>!${states.map(({ id, times }) => html`<tr!${rowClass(times)}><th scope="row">${id}</th><td class="count">${timesText(times)}</td></tr>`)}</tbody></table></div>
<h3>Transitions of ${machine}</h3>
<div class="scroll" tabindex="0" role="region" aria-label="Transitions of ${machine}"><table class="grid">
<thead><tr><th scope="col">From</th><th scope="col">Event</th><th scope="col">Guard</th><th scope="col">Actions</th><th scope="col">To</th><th scope="col" class="count">Taken</th></tr></thead>
<tbody>!${transitions.map(transitionRow)}</tbody></table></div></details>
`;
}

function keyLine(kind: string): string {
  return html`<svg class="chart" style="display:inline" width="36" height="8" viewBox="0 0 36 8" aria-hidden="true"><path class="arrow ${kind}" d="M0 4H36"/></svg>`;
}

function rowClass(times: number): string {
  return times === 0 ? ' class="not-taken"' : '';
}

function timesText(times: number): string {
  return times === 0 ? '✗ never' : `✓ ${times}`;
}

function transitionRow({ from, to, event, guard, actions, times }: ChartTransition): string {
  return html`<tr!${rowClass(times)}><th scope="row">${from}</th><td>${event}</td><td>${guard ?? ''}</td><td>${actions.join(', ')}</td><td>${to}</td><td class="count">${timesText(times)}</td></tr>
`;
}

function arraySection({ factors, rows, pairs }: ArrayCoverage): string {
  const byNames = new Map(pairs.map((pair) => [JSON.stringify([pair.parameterA, pair.parameterB]), pair]));
  const cell = (one: string, other: string): string => {
    const pair = byNames.get(JSON.stringify([one, other])) ?? byNames.get(JSON.stringify([other, one]));
    if (pair === undefined) return '<td class="self">–</td>';
    const { covered, possible } = pair;
    const isFull = covered === possible;
    return html`<td class="${isFull ? 'full' : 'part'}">${isFull ? '✓' : '✗'} ${covered}/${possible}</td>`;
  };
  const firstRows = rows.slice(0, rowsShownMax);
  return html`<h2>Pairs of values</h2>
<p>For each pair of parameters, how many of the possible value combinations occur in a row.</p>
<div class="board" tabindex="0" role="region" aria-label="Pairs of values"><table class="grid pairs">
<thead><tr><td></td>!${factors.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>!${factors.map(
    (one) => html`<tr><th scope="row">${one}</th>!${factors.map((other) => cell(one, other))}</tr>
`,
  )}</tbody></table></div>
<h2>Rows</h2>
<p>${rows.length} rows of ${factors.length} parameters.!${rows.length > firstRows.length ? html` The first ${firstRows.length} are shown; the CSV file has all rows.` : ''}</p>
<div class="board rows" tabindex="0" role="region" aria-label="Rows"><table class="grid">
<thead><tr><th scope="col">Row</th>!${factors.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>!${firstRows.map(
    (row, index) => html`<tr><th scope="row">${index + 1}</th>!${row.map((value) => html`<td>${value}</td>`)}</tr>
`,
  )}</tbody></table></div>
`;
}
