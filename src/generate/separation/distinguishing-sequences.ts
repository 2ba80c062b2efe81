import type { CompiledMachine } from '../../compiled/compiled-machine.ts';
import type { AnyStateMachine, EventFrom, ExploreOptions, SnapshotFrom } from '../../compiled/model.ts';
import { explore } from '../exploration/explore.ts';
import type { ExploredProduct } from '../exploration/explore-product.ts';
import type { Product } from '../exploration/product.ts';
import { exploredSteps } from '../exploration/product-steps.ts';
import { createStateGraph } from '../exploration/state-graph.ts';
import { Separation } from './separation.ts';

/** Events after which a state is distinguished from all others. */
export interface DistinguishingSequence<E> {
  readonly events: readonly E[];
  /** Numbers of the states that these events do not distinguish; the following sequences do. */
  readonly missed: readonly number[];
  /** `true` if an exhaustive search of all shorter sequences found no equal one. */
  readonly isShortest: boolean;
}

/** States of a machine, grouped by whether observations can distinguish them. State numbers are those in `explored`. */
export interface SeparatedStates<E, X> {
  readonly explored: X;
  /** Number of classes of states that look the same after every event sequence. */
  readonly classes: number;
  /** States of each class with more than one state: provably, no test distinguishes them. */
  readonly inseparable: readonly (readonly number[])[];
  /** Returns the fewest events after which two states look different; `null` if they never do. */
  readonly apart: (one: number, other: number) => readonly E[] | null;
  /**
   * Returns sequences that together distinguish a state from all states that behave differently, the most effective one
   * first.
   */
  readonly listSuffixes: (state: number) => readonly DistinguishingSequence<E>[];
}

/**
 * Finds event sequences that distinguish the states of a machine by observations, and proves which states are
 * indistinguishable. States with equal JSON observations look the same. Throws the errors of `explore`.
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
 * Finds sequences of action names that distinguish the states of a product. The observation of a state is computed from
 * its part states by name. Throws the errors of the exploration.
 */
export function productDistinguishingSequences(
  product: Product,
  visible: (parts: ReadonlyMap<string, SnapshotFrom<AnyStateMachine>>) => unknown,
): SeparatedStates<string, ExploredProduct> {
  const steps = exploredSteps(product);
  const { explored, graph } = steps;
  const seen = Array.from({ length: graph.states }, (_, number) => visible(explored.getState(number)));
  return { explored, ...named(new Separation(graph, seen), (label) => steps.getName(label)) };
}

function named<E>(separation: Separation, eventOf: (label: number) => E) {
  return {
    classes: separation.classes,
    inseparable: separation.inseparable,
    apart: (one: number, other: number) => separation.apart(one, other)?.map(eventOf) ?? null,
    listSuffixes: (state: number) =>
      separation.listSuffixes(state).map(({ labels, ...suffix }) => ({ ...suffix, events: labels.map(eventOf) })),
  };
}
