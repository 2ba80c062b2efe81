import { createActor } from 'xstate';
import { createStepper, type Step } from '../../machines/step.ts';
import type { AnyStateMachine, InputFrom, SnapshotFrom } from './model.ts';

/**
 * Maximum number of eventless steps after one event, such as those of `always`. More steps indicate an infinite
 * loop.
 */
const microstepsMax = 10_000;

/**
 * Creates a step function like `createStepper` that throws an error if `always` or raised events cause an infinite
 * loop. Without this limit the machine would never return.
 */
export function createBoundedStepper<M extends AnyStateMachine>(machine: M, input?: InputFrom<M>): Step<M> {
  const step = bounded(machine, () => createStepper(machine, input));
  return (snapshot, event) => bounded(machine, () => step(snapshot, event));
}

/** Returns the initial state of a machine. Throws any error of the machine, and an error for an infinite loop. */
export function getInitialState<M extends AnyStateMachine>(machine: M, input?: InputFrom<M>): SnapshotFrom<M> {
  const first = bounded(machine, () => createActor(machine, { input } as never).getSnapshot() as SnapshotFrom<M>);
  const { status, error } = first as { readonly status?: string; readonly error?: unknown };
  if (status === 'error') throw error;
  return first;
}

/** Runs work with a machine whose steps are limited during that time, and restores the machine afterwards. */
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
