import type { CompiledMachine } from '../../compiled/compiled-machine.ts';
import type { AnyStateMachine, EventFrom, ExploreOptions, SnapshotFrom } from '../../compiled/model.ts';
import { explore } from '../exploration/explore.ts';
import type { ExploredProduct } from '../exploration/explore-product.ts';
import type { Product } from '../exploration/product.ts';
import { exploredSteps } from '../exploration/product-steps.ts';
import { createStateGraph } from '../exploration/state-graph.ts';
import { Separation } from './separation.ts';

/** Events after which a state shows that it is none of the others. */
export interface DistinguishingSequence<E> {
  readonly events: readonly E[];
  /** Numbers of states that these events do not tell apart; the suffixes that follow do. */
  readonly missed: readonly number[];
  /** Whether a search of all shorter ones has shown that none does as much. */
  readonly isShortest: boolean;
}

/** Which states can be told apart by what is visible. States go by their numbers in `explored`. */
export interface SeparatedStates<E, X> {
  readonly explored: X;
  /** Classes of states that look the same after all events there are. */
  readonly classes: number;
  /** The states of each class of more than one: proven that no test tells them apart. */
  readonly inseparable: readonly (readonly number[])[];
  /** The fewest events after which two states look different; `null` when they never do. */
  readonly apart: (one: number, other: number) => readonly E[] | null;
  /** Suffixes which together tell a state from all that behave otherwise, the one that tells most coming first. */
  readonly suffixesOf: (state: number) => readonly DistinguishingSequence<E>[];
}

/**
 * Tells the states of a machine apart by what is visible of them, and proves for which of them nothing does. Takes the machine,
 * how it is explored, and what can be seen of a state; equal JSON looks the same. Throws what `explore` throws.
 */
export function distinguishingSequences<M extends AnyStateMachine>(
  machine: M,
  options: ExploreOptions<M> & { readonly visible: (state: SnapshotFrom<M>) => unknown },
): SeparatedStates<EventFrom<M>, CompiledMachine<M>> {
  const explored = explore(machine, options);
  const seen = explored.states.map((state) => options.visible(state));
  const separation = new Separation(createStateGraph(explored), seen);
  return { explored, ...named(separation, (label) => explored.events[label] as EventFrom<M>) };
}

/**
 * The same for machines side by side: events are names of actions. Takes the product, and what can be seen of a state, from the
 * states of the parts by their names. Throws what exploring throws.
 */
export function productDistinguishingSequences(
  product: Product,
  visible: (parts: ReadonlyMap<string, SnapshotFrom<AnyStateMachine>>) => unknown,
): SeparatedStates<string, ExploredProduct> {
  const steps = exploredSteps(product);
  const { explored, graph } = steps;
  const seen = Array.from({ length: graph.states }, (_, number) => visible(explored.stateOf(number)));
  return { explored, ...named(new Separation(graph, seen), (label) => steps.nameOf(label)) };
}

function named<E>(separation: Separation, eventOf: (label: number) => E) {
  return {
    classes: separation.classes,
    inseparable: separation.inseparable,
    apart: (one: number, other: number) => separation.apart(one, other)?.map(eventOf) ?? null,
    suffixesOf: (state: number) =>
      separation.suffixesOf(state).map(({ labels, ...suffix }) => ({ ...suffix, events: labels.map(eventOf) })),
  };
}
