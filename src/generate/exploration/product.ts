import type { AnyStateMachine, Model, SnapshotFrom } from '../../compiled/model.ts';

/** View of a part's state that an action or an invariant uses. Equal JSON means the same class. */
export interface Reading<V = unknown> {
  /** Name of the part. */
  readonly part: string;
  readonly view: (state: SnapshotFrom<AnyStateMachine>) => V;
}

/** Effect of an action on one part. */
export interface Move {
  /** Name of the part that moves. */
  readonly part: string;
  readonly reads: readonly Reading[];
  /**
   * Returns the event from the part's alphabet for the values of the readings, in their order; `null` if no event is
   * sent.
   */
  readonly event: (views: readonly unknown[]) => { readonly type: string } | null;
}

/** Action of the whole product. Every part that it moves starts from the state before the action. */
export interface Action {
  readonly name: string;
  readonly moves: readonly Move[];
}

/** Invariant over every reachable edge of a product. */
export interface ProductInvariant {
  readonly id: string;
  readonly sentence: string;
  /** Names of the actions that the invariant applies to. */
  readonly actions: readonly string[];
  readonly reads: readonly Reading[];
  /** Predicate on the readings before the action, and on the events that it sends by part name. */
  readonly holds: (views: readonly unknown[], sent: ReadonlyMap<string, { readonly type: string }>) => boolean;
}

/** Parallel machines with actions that can read and move each of them. */
export interface Product {
  readonly name: string;
  readonly parts: readonly Model[];
  readonly actions: readonly Action[];
  readonly invariants: readonly ProductInvariant[];
}

/** Creates a move that sends one fixed event to a part without any readings. */
export function eventsSent(part: string, event: { readonly type: string }): Move {
  return { part, reads: [], event: () => event };
}
