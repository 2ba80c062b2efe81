import {
  type ChartDefinition,
  type ChartNode,
  chartDefinitions,
  chartNodes,
  describedTransition,
  formatChartId,
  isInitialNode,
} from '../../../machines/statechart.ts';
import type { AnyStateMachine, EventFrom, SnapshotFrom } from '../../compiled/model.ts';
import type { ChartCoverage, ChartState } from '../../contract/suite-coverage.ts';

/** Counts the executed states and transitions of a machine; their list is read from the machine. */
export class ChartCounter {
  readonly #machine: AnyStateMachine;
  readonly #name: string;
  readonly #nodes: readonly ChartNode[];
  readonly #definitions: readonly ChartDefinition[];
  readonly #states = new Map<string, number>();
  readonly #taken = new Map<ChartDefinition, number>();

  /** Creates a counter for a machine and its display name. */
  constructor(machine: AnyStateMachine, name: string) {
    this.#machine = machine;
    this.#name = name;
    this.#nodes = chartNodes(machine);
    this.#definitions = chartDefinitions(this.#nodes);
  }

  /** Records the initial state of a test. */
  began(state: SnapshotFrom<AnyStateMachine>): void {
    this.#note(state);
  }

  /** Records a step: the transitions that the event selects, and the state that it leads to. */
  moved(
    before: SnapshotFrom<AnyStateMachine>,
    event: EventFrom<AnyStateMachine>,
    after: SnapshotFrom<AnyStateMachine>,
  ): void {
    for (const definition of this.#machine.getTransitionData(before as never, event) as unknown as ChartDefinition[]) {
      this.#taken.set(definition, (this.#taken.get(definition) ?? 0) + 1);
    }
    this.#note(after);
  }

  /** Returns the chart with its counts. */
  coverage(): ChartCoverage {
    return {
      machine: this.#name,
      states: this.#nodes.slice(1).map((node) => this.#toState(node)),
      transitions: this.#definitions.map((definition) => ({
        ...describedTransition(definition),
        times: this.#taken.get(definition) ?? 0,
      })),
    };
  }

  #note(state: SnapshotFrom<AnyStateMachine>): void {
    const nodes = (state as unknown as { readonly _nodes?: readonly ChartNode[] })._nodes ?? [];
    for (const node of nodes) this.#states.set(formatChartId(node), (this.#states.get(formatChartId(node)) ?? 0) + 1);
  }

  #toState(node: ChartNode): ChartState {
    const id = formatChartId(node);
    const isInitial = isInitialNode(this.#nodes, node);
    return { id, isInitial, isFinal: node.type === 'final', times: this.#states.get(id) ?? 0 };
  }
}
