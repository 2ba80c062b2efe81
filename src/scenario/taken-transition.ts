import { type NudgeEvent, nudgeMachine } from '../../machines/nudge.machine.ts';
import type { NudgeTransition } from '../contract/observation.ts';
import type { NudgeSnapshot } from '../sandbox/watched-journal.ts';

/** A transition of the nudge machine that was taken. */
export interface TakenTransition {
  readonly event: string;
  readonly from: string;
  readonly guard: string;
  readonly actions: readonly string[];
}

/** The transition that the machine takes from a snapshot by an event; `null` when it takes none. Takes both. */
export function takenFrom(before: NudgeSnapshot, event: NudgeEvent): TakenTransition | null {
  const [definition] = nudgeMachine.getTransitionData(before, event);
  if (definition === undefined) return null;
  const { guard, actions } = definition;
  return {
    event: event.type,
    from: String(before.value),
    guard: typeof guard === 'string' ? guard : '',
    actions: actions.map((action) => (typeof action === 'string' ? action : String(action))),
  };
}

/** Whether a transition is one that a rule or an assumption is seen by: all that the other says has to hold of it. */
export function matches(taken: TakenTransition, wanted: NudgeTransition): boolean {
  return (
    taken.event === wanted.event &&
    (wanted.from === undefined || wanted.from === taken.from) &&
    (wanted.guard === undefined || wanted.guard === taken.guard) &&
    (wanted.action === undefined || taken.actions.includes(wanted.action))
  );
}
