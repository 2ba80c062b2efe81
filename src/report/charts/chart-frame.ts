import { html } from 'ghtml';

/** Texts that every chart has for accessibility. */
export interface ChartText {
  /** Id that is unique on the page. */
  readonly id: string;
  readonly title: string;
  /** Content of the chart in one sentence. */
  readonly description: string;
}

/** Width and margins of a chart in drawing units. The drawing scales to the available width. */
export const chartWidth = 720;
export const chartMargin = { top: 40, right: 150, bottom: 44, left: 64 } as const;

/**
 * Style of a chart. Colors are custom properties, so a page can override them, and systems in dark mode use a
 * second set. The series colors have a contrast of at least 3:1 to the background. Lines also differ by their
 * dashes.
 */
const chartStyle = `
.chart { --ground: #ffffff; --ink: #1b1f24; --faint: #57606a; --rule: #d8dee4; --s0: #0a5fb4; --s1: #b3400a; --s2: #14713d; --s3: #7b3fb0; --s4: #8a6100;
  background: var(--ground); font: 13px system-ui, sans-serif; }
@media (prefers-color-scheme: dark) {
  .chart { --ground: #14181d; --ink: #e6e9ed; --faint: #a3adb8; --rule: #363d46; --s0: #6cb2ff; --s1: #ff9a62; --s2: #5cc98b; --s3: #c79bf2; --s4: #e0b34a; }
}
.chart text { fill: var(--ink); } .chart .faint { fill: var(--faint); } .chart .title { font-size: 15px; font-weight: 600; }
.chart .rule { stroke: var(--rule); } .chart .axis { stroke: var(--faint); }
.chart .line { fill: none; stroke-width: 2; } .chart .band { opacity: 0.2; stroke: none; }
.s0 { --series: var(--s0); } .s1 { --series: var(--s1); } .s2 { --series: var(--s2); } .s3 { --series: var(--s3); } .s4 { --series: var(--s4); }
.chart .line { stroke: var(--series); } .chart .band, .chart .bar, .chart .dot { fill: var(--series); }
.chart .s1.line { stroke-dasharray: 7 3; } .chart .s2.line { stroke-dasharray: 2 3; } .chart .s3.line { stroke-dasharray: 9 3 2 3; } .chart .s4.line { stroke-dasharray: 1 4; }
.chart .dot { stroke: var(--ground); stroke-width: 1.5; } .chart .dot.hollow { fill: var(--ground); stroke: var(--series); stroke-width: 2; }
`;

/** Renders a drawing with its title as a complete SVG document. `body` must already be escaped. */
export function chartFrame({ id, title, description }: ChartText, height: number, body: string): string {
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 ${chartWidth} ${height}" role="img" aria-labelledby="${id}-title ${id}-description">
<title id="${id}-title">${title}</title><desc id="${id}-description">${description}</desc><style>!${chartStyle}</style>
<text class="title" x="${chartMargin.left}" y="18">${title}</text>
!${body}</svg>`;
}

/** Formats a number with at most four significant digits and a unit prefix for large values. */
export function numberText(value: number): string {
  if (Math.abs(value) >= 1_000_000) return `${Number((value / 1_000_000).toPrecision(3))} M`;
  if (Math.abs(value) >= 10_000) return `${Number((value / 1_000).toPrecision(3))} k`;
  return Number(value.toPrecision(4)).toLocaleString('en-GB');
}

/** Formats a share as a percentage, with one decimal digit if it is not whole. */
export function percentText(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}

/** Rounds a coordinate to two decimal digits, which is finer than any screen resolution. */
export function placed(value: number): string {
  return String(Math.round(value * 100) / 100);
}
