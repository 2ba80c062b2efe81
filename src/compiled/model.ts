import type { AnyStateMachine, EventFrom, InputFrom, SnapshotFrom } from 'xstate';

export type { AnyStateMachine, EventFrom, InputFrom, SnapshotFrom } from 'xstate';

/** Transition of a machine as an invariant receives it. `after` is the state before normalization. */
export interface Edge<M extends AnyStateMachine> {
  readonly before: SnapshotFrom<M>;
  readonly event: EventFrom<M>;
  readonly after: SnapshotFrom<M>;
}

/** Property that holds in every reachable state, or on every edge between them. */
export type Invariant<M extends AnyStateMachine> = {
  readonly id: string;
  /** Description of the property in one sentence. */
  readonly sentence: string;
} & (
  | { readonly of: 'state'; readonly holds: (state: SnapshotFrom<M>) => boolean }
  | { readonly of: 'edge'; readonly holds: (edge: Edge<M>) => boolean }
);

/** Options of an exploration. */
export interface ExploreOptions<M extends AnyStateMachine> {
  /** Finite alphabet. Every event is applied in every state. Events with equal JSON count as one. */
  readonly events: readonly EventFrom<M>[];
  /** Input of the machine. */
  readonly input?: InputFrom<M> | undefined;
  /** Start state. The default is the initial state of the machine. */
  readonly from?: SnapshotFrom<M> | undefined;
  /**
   * Function that returns the identity of a state. The default is JSON of the value, the context and the memory of
   * history states. A coarser function defines a quotient, which must be sound.
   */
  readonly serialize?: ((state: SnapshotFrom<M>) => string) | undefined;
  /**
   * Function that maps the state after a step to the finite space, for example by shifting times to a fixed current
   * time. The default keeps the state unchanged.
   */
  readonly normalize?: ((state: SnapshotFrom<M>, event: EventFrom<M>) => SnapshotFrom<M>) | undefined;
  readonly invariants?: readonly Invariant<M>[] | undefined;
  /** Maximum number of states. The default is 100,000. */
  readonly limitStates?: number | undefined;
}

/** State machine with its exploration options. */
export interface Model<M extends AnyStateMachine = AnyStateMachine> extends ExploreOptions<M> {
  readonly name: string;
  readonly machine: M;
}

/** Violation of an invariant, with a shortest path to it. */
export interface Violation {
  readonly id: string;
  readonly sentence: string;
  /** Events from the initial state. The last event is the one of the edge. */
  readonly path: readonly unknown[];
}

/** Default maximum number of states in an exploration. */
export const limitStatesDefault = 100_000;
