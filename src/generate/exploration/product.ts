import type { AnyStateMachine, Model, SnapshotFrom } from '../../compiled/model.ts';

/** A machine's view of a part: what of its state an action or an invariant looks at. Equal JSON means the same class. */
export interface Reading<V = unknown> {
  /** Name of the part. */
  readonly part: string;
  readonly view: (state: SnapshotFrom<AnyStateMachine>) => V;
}

/** What an action does to one part. */
export interface Move {
  /** Name of the part that it moves. */
  readonly part: string;
  readonly reads: readonly Reading[];
  /** The event that the part is sent, of its alphabet, for what was read, in that order; `null` sends none. */
  readonly event: (views: readonly unknown[]) => { readonly type: string } | null;
}

/** One thing that can happen to the whole; every part that it moves is moved from the state before. */
export interface Action {
  readonly name: string;
  readonly moves: readonly Move[];
}

/** A claim about every reachable edge of a product. */
export interface ProductInvariant {
  readonly id: string;
  readonly sentence: string;
  /** Names of the actions that it looks at. */
  readonly actions: readonly string[];
  readonly reads: readonly Reading[];
  /** Takes what was read before the action, and the events that it sends by the names of the parts. */
  readonly holds: (views: readonly unknown[], sent: ReadonlyMap<string, { readonly type: string }>) => boolean;
}

/** Machines side by side, moved by actions that may look at each of them. */
export interface Product {
  readonly name: string;
  readonly parts: readonly Model[];
  readonly actions: readonly Action[];
  readonly invariants: readonly ProductInvariant[];
}

/** A move of a part by one event that asks nothing. */
export function eventsSent(part: string, event: { readonly type: string }): Move {
  return { part, reads: [], event: () => event };
}
