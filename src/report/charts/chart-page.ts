import { html } from 'ghtml';
import { chartFigure, figureStyle } from './chart-figure.ts';
import type { DrawnChart } from './drawn-chart.ts';

/** Self-contained page of charts. */
export interface ChartPage {
  readonly title: string;
  /** Content above the charts, as HTML escaped by a template. */
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
.scroll { overflow: auto; max-height: 24rem; margin-bottom: 1.5rem; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; } th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid var(--rule); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } thead th { position: sticky; top: 0; background: var(--ground); }
@media print { details > * { display: none; } }
`;

/** Renders the page as HTML, with a table and a CSV download for each chart. */
export function chartPage({ title, introduction, charts }: ChartPage): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title} – NudgeLab</title>
<style>!${style}!${figureStyle}</style>
</head>
<body>
<main>
<h1>${title}</h1>
!${introduction}
!${charts.map((chart) => chartFigure(chart))}
</main>
</body>
</html>
`;
}
