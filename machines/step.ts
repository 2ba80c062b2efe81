import {
  type AnyActorScope,
  type AnyStateMachine,
  createActor,
  type EventFrom,
  type InputFrom,
  type SnapshotFrom,
} from 'xstate';

/** One step of a machine: from a snapshot by an event to the next snapshot; nothing is run or scheduled. */
export type Step<M extends AnyStateMachine> = (snapshot: SnapshotFrom<M>, event: EventFrom<M>) => SnapshotFrom<M>;

/**
 * The transition function of a machine that has neither actions with effects nor actors. It asks the machine itself and
 * differs from xstate's `transition()` in one point: the inert surroundings are made once, not at every step, because making
 * them costs several times what the step does.
 * Takes the machine and, where the machine wants one, any valid input.
 */
export function createStepper<M extends AnyStateMachine>(machine: M, input?: InputFrom<M>): Step<M> {
  const self = createActor(machine, { input } as never);
  const surroundings = {
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
  return (snapshot, event) => machine.transition(snapshot, event, surroundings) as SnapshotFrom<M>;
}

function ignore(): void {
  // Machines of this folder have no effects to carry out.
}
