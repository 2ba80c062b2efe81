import { type NudgeEvent, nudgeMachine } from '../../machines/nudge.machine.ts';
import type { CountedTransition, ExecutedTransition } from '../contract/coverage-evidence.ts';
import { TransitionCounts } from '../contract/transition-counts.ts';
import { rebuildStateWithObserver } from '../journal/apply-event.ts';
import type { JournalEntry } from '../journal/journal-event.ts';
import type { NudgeSnapshot } from '../journal/state.ts';

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

/** Returns the lifecycle transitions of a complete journal. Throws `store-corrupt` if it cannot be replayed. */
export function listTransitions(journal: readonly JournalEntry[]): readonly CountedTransition[] {
  const counts = new TransitionCounts();
  rebuildStateWithObserver(journal, {
    evaluated: () => undefined,
    moved: (before, event) => {
      const taken = takenFrom(before, event);
      if (taken !== null) counts.add(taken);
    },
  });
  return counts.list();
}
