import type { AnyStateMachine, EventFrom, SnapshotFrom } from '../../compiled/model.ts';

/** Mutation operators for machines, each with the typical coding error that it represents. */
export const machineOperators = {
  'guard-negated': 'a transition is taken only if its guard is false',
  'guard-dropped': 'a transition is taken regardless of its guard',
  'guard-never': 'a guarded transition is never taken',
  'guard-off-by-one': 'a guard reads a number as one more or one less',
  'transition-removed': 'a transition without a guard is missing',
  'transitions-swapped': 'the second of two transitions for one event is tried first',
  'target-changed': 'a transition has another target state',
  'target-dropped': 'a transition has no target state',
  'action-dropped': 'a transition omits one of its actions',
  'counter-not-incremented': 'an action does not increment a number',
  'counter-incremented-twice': 'an action increments a number by twice the amount',
  'counter-not-reset': 'an action does not decrement a number or does not clear a value',
  'change-dropped': 'an action does not change one value of the context',
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
