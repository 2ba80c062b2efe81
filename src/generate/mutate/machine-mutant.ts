import type { AnyStateMachine, EventFrom, SnapshotFrom } from '../../compiled/model.ts';

/** Mutation operators for machines, each with the typical coding error that it represents. */
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
/** Id of a mutation operator for state machines. */
export type MachineOperator = keyof typeof machineOperators;

/** Machine with one fault. */
export interface MachineMutant<M extends AnyStateMachine = AnyStateMachine> {
  /** Identifier of the fault, stable across runs. */
  readonly id: string;
  readonly operator: MachineOperator;
  /** State and event of the fault, or the name of a guard or action if the fault applies to all its uses. */
  readonly place: string;
  /** Rule ids that the affected states list. */
  readonly rules: readonly string[];
  readonly machine: M;
}

/** Snapshots and events on which guards and actions are called, to find out what they read and change. */
export interface Population<M extends AnyStateMachine = AnyStateMachine> {
  readonly states: readonly SnapshotFrom<M>[];
  readonly events: readonly EventFrom<M>[];
}
