import type { AnyStateMachine, EventFrom, InputFrom, SnapshotFrom } from 'xstate';

export type { AnyStateMachine, EventFrom, InputFrom, SnapshotFrom } from 'xstate';

/** One step of a machine as an invariant sees it: `after` is what the machine answered, before any normalizing. */
export interface Edge<M extends AnyStateMachine> {
  readonly before: SnapshotFrom<M>;
  readonly event: EventFrom<M>;
  readonly after: SnapshotFrom<M>;
}

/** A claim about every reachable state, or about every edge between them. */
export type Invariant<M extends AnyStateMachine> = {
  readonly id: string;
  /** The claim as a sentence. */
  readonly sentence: string;
} & (
  | { readonly of: 'state'; readonly holds: (state: SnapshotFrom<M>) => boolean }
  | { readonly of: 'edge'; readonly holds: (edge: Edge<M>) => boolean }
);

/** How a machine is explored. */
export interface ExploreOptions<M extends AnyStateMachine> {
  /** The finite alphabet: every event is tried in every state. Events of the same JSON are one. */
  readonly events: readonly EventFrom<M>[];
  /** What the machine wants to begin with. */
  readonly input?: InputFrom<M> | undefined;
  /** The state to begin in; default: the machine's own. */
  readonly from?: SnapshotFrom<M> | undefined;
  /**
   * What tells states apart; default: value and context as JSON, and what history states remember. A coarser one is a quotient,
   * and must be sound.
   */
  readonly serialize?: ((state: SnapshotFrom<M>) => string) | undefined;
  /** Brings what a step led to back into the finite space, such as times to a fixed now; default: it stays. */
  readonly normalize?: ((state: SnapshotFrom<M>, event: EventFrom<M>) => SnapshotFrom<M>) | undefined;
  readonly invariants?: readonly Invariant<M>[] | undefined;
  /** How many states there may be; default 100,000. */
  readonly limitStates?: number | undefined;
}

/** A machine with the way it is explored. */
export interface Model<M extends AnyStateMachine = AnyStateMachine> extends ExploreOptions<M> {
  readonly name: string;
  readonly machine: M;
}

/** An invariant that does not hold, with the shortest way there. */
export interface Violation {
  readonly id: string;
  readonly sentence: string;
  /** The events from the first state on; that of the edge is the last. */
  readonly path: readonly unknown[];
}

/** States that an exploration takes on before it gives up. */
export const limitStatesDefault = 100_000;
