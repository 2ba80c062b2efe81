import { html } from 'ghtml';
import { anyState, type ChartCoverage, type ChartState, type ChartTransition } from '../contract/suite-coverage.ts';
import {
  formatCurve,
  labelLineHeight,
  layoutStatechart,
  type PlacedArrow,
  type PlacedState,
  toTenth,
} from './statechart-layout.ts';

type CoveredArrow = PlacedArrow<ChartTransition>;

/**
 * Renders a machine as a chart with states and arrows colored by test coverage. `number` makes the ids unique on
 * the page.
 */
export function statechartSvg(chart: ChartCoverage, number: number): string {
  const { width: exactWidth, height: exactHeight, states, arrows } = layoutStatechart(chart, { listLines });
  const [width, height] = [Math.ceil(exactWidth), Math.ceil(exactHeight)];
  const known = new Map(chart.states.map((state) => [state.id, state]));
  const id = `chart-${number}`;
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">Statechart of the machine ${chart.machine}</title>
<desc id="${id}-text">${describe(chart)} The tables below contain the same data.</desc>
<defs><marker id="${id}-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" class="tip"/></marker></defs>
!${arrows.map((arrow) => arrowSvg(arrow, id))}!${states.map((state) => stateSvg(state, known.get(state.id)))}!${arrows.map(labelSvg)}</svg>`;
}

function describe({ states, transitions }: ChartCoverage): string {
  const taken = transitions.filter(({ times }) => times > 0).length;
  const entered = states.filter(({ times }) => times > 0).length;
  return `${entered} of ${states.length} states were entered and ${taken} of ${transitions.length} transitions were taken.`;
}

/** Returns the share of an arrow's transitions that were taken: all, some or none. */
function getClass({ transitions }: CoveredArrow): 'all' | 'some' | 'none' {
  const taken = transitions.filter(({ times }) => times > 0).length;
  if (taken === transitions.length) return 'all';
  return taken === 0 ? 'none' : 'some';
}

function arrowSvg(arrow: CoveredArrow, id: string): string {
  return html`<path class="arrow ${getClass(arrow)}" d="${formatCurve(arrow.points)}" marker-end="url(#${id}-tip)"/>
`;
}

function labelSvg({ label, lines }: CoveredArrow): string {
  const { x, y, width, height } = label;
  const texts = lines.map(
    (line, index) =>
      html`<text class="label" x="${toTenth(x + width / 2)}" y="${toTenth(y + index * labelLineHeight + 14)}">${line}</text>`,
  );
  return html`<rect class="behind" x="${toTenth(x)}" y="${toTenth(y)}" width="${toTenth(width)}" height="${height}"/>!${texts}
`;
}

/** Returns a line for each event of an arrow: its coverage and name. Uncovered events come first. */
function listLines(transitions: readonly ChartTransition[]): readonly string[] {
  const byEvent = [...Map.groupBy(transitions, ({ event }) => event)].map(([event, ofEvent]) => {
    const taken = ofEvent.filter(({ times }) => times > 0).length;
    const count = ofEvent.length === 1 ? '' : ` ${taken}/${ofEvent.length}`;
    const isCovered = taken === ofEvent.length;
    return { isCovered, text: `${isCovered ? '✓' : '✗'} ${event}${count}` };
  });
  return byEvent.toSorted((left, right) => Number(left.isCovered) - Number(right.isCovered)).map(({ text }) => text);
}

function stateSvg({ id, x: left, y: top, width, height }: PlacedState, state: ChartState | undefined): string {
  const isAny = id === anyState;
  const kind = isAny ? 'any' : (state?.times ?? 0) > 0 ? 'all' : 'none';
  const mark = isAny ? '' : kind === 'all' ? '✓ ' : '✗ ';
  const [x, y] = [left + width / 2, top + height / 2];
  const start =
    state?.isInitial === true ? html`<circle class="start" cx="${toTenth(left + 12)}" cy="${toTenth(y)}" r="4"/>` : '';
  const ring = { x: toTenth(left + 3), y: toTenth(top + 3), width: toTenth(width - 6), height: toTenth(height - 6) };
  const final =
    state?.isFinal === true
      ? html`<rect class="ring" x="${ring.x}" y="${ring.y}" width="${ring.width}" height="${ring.height}" rx="7"/>`
      : '';
  return html`<rect class="state ${kind}" x="${toTenth(left)}" y="${toTenth(top)}" width="${toTenth(width)}" height="${toTenth(height)}" rx="10"/>!${start}!${final}<text class="name" x="${toTenth(state?.isInitial === true ? x + 7 : x)}" y="${toTenth(y + 4)}">${mark}${id}</text>
`;
}
