import type { AnyStateMachine } from 'xstate';

/** What of a state of a machine a chart is drawn from. */
export interface ChartNode {
  readonly path: readonly string[];
  readonly type: string;
  readonly meta?: { readonly page?: string; readonly rules?: readonly string[] };
  readonly initial?: { readonly target?: readonly ChartNode[] };
  readonly states: Readonly<Record<string, ChartNode>>;
  readonly transitions: ReadonlyMap<string, readonly ChartDefinition[]>;
  readonly always?: readonly ChartDefinition[];
}

/** A transition as the machine itself holds it. */
export interface ChartDefinition {
  readonly source: ChartNode;
  readonly target?: readonly ChartNode[];
  readonly guard?: unknown;
  readonly actions: readonly unknown[];
  readonly eventType: string;
}

/** The id that stands for any state: transitions of the machine itself leave it. */
export const anyState = 'any state';

/** The states of a machine, its root first, as the machine itself has them. */
export function chartNodes(machine: AnyStateMachine): readonly ChartNode[] {
  return nodesBelow(machine.root as unknown as ChartNode);
}

/** The transitions of a machine in the order in which it tries them. Takes its states. */
export function chartDefinitions(nodes: readonly ChartNode[]): readonly ChartDefinition[] {
  return nodes.flatMap(({ transitions, always = [] }) => [...[...transitions.values()].flat(), ...always]);
}

/** The path of a state with dots; the root stands for any state. */
export function formatChartId({ path }: ChartNode): string {
  return path.length === 0 ? anyState : path.join('.');
}

/** Whether a machine, or a state with states of its own, begins in a state. Takes all states, and the one. */
export function isInitialNode(nodes: readonly ChartNode[], node: ChartNode): boolean {
  return nodes.some(({ initial }) => initial?.target?.includes(node) === true);
}

/** What a transition says in words: event, guard and actions by their names, and the states that it leaves and leads to. */
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

/** A guard or action by its name: a word, an object that has one, or a function. */
function formatName(part: unknown): string {
  if (typeof part === 'string') return part;
  const { type, name } = (part ?? {}) as { readonly type?: unknown; readonly name?: unknown };
  return String(type ?? name ?? '');
}
