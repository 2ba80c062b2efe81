import dagre from '@dagrejs/dagre';
import type { ControlReply } from '../../../src/client/control-client.ts';

/** A machine as the control API returns it. */
export type Machine = ControlReply<'listMachines'>['machines'][number];
type ChartTransition = Machine['transitions'][number];

/** A place in the picture, in units of it. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A box: its upper left corner, and its size. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface PlacedState extends Box {
  readonly id: string;
}

/** All transitions from one state to another, drawn as one arrow. */
export interface PlacedArrow {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly transitions: readonly ChartTransition[];
  readonly points: readonly Point[];
  readonly label: Box;
  readonly lines: readonly string[];
}

export interface PlacedChart {
  /** Whether there are so many arrows that each is named only when it is looked at. */
  readonly isBusy: boolean;
  readonly width: number;
  readonly height: number;
  readonly states: readonly PlacedState[];
  readonly arrows: readonly PlacedArrow[];
}

/** Sizes in units of the picture; a character of a label is about so wide. */
const characterWidth = 6.7;
const lineHeight = 15;
const stateHeight = 44;
const linesMax = 5;
const loopWidth = 30;

/** Arrows that can all have their names beside them. */
const namedArrowsMax = 30;

/** Places the states of a machine in layers, and the arrows between them with room for their labels. */
export function layoutChart({ states, transitions }: Pick<Machine, 'states' | 'transitions'>): PlacedChart {
  const groups = [...Map.groupBy(transitions, ({ from, to }) => `${from} → ${to}`)];
  const isBusy = groups.length > namedArrowsMax;
  const room = isBusy ? { nodesep: 16, edgesep: 6, ranksep: 56 } : { nodesep: 32, edgesep: 18, ranksep: 44 };
  const graph = new dagre.graphlib.Graph({ directed: true });
  graph.setGraph({ rankdir: 'TB', ...room, marginx: 16, marginy: 16 });
  const ids = [...new Set([...states.map(({ id }) => id), ...transitions.flatMap(({ from, to }) => [from, to])])];
  for (const id of ids) graph.setNode(id, { width: id.length * 8.4 + 92, height: stateHeight });
  for (const [, group] of groups) {
    const [{ from, to }] = group as [ChartTransition];
    const { width, height } = isBusy ? { width: 1, height: 1 } : labelSize(linesOf(group));
    graph.setEdge(from, to, { width: from === to ? width + loopWidth * 2 : width, height, labelpos: 'c' });
  }
  dagre.layout(graph);
  const placed = ids.map((id) => ({ id, ...cornered(graph.node(id) as unknown as Box) }));
  const arrows = groups.map(([id, group]) => placedArrow(graph, id, group));
  const boxes = [...placed, ...arrows.map(({ label }) => label)];
  return {
    isBusy,
    width: Math.max(...boxes.map(({ x, width }) => x + width)),
    height: Math.max(...boxes.map(({ y, height }) => y + height)),
    states: placed,
    arrows,
  };
}

/** The curve of an arrow, for the `d` of a path: a line through points, rounded where it bends. */
export function formatCurve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  const last = rest.at(-1) ?? first;
  const bends = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? last;
    const end = index === rest.length - 2 ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x} ${point.y} ${end.x} ${end.y}`;
  });
  return `M${first.x} ${first.y}${bends.length === 0 ? `L${last.x} ${last.y}` : bends.join('')}`;
}

function placedArrow(
  graph: InstanceType<typeof dagre.graphlib.Graph>,
  id: string,
  transitions: readonly ChartTransition[],
): PlacedArrow {
  const [{ from, to }] = transitions as unknown as [ChartTransition];
  const lines = linesOf(transitions);
  const size = labelSize(lines);
  const placed = { id, from, to, transitions, lines };
  if (from === to) return { ...placed, ...loopAt(graph.node(from) as unknown as Box, size) };
  const { points, x, y } = graph.edge(from, to) as unknown as Point & { readonly points: readonly Point[] };
  return { ...placed, points, label: cornered({ x, y, ...size }) };
}

/** A loop at the right side of a state, with its label beside it. Takes the middle and the size of the state's box. */
function loopAt({ x, y, width }: Box, size: Pick<Box, 'width' | 'height'>): Pick<PlacedArrow, 'points' | 'label'> {
  const side = x + width / 2;
  const [near, far] = [9, 20];
  return {
    points: [
      { x: side, y: y - near },
      { x: side + loopWidth, y: y - far },
      { x: side + loopWidth, y: y + far },
      { x: side, y: y + near },
    ],
    label: { x: side + loopWidth, y: y - size.height / 2, ...size },
  };
}

function cornered({ x, y, width, height }: Box): Box {
  return { x: x - width / 2, y: y - height / 2, width, height };
}

function labelSize(lines: readonly string[]): Pick<Box, 'width' | 'height'> {
  const longest = Math.max(...lines.map(({ length }) => length));
  return { width: longest * characterWidth + 14, height: lines.length * lineHeight + 6 };
}

/** What stands at an arrow: a line for each event, and how many more there are. */
function linesOf(transitions: readonly ChartTransition[]): readonly string[] {
  const events = [...new Set(transitions.map(({ event }) => event))];
  if (events.length <= linesMax) return events;
  return [...events.slice(0, linesMax - 1), `… ${events.length - linesMax + 1} more`];
}
