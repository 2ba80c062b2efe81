import { html } from 'ghtml';
import { anyState, type ChartCoverage, type ChartState } from '../contract/suite-coverage.ts';
import { type PlacedArrow, type PlacedState, type Point, placedChart } from './statechart-layout.ts';

/** A machine as a picture: states and arrows colored by what tests took. Takes its number on the page, for ids. */
export function statechartSvg(chart: ChartCoverage, number: number): string {
  const { width, height, states, arrows } = placedChart(chart);
  const known = new Map(chart.states.map((state) => [state.id, state]));
  const id = `chart-${number}`;
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">The machine ${chart.machine} as a statechart</title>
<desc id="${id}-text">${describe(chart)} The table below the picture says the same.</desc>
<defs><marker id="${id}-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" class="tip"/></marker></defs>
!${arrows.map((arrow) => arrowSvg(arrow, id))}!${states.map((state) => stateSvg(state, known.get(state.id)))}!${arrows.map(labelSvg)}</svg>`;
}

function describe({ states, transitions }: ChartCoverage): string {
  const taken = transitions.filter(({ times }) => times > 0).length;
  const entered = states.filter(({ times }) => times > 0).length;
  return `${entered} of ${states.length} states were entered and ${taken} of ${transitions.length} transitions taken.`;
}

/** Whether all, some or none of the transitions of an arrow were taken. */
function classOf({ transitions }: PlacedArrow): 'all' | 'some' | 'none' {
  const taken = transitions.filter(({ times }) => times > 0).length;
  if (taken === transitions.length) return 'all';
  return taken === 0 ? 'none' : 'some';
}

function arrowSvg(arrow: PlacedArrow, id: string): string {
  return html`<path class="arrow ${classOf(arrow)}" d="${curve(arrow.points)}" marker-end="url(#${id}-tip)"/>
`;
}

function labelSvg(arrow: PlacedArrow): string {
  const { label, lines } = arrow;
  const top = label.y - (lines.length * lineHeight) / 2;
  const width = Math.max(...lines.map(({ length }) => length)) * characterWidth + 8;
  const texts = lines.map(
    (line, index) =>
      html`<text class="label" x="${rounded(label.x)}" y="${rounded(top + index * lineHeight + 11)}">${line}</text>`,
  );
  return html`<rect class="behind" x="${rounded(label.x - width / 2)}" y="${rounded(top)}" width="${rounded(width)}" height="${lines.length * lineHeight}"/>!${texts}
`;
}

const lineHeight = 14;
const characterWidth = 6.6;

function stateSvg({ id, x, y, width, height }: PlacedState, state: ChartState | undefined): string {
  const isAny = id === anyState;
  const kind = isAny ? 'any' : (state?.times ?? 0) > 0 ? 'all' : 'none';
  const mark = isAny ? '' : kind === 'all' ? '✓ ' : '✗ ';
  const [left, top] = [x - width / 2, y - height / 2];
  const start =
    state?.isInitial === true ? html`<circle class="start" cx="${rounded(left + 12)}" cy="${rounded(y)}" r="4"/>` : '';
  const ring = { x: rounded(left + 3), y: rounded(top + 3), width: rounded(width - 6), height: rounded(height - 6) };
  const final =
    state?.isFinal === true
      ? html`<rect class="ring" x="${ring.x}" y="${ring.y}" width="${ring.width}" height="${ring.height}" rx="7"/>`
      : '';
  return html`<rect class="state ${kind}" x="${rounded(left)}" y="${rounded(top)}" width="${rounded(width)}" height="${rounded(height)}" rx="10"/>!${start}!${final}<text class="name" x="${rounded(state?.isInitial === true ? x + 7 : x)}" y="${rounded(y + 4)}">${mark}${id}</text>
`;
}

/** A line through points, rounded where it bends. */
function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  const last = rest.at(-1) ?? first;
  const bends = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? last;
    const end = index === rest.length - 2 ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${rounded(point.x)} ${rounded(point.y)} ${rounded(end.x)} ${rounded(end.y)}`;
  });
  const path = bends.length === 0 ? `L${rounded(last.x)} ${rounded(last.y)}` : bends.join('');
  return `M${rounded(first.x)} ${rounded(first.y)}${path}`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
