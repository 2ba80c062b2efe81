import type { CompiledMachine } from '../compiled/compiled-machine.ts';
import type { AnyStateMachine, EventFrom, ExploreOptions, SnapshotFrom } from '../compiled/model.ts';
import { explore } from './explore.ts';
import { Separation } from './separation.ts';
import { graphOfMachine } from './state-graph.ts';

/** Events after which a state shows that it is none of the others. */
export interface SeparatingSuffix<E> {
  readonly events: readonly E[];
  /** Numbers of states that these events do not tell apart; the suffixes that follow do. */
  readonly missed: readonly number[];
  /** Whether a search of all shorter ones has shown that none does as much. */
  readonly isShortest: boolean;
}

/** Which states of a machine can be told apart by what is visible. States go by their numbers in `explored`. */
export interface SeparatedStates<M extends AnyStateMachine> {
  readonly explored: CompiledMachine<M>;
  /** Classes of states that look the same after all events there are. */
  readonly classes: number;
  /** The states of each class of more than one: proven that no test tells them apart. */
  readonly inseparable: readonly (readonly number[])[];
  /** The fewest events after which two states look different; `null` when they never do. */
  readonly apart: (one: number, other: number) => readonly EventFrom<M>[] | null;
  /** Suffixes which together tell a state from all that behave otherwise, the one that tells most coming first. */
  readonly suffixesOf: (state: number) => readonly SeparatingSuffix<EventFrom<M>>[];
}

/**
 * Tells the states of a machine apart by what is visible of them, and proves for which of them nothing does. Takes the machine,
 * how it is explored, and what can be seen of a state; equal JSON looks the same. Throws what `explore` throws.
 */
export function separate<M extends AnyStateMachine>(
  machine: M,
  options: ExploreOptions<M> & { readonly visible: (state: SnapshotFrom<M>) => unknown },
): SeparatedStates<M> {
  const explored = explore(machine, options);
  const seen = explored.states.map((state) => options.visible(state));
  const separation = new Separation(graphOfMachine(explored), seen);
  const eventsOf = (labels: readonly number[]) => labels.map((label) => explored.events[label] as EventFrom<M>);
  return {
    explored,
    classes: separation.classes,
    inseparable: separation.inseparable,
    apart: (one, other) => {
      const labels = separation.apart(one, other);
      return labels === null ? null : eventsOf(labels);
    },
    suffixesOf: (state) =>
      separation.suffixesOf(state).map(({ labels, ...suffix }) => ({ ...suffix, events: eventsOf(labels) })),
  };
}
