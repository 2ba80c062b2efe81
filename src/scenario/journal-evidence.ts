import { type JournalEntry, listTransitions, type ReplayObserver, takenFrom } from '../sandbox/observed-journal.ts';
import type { ScenarioEvidence } from './evidence.ts';

/**
 * Creates an observer that counts the transitions of a system in this process. Verdicts are counted separately, together
 * with those of hypothetical sign-ins.
 */
export function observeTransitions({ transitions }: ScenarioEvidence): ReplayObserver {
  return {
    evaluated: () => undefined,
    moved: (before, event) => {
      const taken = takenFrom(before, event);
      if (taken !== null) transitions.add(taken);
    },
  };
}

/** Adds the transitions in the journal of a system that could not be observed; `null` if it has no journal. */
export function addJournal(evidence: ScenarioEvidence, journal: readonly JournalEntry[] | null): void {
  if (journal === null) evidence.blind = true;
  else evidence.addTransitions(listTransitions(journal));
}
