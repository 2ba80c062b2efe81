import { type NudgeEvent, nudgeMachine } from '../../machines/nudge.machine.ts';
import type { CountedTransition, ExecutedTransition } from '../contract/coverage-evidence.ts';
import { rebuildStateWithObserver } from '../journal/apply-event.ts';
import type { JournalEntry } from '../journal/journal-event.ts';
import type { NudgeSnapshot } from '../journal/state.ts';

/** Counts executed lifecycle transitions, identified by the names of their guards and actions in the machine. */
export class TransitionCounts {
  readonly #counts = new Map<string, { readonly taken: ExecutedTransition; times: number }>();

  /** Returns the texts that identify the transitions. */
  keys(): readonly string[] {
    return [...this.#counts.keys()];
  }

  list(): readonly CountedTransition[] {
    return [...this.#counts.values()];
  }

  add(taken: ExecutedTransition, times = 1): void {
    const key = `${taken.event} ${taken.from} ${taken.guard} ${taken.actions.join()}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { taken, times });
    else known.times += times;
  }
}

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
