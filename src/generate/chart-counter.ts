import type { AnyStateMachine, EventFrom, SnapshotFrom } from '../compiled/model.ts';
import { anyState, type ChartCoverage, type ChartState, type ChartTransition } from '../contract/suite-coverage.ts';

/** What of XState's nodes and transitions is read. */
interface StateNode {
  readonly key: string;
  readonly path: readonly string[];
  readonly type: string;
  readonly initial?: { readonly target?: readonly StateNode[] };
  readonly states: Readonly<Record<string, StateNode>>;
  readonly transitions: ReadonlyMap<string, readonly Definition[]>;
  readonly always?: readonly Definition[];
}

interface Definition {
  readonly source: StateNode;
  readonly target?: readonly StateNode[];
  readonly guard?: unknown;
  readonly actions: readonly unknown[];
  readonly eventType: string;
}

/** Counts how often states and transitions of a machine are taken; which there are is read from the machine itself. */
export class ChartCounter {
  readonly #machine: AnyStateMachine;
  readonly #name: string;
  readonly #nodes: readonly StateNode[];
  readonly #definitions: readonly Definition[];
  readonly #states = new Map<string, number>();
  readonly #taken = new Map<Definition, number>();

  /** Takes the machine and what it is called. */
  constructor(machine: AnyStateMachine, name: string) {
    this.#machine = machine;
    this.#name = name;
    this.#nodes = nodesOf(machine.root as unknown as StateNode);
    this.#definitions = this.#nodes.flatMap(({ transitions, always = [] }) => [
      ...[...transitions.values()].flat(),
      ...always,
    ]);
  }

  /** Notes the state that a test begins in. */
  began(state: SnapshotFrom<AnyStateMachine>): void {
    this.#note(state);
  }

  /** Notes a step: the transitions that the event chooses, and the state that it leads to. */
  moved(
    before: SnapshotFrom<AnyStateMachine>,
    event: EventFrom<AnyStateMachine>,
    after: SnapshotFrom<AnyStateMachine>,
  ): void {
    for (const definition of this.#machine.getTransitionData(before as never, event) as unknown as Definition[]) {
      this.#taken.set(definition, (this.#taken.get(definition) ?? 0) + 1);
    }
    this.#note(after);
  }

  /** The chart with what was counted. */
  coverage(): ChartCoverage {
    return {
      machine: this.#name,
      states: this.#nodes.slice(1).map((node) => this.#stateOf(node)),
      transitions: this.#definitions.map((definition) => this.#transitionOf(definition)),
    };
  }

  #note(state: SnapshotFrom<AnyStateMachine>): void {
    const nodes = (state as unknown as { readonly _nodes?: readonly StateNode[] })._nodes ?? [];
    for (const node of nodes) this.#states.set(idOf(node), (this.#states.get(idOf(node)) ?? 0) + 1);
  }

  #stateOf(node: StateNode): ChartState {
    const id = idOf(node);
    const isInitial = this.#nodes.some(({ initial }) => initial?.target?.includes(node) === true);
    return { id, isInitial, isFinal: node.type === 'final', times: this.#states.get(id) ?? 0 };
  }

  #transitionOf(definition: Definition): ChartTransition {
    const { source, target, guard, actions, eventType } = definition;
    return {
      from: idOf(source),
      to: idOf(target?.[0] ?? source),
      event: eventType === '' ? 'always' : eventType,
      guard: guard === undefined ? null : nameOf(guard),
      actions: actions.map(nameOf),
      times: this.#taken.get(definition) ?? 0,
    };
  }
}

function nodesOf(node: StateNode): readonly StateNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)];
}

function idOf({ path }: StateNode): string {
  return path.length === 0 ? anyState : path.join('.');
}

/** A guard or action by its name: a word, an object that has one, or a function. */
function nameOf(part: unknown): string {
  if (typeof part === 'string') return part;
  const { type, name } = (part ?? {}) as { readonly type?: unknown; readonly name?: unknown };
  return String(type ?? name ?? '');
}
