import {
  BaseEdge,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { useMemo } from 'react';
import {
  formatCurve,
  layoutStatechart,
  type PlacedArrow,
  type PlacedChart,
  type PlacedState,
} from '../../../src/report/statechart-layout.ts';
import type { ChartTaken, Machine, MachineTransition } from '../control/models.ts';

/** Selected state, or selected transition by its number. */
export type Chosen = { readonly kind: 'state' | 'transition'; readonly id: string };

/**
 * Highlighting of a state or an arrow. This is a type and not an interface, so it is also assignable to a record.
 */
type Marks = {
  /** Share of its parts that the last run covered, or `null` if coverage is not displayed. */
  readonly covered: 'all' | 'some' | 'none' | null;
  readonly isChosen: boolean;
};

type StateNode = Node<
  Marks & {
    readonly state: PlacedState;
    readonly isHere: boolean;
    readonly isInitial: boolean;
    readonly isFinal: boolean;
  },
  'state'
>;
type ArrowEdge = Edge<
  Marks & { readonly arrow: PlacedArrow<MachineTransition>; readonly isMoved: boolean; readonly isNamed: boolean },
  'arrow'
>;

/** Invisible node at a corner of the chart, which keeps labels beyond the states inside the visible area. */
type CornerNode = Node<Record<string, never>, 'corner'>;

const nodeTypes = { state: StateBox, corner: Corner };
const edgeTypes = { arrow: Arrow };

/** Minimum and maximum zoom levels. */
const zooms = { min: 0.1, max: 2 };

/** View options that fit the whole chart. The zoom limit keeps small charts from being enlarged too much. */
const fitting = { padding: 0.04, maxZoom: 1.1 };

/** Props of the statechart. */
export interface StatechartProps {
  readonly machine: Machine;
  /** Id of the current state. */
  readonly here: string | null;
  /** Id of the previous state. The transition from it to the current state is highlighted. */
  readonly before: string | null;
  /** Coverage by the last run, or `null` if coverage is not displayed. */
  readonly taken: ChartTaken | null;
  readonly chosen: Chosen | null;
  readonly onChoose: (chosen: Chosen) => void;
}

/** Renders a machine as a chart with pan and zoom. The tables next to it contain the same information. */
export function Statechart(props: StatechartProps) {
  return (
    <ReactFlowProvider>
      <Picture {...props} />
      <Zooming />
    </ReactFlowProvider>
  );
}

function Picture(props: StatechartProps) {
  const { machine, onChoose } = props;
  const placed = useMemo(() => layoutStatechart(machine, { listLines: listEvents, labeledArrowsMax }), [machine]);
  return (
    <div
      className="statechart"
      role="img"
      aria-label={`Statechart of ${machine.title}`}
      style={{ aspectRatio: `${Math.ceil(placed.width)} / ${Math.ceil(placed.height)}` }}
    >
      <ReactFlow
        nodes={[...createNodes(placed, props), ...createCorners(placed)]}
        edges={createEdges(placed, props)}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodeClick={(_event, { id, type }) => {
          if (type === 'state' && id !== anyState) onChoose({ kind: 'state', id });
        }}
        onEdgeClick={(_event, { data }) => {
          const [first] = data?.arrow.transitions ?? [];
          if (first !== undefined) onChoose({ kind: 'transition', id: first.id });
        }}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        disableKeyboardA11y
        zoomOnScroll={false}
        preventScrolling={false}
        minZoom={zooms.min}
        maxZoom={zooms.max}
        fitView
        fitViewOptions={fitting}
        proOptions={{ hideAttribution: true }}
      />
    </div>
  );
}

/** Maximum number of arrows with labels beside them; beyond it, an arrow shows its label only on hover. */
const labeledArrowsMax = 30;

function listEvents(transitions: readonly MachineTransition[]): readonly string[] {
  return [...new Set(transitions.map(({ event }) => event))];
}

/** Id of the node for any state, whose transitions leave every state. */
const anyState = 'any state';

function createNodes(
  { states }: PlacedChart<MachineTransition>,
  { machine, here, taken, chosen }: StatechartProps,
): readonly StateNode[] {
  return states.map((state) => {
    const known = machine.states.find(({ id }) => id === state.id);
    return {
      id: state.id,
      type: 'state',
      position: { x: state.x, y: state.y },
      width: state.width,
      height: state.height,
      data: {
        state,
        isHere: state.id === here,
        isInitial: known?.isInitial ?? false,
        isFinal: known?.isFinal ?? false,
        covered: known === undefined ? null : coveredStates(taken, state.id),
        isChosen: chosen?.kind === 'state' && chosen.id === state.id,
      },
    };
  });
}

function createCorners({ width, height }: PlacedChart<MachineTransition>): readonly CornerNode[] {
  const corners = [
    { id: 'begin', x: 0, y: 0 },
    { id: 'end', x: width, y: height },
  ];
  return corners.map(({ id, ...position }) => ({ id, type: 'corner', position, width: 1, height: 1, data: {} }));
}

function createEdges(
  { arrows, isBusy }: PlacedChart<MachineTransition>,
  { here, before, taken, chosen }: StatechartProps,
): ArrowEdge[] {
  return arrows.map((arrow) => {
    const looked = chosen?.kind === 'state' ? chosen.id : here;
    const isChosen = chosen?.kind === 'transition' && arrow.transitions.some(({ id }) => id === chosen.id);
    const leaves = arrow.from === before || (arrow.from === anyState && before !== null);
    return {
      id: arrow.id,
      type: 'arrow',
      source: arrow.from,
      target: arrow.to,
      markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color: 'var(--line)' },
      data: {
        arrow,
        isMoved: leaves && arrow.to === here && before !== here,
        covered: coveredArrow(taken, arrow),
        isNamed: !isBusy || isChosen || arrow.from === looked,
        isChosen,
      },
    };
  });
}

function Zooming() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <div className="buttons" role="group" aria-label="Chart size">
      <button type="button" onClick={() => void zoomIn()}>
        Larger
      </button>
      <button type="button" onClick={() => void zoomOut()}>
        Smaller
      </button>
      <button type="button" onClick={() => void fitView(fitting)}>
        Fit to view
      </button>
    </div>
  );
}

function StateBox({ data: { state, isHere, isInitial, isFinal, covered, isChosen } }: NodeProps<StateNode>) {
  const kind = [
    'state-box',
    covered === null ? '' : `covered-${covered}`,
    isHere ? 'here' : '',
    isFinal ? 'final' : '',
    isChosen ? 'chosen' : '',
    state.id === anyState ? 'any' : '',
  ];
  const mark = covered === null ? '' : covered === 'none' ? '✗ ' : '✓ ';
  return (
    <div className={kind.filter((word) => word !== '').join(' ')}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      {isInitial && <span className="start">●</span>}
      {mark}
      {state.id}
      {isHere && <span className="here-mark">now</span>}
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  );
}

function Corner() {
  return null;
}

function Arrow({ id, data, markerEnd }: EdgeProps<ArrowEdge>) {
  if (data === undefined) return null;
  const { arrow, covered, isMoved, isNamed, isChosen } = data;
  const { label, lines } = arrow;
  const kind = [covered === null ? '' : `covered-${covered}`, isMoved ? 'moved' : '', isChosen ? 'chosen' : ''].join(
    ' ',
  );
  return (
    <g className={`arrow ${kind}`}>
      <BaseEdge id={id} path={formatCurve(arrow.points)} {...(markerEnd === undefined ? {} : { markerEnd })} />
      {isNamed && (
        <EdgeLabelRenderer>
          <div
            className={`arrow-label ${kind}`}
            style={{ transform: `translate(${label.x}px, ${label.y}px)`, width: label.width }}
          >
            {lines.map((line) => (
              <div key={line}>{line}</div>
            ))}
          </div>
        </EdgeLabelRenderer>
      )}
    </g>
  );
}

function coveredStates(taken: ChartTaken | null, state: string): Marks['covered'] {
  if (taken === null || taken.measured === 'nothing') return null;
  return (taken.states.find(({ id }) => id === state)?.times ?? 0) > 0 ? 'all' : 'none';
}

function coveredArrow(taken: ChartTaken | null, { transitions }: PlacedArrow<MachineTransition>): Marks['covered'] {
  if (taken?.measured !== 'transitions') return null;
  const times = new Map(taken.transitions.map(({ id, times: of }) => [id, of]));
  const count = transitions.filter(({ id }) => (times.get(id) ?? 0) > 0).length;
  if (count === transitions.length) return 'all';
  return count === 0 ? 'none' : 'some';
}
