import {
  type AnyActorScope,
  type AnyStateMachine,
  createActor,
  type EventFrom,
  type InputFrom,
  type SnapshotFrom,
} from 'xstate';

/**
 * Function that computes the next snapshot of a machine from a snapshot and an event, without executing or
 * scheduling anything.
 */
export type Step<M extends AnyStateMachine> = (snapshot: SnapshotFrom<M>, event: EventFrom<M>) => SnapshotFrom<M>;

/**
 * Creates the transition function of a machine without side effects and without actors. Unlike the `transition()`
 * of xstate, the function creates the inert actor scope only once, at its first step, because creating it costs
 * several times as much as a step.
 *
 * @param machine - machine to run
 * @param input - any valid input, if the machine requires one
 */
export function createStepper<M extends AnyStateMachine>(machine: M, input?: InputFrom<M>): Step<M> {
  let scope: AnyActorScope | null = null;
  return (snapshot, event) => {
    scope ??= createInertScope(machine, input);
    return machine.transition(snapshot, event, scope) as SnapshotFrom<M>;
  };
}

function createInertScope<M extends AnyStateMachine>(machine: M, input: InputFrom<M> | undefined): AnyActorScope {
  const self = createActor(machine, { input } as never);
  return {
    self,
    system: self.system,
    id: machine.id,
    sessionId: '',
    logger: ignore,
    defer: ignore,
    stopChild: ignore,
    emit: ignore,
    actionExecutor: ignore,
  } as unknown as AnyActorScope;
}

function ignore(): void {
  // The machines of this directory have no side effects to execute.
}
