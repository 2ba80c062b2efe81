import { createActor } from 'xstate';
import { createStepper, type Step } from '../../machines/step.ts';
import type { AnyStateMachine, InputFrom, SnapshotFrom } from './model.ts';

/** Steps without an event that may follow one event, such as those of `always`; more than these go round in circles. */
const microstepsMax = 10_000;

/**
 * One step of a machine, as `createStepper` has it, which throws where `always` or raised events go round in circles: by itself the
 * machine would never answer. Takes the machine and its input.
 */
export function createBoundedStepper<M extends AnyStateMachine>(machine: M, input?: InputFrom<M>): Step<M> {
  const step = bounded(machine, () => createStepper(machine, input));
  return (snapshot, event) => bounded(machine, () => step(snapshot, event));
}

/** The state that a machine begins in. Takes the machine and its input. Throws what the machine throws, and where it goes in circles. */
export function getInitialState<M extends AnyStateMachine>(machine: M, input?: InputFrom<M>): SnapshotFrom<M> {
  const first = bounded(machine, () => createActor(machine, { input } as never).getSnapshot() as SnapshotFrom<M>);
  const { status, error } = first as { readonly status?: string; readonly error?: unknown };
  if (status === 'error') throw error;
  return first;
}

/** Does some work with a machine whose steps are bounded meanwhile; afterwards it is as it was. */
function bounded<T>(machine: AnyStateMachine, work: () => T): T {
  const options = machine.options as { maxIterations?: number } | undefined;
  if (options === undefined) return work();
  const before = options.maxIterations ?? Number.POSITIVE_INFINITY;
  options.maxIterations = Math.min(before, microstepsMax);
  try {
    return work();
  } finally {
    options.maxIterations = before;
  }
}
