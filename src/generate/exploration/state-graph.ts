import type { CompiledMachine } from '../../compiled/compiled-machine.ts';
import type { AnyStateMachine } from '../../compiled/model.ts';

/** Finite machine in numbers: states and labels (events or actions), both from 0. The initial state is 0. */
export interface StateGraph {
  readonly states: number;
  readonly labels: number;
  /** Next state for each state and label: `targets[state * labels + label]`; negative if the step is impossible. */
  readonly targets: ArrayLike<number>;
}

/** Creates the graph of an explored machine from its state and event numbers. */
export function createStateGraph<M extends AnyStateMachine>(explored: CompiledMachine<M>): StateGraph {
  return { states: explored.states.length, labels: explored.events.length, targets: explored.targets };
}

/** Transitions of a graph: those to another state and, if `stays` is `true`, also self-transitions. */
export interface Moves {
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly label: Int32Array;
  /** Offsets by state: the transitions of state `s` are from `offsets[s]` up to `offsets[s + 1]`. */
  readonly offsets: Int32Array;
}

/**
 * Lists the transitions of a graph by state, in label order.
 * @param stays - `true` to include self-transitions
 */
export function listMoves({ states, labels, targets }: StateGraph, stays: boolean): Moves {
  const from: number[] = [];
  const to: number[] = [];
  const label: number[] = [];
  const offsets = new Int32Array(states + 1);
  for (let state = 0; state < states; state += 1) {
    for (let by = 0; by < labels; by += 1) {
      const target = targets[state * labels + by] as number;
      if (target < 0 || (target === state && !stays)) continue;
      from.push(state);
      to.push(target);
      label.push(by);
    }
    offsets[state + 1] = from.length;
  }
  return {
    count: from.length,
    from: Int32Array.from(from),
    to: Int32Array.from(to),
    label: Int32Array.from(label),
    offsets,
  };
}

/** Counts the transition pairs: the second transition starts in the state where the first one ends. */
export function countPairs({ count, to, offsets }: Moves): number {
  let pairs = 0;
  for (let move = 0; move < count; move += 1) {
    const end = to[move] as number;
    pairs += (offsets[end + 1] as number) - (offsets[end] as number);
  }
  return pairs;
}

/** Shortest paths through a graph from one state. */
export interface Ways {
  /** Number of steps to each state; -1 if it is unreachable. */
  readonly distance: Int32Array;
  /** Returns the labels of a shortest path to a reachable state. */
  readonly to: (state: number) => number[];
}

/** Computes the shortest paths from a state; ties use the lowest labels. */
export function waysFrom({ states, labels, targets }: StateGraph, start: number): Ways {
  const distance = new Int32Array(states).fill(-1);
  const by = new Int32Array(states);
  const before = new Int32Array(states);
  const queue = new Int32Array(states);
  let end = 1;
  queue[0] = start;
  distance[start] = 0;
  for (let head = 0; head < end; head += 1) {
    const state = queue[head] as number;
    for (let label = 0; label < labels; label += 1) {
      const target = targets[state * labels + label] as number;
      if (distance[target] !== -1) continue;
      distance[target] = (distance[state] as number) + 1;
      by[target] = label;
      before[target] = state;
      queue[end] = target;
      end += 1;
    }
  }
  const to = (state: number): number[] => {
    const way: number[] = [];
    for (let at = state; at !== start; at = before[at] as number) way.push(by[at] as number);
    return way.reverse();
  };
  return { distance, to };
}

/** Returns the state that a sequence of labels leads to from `start`. */
export function getEndState({ labels, targets }: StateGraph, start: number, way: readonly number[]): number {
  return way.reduce((state, label) => targets[state * labels + label] as number, start);
}
