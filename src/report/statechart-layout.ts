import dagre from '@dagrejs/dagre';

/** A point of the drawing, in drawing units. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A box: its upper left corner and its size. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export interface PlacedState extends Box {
  readonly id: string;
}

/** All transitions from one state to another, drawn as one arrow. */
export interface PlacedArrow<T> {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly transitions: readonly T[];
  readonly points: readonly Point[];
  readonly label: Box;
  readonly lines: readonly string[];
}

export interface PlacedChart<T> {
  /** True if there are too many arrows to label them all. */
  readonly isBusy: boolean;
  readonly width: number;
  readonly height: number;
  readonly states: readonly PlacedState[];
  readonly arrows: readonly PlacedArrow<T>[];
}

/** A machine to draw. */
interface Chart<T> {
  readonly states: readonly { readonly id: string }[];
  readonly transitions: readonly T[];
}

interface LayoutOptions<T> {
  /** Returns the label of an arrow, one line for each event. */
  readonly listLines: (transitions: readonly T[]) => readonly string[];
  /** Maximum number of arrows with labels beside them; in larger drawings no arrow reserves space for its label. */
  readonly labeledArrowsMax?: number;
}

/** Width of an average character of a label. */
const characterWidth = 6.7;

/** Height of a line of a label. */
export const labelLineHeight = 15;

const stateHeight = 44;
const linesMax = 5;
const loopWidth = 30;
const margin = 16;

/**
 * Lays out the states of a machine in layers, with space for the labels of the arrows between them.
 *
 * @param chart - states, and transitions between them
 * @param options - labels of the arrows
 * @returns boxes and curves in drawing units
 */
export function layoutStatechart<T extends { readonly from: string; readonly to: string }>(
  { states, transitions }: Chart<T>,
  { listLines, labeledArrowsMax = Number.POSITIVE_INFINITY }: LayoutOptions<T>,
): PlacedChart<T> {
  const groups = [...Map.groupBy(transitions, ({ from, to }) => `${from} → ${to}`)].map(([id, group]) => {
    const [{ from, to }] = group as [T];
    const lines = limitLines(listLines(group));
    return { id, from, to, transitions: group, lines, size: measureLabel(lines) };
  });
  const isBusy = groups.length > labeledArrowsMax;
  const spacing = isBusy ? { nodesep: 16, edgesep: 6, ranksep: 56 } : { nodesep: 32, edgesep: 18, ranksep: 44 };
  const graph = new dagre.graphlib.Graph({ directed: true });
  graph.setGraph({ rankdir: 'TB', ...spacing, marginx: margin, marginy: margin });
  const ids = [...new Set([...states.map(({ id }) => id), ...transitions.flatMap(({ from, to }) => [from, to])])];
  for (const id of ids) graph.setNode(id, { width: id.length * 8.4 + 92, height: stateHeight });
  for (const { from, to, size } of groups) {
    const { width, height } = isBusy ? { width: 1, height: 1 } : size;
    graph.setEdge(from, to, { width: from === to ? width + loopWidth * 2 : width, height, labelpos: 'c' });
  }
  dagre.layout(graph);
  const placed = ids.map((id) => ({ id, ...fromCenter(graph.node(id) as unknown as Box) }));
  const arrows = groups.map(({ size, ...arrow }) => {
    if (arrow.from === arrow.to) return { ...arrow, ...loopAt(graph.node(arrow.from) as unknown as Box, size) };
    const edge = graph.edge(arrow.from, arrow.to) as unknown as Point & { readonly points: readonly Point[] };
    return { ...arrow, points: edge.points, label: fromCenter({ x: edge.x, y: edge.y, ...size }) };
  });
  const boxes = [...placed, ...arrows.map(({ label }) => label)];
  return {
    isBusy,
    width: Math.max(...boxes.map(({ x, width }) => x + width)),
    height: Math.max(...boxes.map(({ y, height }) => y + height)),
    states: placed,
    arrows,
  };
}

/** Returns the curve of an arrow as the `d` of an SVG path: a line through points, rounded at its bends. */
export function formatCurve(points: readonly Point[]): string {
  const [first, ...rest] = points.map(({ x, y }) => ({ x: toTenth(x), y: toTenth(y) }));
  if (first === undefined) return '';
  const last = rest.at(-1) ?? first;
  const bends = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? last;
    const end = index === rest.length - 2 ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x} ${point.y} ${toTenth(end.x)} ${toTenth(end.y)}`;
  });
  return `M${first.x} ${first.y}${bends.length === 0 ? `L${last.x} ${last.y}` : bends.join('')}`;
}

/** Rounds a coordinate to a tenth of a unit, which no eye can tell from the exact value. */
export function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Places a loop at the right side of a state, with its label beside it. `state` has its center as `x` and `y`. */
function loopAt(
  { x, y, width }: Box,
  size: Pick<Box, 'width' | 'height'>,
): { readonly points: readonly Point[]; readonly label: Box } {
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

function fromCenter({ x, y, width, height }: Box): Box {
  return { x: x - width / 2, y: y - height / 2, width, height };
}

function measureLabel(lines: readonly string[]): Pick<Box, 'width' | 'height'> {
  const longest = Math.max(...lines.map(({ length }) => length));
  return { width: longest * characterWidth + 14, height: lines.length * labelLineHeight + 6 };
}

/** Keeps the first lines of a label, and the number of omitted ones. */
function limitLines(lines: readonly string[]): readonly string[] {
  if (lines.length <= linesMax) return lines;
  return [...lines.slice(0, linesMax - 1), `… ${lines.length - linesMax + 1} more`];
}
