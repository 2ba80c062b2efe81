import { type NudgeEvent, nudgeMachine } from '../../machines/nudge.machine.ts';
import type { ExecutedTransition } from '../contract/coverage-evidence.ts';
import type { NudgeSnapshot } from '../sandbox/observed-journal.ts';

/** The transition that the machine takes from a snapshot by an event; `null` when it takes none. Takes both. */
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
