import type { AnyStateMachine, EventFrom, SnapshotFrom } from '../../compiled/model.ts';

/** What the operators of machines do, each a fault that a hand may make. */
export const machineOperators = {
  'guard-negated': 'a transition is taken when its guard says no',
  'guard-dropped': 'a transition is taken whatever its guard says',
  'guard-never': 'a guarded transition is never taken',
  'guard-off-by-one': 'a guard reads a number as one more or one less than it is',
  'transition-removed': 'a transition without a guard is missing',
  'transitions-swapped': 'of two transitions of one event the second is tried first',
  'target-changed': 'a transition leads to another state',
  'target-dropped': 'a transition leads nowhere',
  'action-dropped': 'a transition does not do one of its actions',
  'counter-not-incremented': 'an action does not raise a number',
  'counter-incremented-twice': 'an action raises a number by twice as much',
  'counter-not-reset': 'an action does not lower a number, or does not clear a value',
  'change-dropped': 'an action leaves one value of the context as it is',
} as const;
/** The id of a mutation operator for state machines. */
export type MachineOperator = keyof typeof machineOperators;

/** A machine with one fault. */
export interface MachineMutant<M extends AnyStateMachine = AnyStateMachine> {
  /** Names the fault; the same at every run. */
  readonly id: string;
  readonly operator: MachineOperator;
  /** The state, and the event in it, where the fault is; a guard or an action by its name where it is that of all states. */
  readonly place: string;
  /** Ids of the rules that the states concerned name. */
  readonly rules: readonly string[];
  readonly machine: M;
}

/** Snapshots and events in which guards and actions are watched, so that the operators know what they read and change. */
export interface Population<M extends AnyStateMachine = AnyStateMachine> {
  readonly states: readonly SnapshotFrom<M>[];
  readonly events: readonly EventFrom<M>[];
}
