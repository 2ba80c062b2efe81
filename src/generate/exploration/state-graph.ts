import type { CompiledMachine } from '../../compiled/compiled-machine.ts';
import type { AnyStateMachine } from '../../compiled/model.ts';

/** A finite machine as numbers: states from 0, where it begins, and labels, which are events or actions, from 0. */
export interface StateGraph {
  readonly states: number;
  readonly labels: number;
  /** For each state and label the number of the next state: `targets[state * labels + label]`; below 0 where it cannot be taken. */
  readonly targets: ArrayLike<number>;
}

/** The graph of an explored machine: its states and events by their numbers. */
export function createStateGraph<M extends AnyStateMachine>(explored: CompiledMachine<M>): StateGraph {
  return { states: explored.states.length, labels: explored.events.length, targets: explored.targets };
}

/** The transitions of a graph: those that lead to another state, and where `stays` is true all others too. */
export interface Moves {
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly label: Int32Array;
  /** The transitions out of state `s` are those from `offsets[s]` up to `offsets[s + 1]`. */
  readonly offsets: Int32Array;
}

/** Lists the transitions of a graph by their states, in the order of the labels. Takes whether those that stay count too. */
export function listMoves({ states, labels, targets }: StateGraph, stays: boolean): Moves {
  const from: number[] = [];
  const to: number[] = [];
  const label: number[] = [];
  const offsets = new Int32Array(states + 1);
  for (let state = 0; state < states; state += 1) {
    for (let by = 0; by < labels; by += 1) {
      const target = targets[state * labels + by] as number;
      if (target === state && !stays) continue;
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

/** How many pairs of transitions there are of which the second begins where the first one ends. Takes the transitions. */
export function countPairs({ count, to, offsets }: Moves): number {
  let pairs = 0;
  for (let move = 0; move < count; move += 1) {
    const end = to[move] as number;
    pairs += (offsets[end + 1] as number) - (offsets[end] as number);
  }
  return pairs;
}

/** Shortest ways through a graph from one state. */
export interface Ways {
  /** How many steps away each state is; -1 where there is no way. */
  readonly distance: Int32Array;
  /** The labels of a shortest way to a state that can be reached. */
  readonly to: (state: number) => number[];
}

/** The shortest ways from a state, the lowest labels first. */
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

/** The state that labels lead to. Takes the graph, the state to begin in and the labels. */
export function getEndState({ labels, targets }: StateGraph, start: number, way: readonly number[]): number {
  return way.reduce((state, label) => targets[state * labels + label] as number, start);
}
