import { getAdjacencyMap } from 'xstate/graph';
import { assertExplorable } from '../../compiled/admissible.ts';
import { CompiledMachine } from '../../compiled/compiled-machine.ts';
import {
  type AnyStateMachine,
  type ExploreOptions,
  limitStatesDefault,
  type SnapshotFrom,
} from '../../compiled/model.ts';
import { createStateKey } from '../../compiled/state-key.ts';

/**
 * Explores the reachable state space of a machine under a finite alphabet: states, edges, shortest paths and invariant
 * violations.
 * @throws `alphabet-empty`, `machine-not-explorable` for `after` and `invoke`, and `state-space-too-large` with the
 * context key that grows
 */
export function explore<M extends AnyStateMachine>(machine: M, options: ExploreOptions<M>): CompiledMachine<M> {
  return new CompiledMachine(machine, options);
}

/** Size of a state space. */
export interface StateSpaceCounts {
  readonly states: number;
  readonly edges: number;
}

/**
 * Counts states and edges with xstate's `getAdjacencyMap`, as a reference for `explore`. Takes the same arguments and
 * throws the same errors, except for the state limit.
 */
export function exploreByReference<M extends AnyStateMachine>(
  machine: M,
  options: ExploreOptions<M>,
): StateSpaceCounts {
  assertExplorable(machine, options.events);
  const { input, from, serialize, normalize, events } = options;
  const logic = {
    transition: (state: SnapshotFrom<M>, event: never, scope: never) => {
      const after = machine.transition(state as never, event, scope) as SnapshotFrom<M>;
      return normalize?.(after, event) ?? after;
    },
    getInitialSnapshot: (scope: never) => machine.getInitialSnapshot(scope, input as never),
  };
  const limit = (options.limitStates ?? limitStatesDefault) * events.length;
  const serializeState = serialize ?? createStateKey;
  return countStates(
    getAdjacencyMap(logic as never, { input, fromState: from, events, limit, serializeState } as never),
  );
}

/** Counts the states and edges of an adjacency map. */
export function countStates(map: object): StateSpaceCounts {
  const found = Object.values(map) as readonly { readonly transitions: object }[];
  return {
    states: found.length,
    edges: found.reduce((sum, { transitions }) => sum + Object.keys(transitions).length, 0),
  };
}
