import { type NudgeEvent, nudgeMachine } from '../../machines/nudge.machine.ts';
import type { ExecutedTransition } from '../contract/coverage-evidence.ts';
import type { NudgeSnapshot } from '../sandbox/observed-journal.ts';

/** Returns the transition that the machine takes from a snapshot for an event, or `null` if it takes none. */
export function takenFrom(before: NudgeSnapshot, event: NudgeEvent): ExecutedTransition | null {
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
