import type { AnyStateMachine } from 'xstate';

/** Part of a machine state that a chart is drawn from. */
export interface ChartNode {
  readonly path: readonly string[];
  readonly type: string;
  readonly meta?: { readonly page?: string; readonly rules?: readonly string[] };
  readonly initial?: { readonly target?: readonly ChartNode[] };
  readonly states: Readonly<Record<string, ChartNode>>;
  readonly transitions: ReadonlyMap<string, readonly ChartDefinition[]>;
  readonly always?: readonly ChartDefinition[];
}

/** Transition as the machine defines it. */
export interface ChartDefinition {
  readonly source: ChartNode;
  readonly target?: readonly ChartNode[];
  readonly guard?: unknown;
  readonly actions: readonly unknown[];
  readonly eventType: string;
}

/** Id that represents any state. Transitions of the machine's root start there. */
export const anyState = 'any state';

/** Returns the states of a machine, starting with its root. */
export function chartNodes(machine: AnyStateMachine): readonly ChartNode[] {
  return nodesBelow(machine.root as unknown as ChartNode);
}

/** Returns the transitions of a machine in the order in which the machine tries them. */
export function chartDefinitions(nodes: readonly ChartNode[]): readonly ChartDefinition[] {
  return nodes.flatMap(({ transitions, always = [] }) => [...[...transitions.values()].flat(), ...always]);
}

/** Formats the path of a state with dots. The root represents any state. */
export function formatChartId({ path }: ChartNode): string {
  return path.length === 0 ? anyState : path.join('.');
}

/** Returns true if a state is the initial state of the machine or of a parent state. */
export function isInitialNode(nodes: readonly ChartNode[], node: ChartNode): boolean {
  return nodes.some(({ initial }) => initial?.target?.includes(node) === true);
}

/** Describes a transition by the names of its event, guard and actions, with its source and target states. */
export function describedTransition({ source, target, guard, actions, eventType }: ChartDefinition) {
  return {
    from: formatChartId(source),
    to: formatChartId(target?.[0] ?? source),
    event: eventType === '' ? 'always' : eventType,
    guard: guard === undefined ? null : formatName(guard),
    actions: actions.map(formatName),
  };
}

function nodesBelow(node: ChartNode): readonly ChartNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesBelow)];
}

/** Returns the name of a guard or action, which is a string, an object with a type, or a function. */
function formatName(part: unknown): string {
  if (typeof part === 'string') return part;
  const { type, name } = (part ?? {}) as { readonly type?: unknown; readonly name?: unknown };
  return String(type ?? name ?? '');
}
