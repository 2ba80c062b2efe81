import dagre from '@dagrejs/dagre';
import type { ChartCoverage, ChartTransition } from '../contract/suite-coverage.ts';

/** A place in the picture, in units of it. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A state with its place: the middle of its box. */
export interface PlacedState extends Point {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** Room that a loop takes between its state and its label. */
const loopWidth = 34;

/** All transitions from one state to another, drawn as one arrow. */
export interface PlacedArrow {
  readonly transitions: readonly ChartTransition[];
  readonly points: readonly Point[];
  readonly label: Point;
  readonly lines: readonly string[];
}

export interface PlacedChart {
  readonly width: number;
  readonly height: number;
  readonly states: readonly PlacedState[];
  readonly arrows: readonly PlacedArrow[];
}

/** Sizes in units of the picture; a character of a label is about so wide. */
const characterWidth = 6.6;
const labelLineHeight = 14;
const stateHeight = 40;
const linesMax = 6;

/** Places the states of a chart in layers, and the arrows between them with room for their labels. */
export function placedChart({ states, transitions }: ChartCoverage): PlacedChart {
  const graph = new dagre.graphlib.Graph({ multigraph: false, directed: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 36, edgesep: 20, ranksep: 48, marginx: margin, marginy: margin });
  const used = new Set(transitions.flatMap(({ from, to }) => [from, to]));
  const ids = [...new Set([...states.map(({ id }) => id), ...used])];
  for (const id of ids) graph.setNode(id, { width: id.length * characterWidth * 1.15 + 52, height: stateHeight });
  const groups = [...Map.groupBy(transitions, ({ from, to }) => JSON.stringify([from, to])).values()];
  for (const group of groups) {
    const { from, to } = group[0] as ChartTransition;
    const lines = labelLines(group);
    const width = widthOf(lines) + 12;
    const room = from === to ? width + loopWidth * 2 : width;
    graph.setEdge(from, to, { width: room, height: lines.length * labelLineHeight + 6, labelpos: 'c' });
  }
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number };
  const arrows = groups.map((group) => arrowOf(graph, group));
  // Loops may stand out beyond the layers.
  const right = Math.max(width, ...arrows.map(({ label, lines }) => label.x + widthOf(lines) / 2 + margin));
  return {
    width: Math.ceil(right),
    height: Math.ceil(height),
    states: ids.map((id) => ({ id, ...(graph.node(id) as unknown as Omit<PlacedState, 'id'>) })),
    arrows,
  };
}

const margin = 16;

function widthOf(lines: readonly string[]): number {
  return Math.max(...lines.map(({ length }) => length)) * characterWidth;
}

function arrowOf(graph: InstanceType<typeof dagre.graphlib.Graph>, group: readonly ChartTransition[]): PlacedArrow {
  const { from, to } = group[0] as ChartTransition;
  if (from === to) return loopAt(graph.node(from) as unknown as Omit<PlacedState, 'id'>, group);
  const { points, x, y } = graph.edge(from, to) as unknown as Point & { readonly points: readonly Point[] };
  return { transitions: group, points, label: { x, y }, lines: labelLines(group) };
}

/** A loop at the right side of a state, with its label beside it. */
function loopAt({ x, y, width }: Omit<PlacedState, 'id'>, group: readonly ChartTransition[]): PlacedArrow {
  const side = x + width / 2;
  const [near, far] = [9, 20];
  const lines = labelLines(group);
  const half = widthOf(lines) / 2;
  return {
    transitions: group,
    points: [
      { x: side, y: y - near },
      { x: side + loopWidth, y: y - far },
      { x: side + loopWidth, y: y + far },
      { x: side, y: y + near },
    ],
    label: { x: side + loopWidth + half, y },
    lines,
  };
}

/** What stands at an arrow: a line for each event, those that no test took first. */
function labelLines(group: readonly ChartTransition[]): readonly string[] {
  const byEvent = [...Map.groupBy(group, ({ event }) => event)].map(([event, of]) => {
    const taken = of.filter(({ times }) => times > 0).length;
    const count = of.length === 1 ? '' : ` ${taken}/${of.length}`;
    return { open: taken < of.length, text: `${taken === of.length ? '✓' : '✗'} ${event}${count}` };
  });
  const sorted = byEvent.toSorted((one, other) => Number(other.open) - Number(one.open)).map(({ text }) => text);
  if (sorted.length <= linesMax) return sorted;
  return [...sorted.slice(0, linesMax - 1), `… ${sorted.length - linesMax + 1} more`];
}
