import { createBoundedStepper, getInitialState } from '../../compiled/bounded-step.ts';
import type { AnyStateMachine, Model, SnapshotFrom } from '../../compiled/model.ts';
import { createStateKey } from '../../compiled/state-key.ts';
import type { Population } from './machine-mutant.ts';

/** Maximum number of states, nearest to the initial state first. */
const statesMax = 1_500;

/** Samples the nearest states of a machine with its alphabet. Unlike an exploration, it simply stops at the limit. */
export function sampleStates<M extends AnyStateMachine>(model: Model<M>): Population<M> {
  const { machine, events, input, from, serialize, normalize } = model;
  const step = createBoundedStepper(machine, input);
  const keyOf = serialize ?? createStateKey;
  const first = from ?? getInitialState(machine, input);
  const states = [first];
  const met = new Set([keyOf(first)]);
  // The loop also visits the states that it appends.
  for (const state of states) {
    for (const event of events) {
      if (states.length >= statesMax) return { states, events };
      const after = step(state, event);
      const next = normalize?.(after, event) ?? after;
      const key = keyOf(next as SnapshotFrom<M> & object);
      if (met.has(key)) continue;
      met.add(key);
      states.push(next);
    }
  }
  return { states, events };
}
