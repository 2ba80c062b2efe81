import { useSyncExternalStore } from 'react';
import { type FirstSteps, readFirstSteps, type StepId, withStep } from './first-steps-state.ts';

/** Local storage key of the first steps. */
const storageKey = 'nudgelab-first-steps';

const listeners = new Set<() => void>();
let known: { readonly text: string | null; readonly steps: FirstSteps } | null = null;

/** Returns what this browser remembers of the first steps. The same object is returned until it changes. */
function getFirstSteps(): FirstSteps {
  const text = localStorage.getItem(storageKey);
  if (known === null || known.text !== text) known = { text, steps: readFirstSteps(text) };
  return known.steps;
}

function save(steps: FirstSteps): void {
  localStorage.setItem(storageKey, JSON.stringify(steps));
  for (const listener of listeners) listener();
}

/** Returns what this browser remembers of the first steps, and re-renders the caller when it changes. */
export function useFirstSteps(): FirstSteps {
  return useSyncExternalStore(listen, getFirstSteps);
}

/** Marks a step as done. */
export function finishStep(step: StepId): void {
  const steps = getFirstSteps();
  const changed = withStep(steps, step);
  if (changed !== steps) save(changed);
}

/** Shows or hides the first steps. They start over when they are shown again. */
export function showFirstSteps(isShown: boolean): void {
  save(isShown ? { ...readFirstSteps(null) } : { ...getFirstSteps(), isDismissed: true });
}

/** Remembers the length of the journal of a sandbox, after which an event counts as a step. Only the first call counts. */
export function beginFirstSteps(sandbox: string, entries: number): void {
  const steps = getFirstSteps();
  const before = steps.beginnings[sandbox];
  // A sandbox that was reset has fewer entries than before.
  if (before !== undefined && before <= entries) return;
  save({ ...steps, beginnings: { ...steps.beginnings, [sandbox]: entries } });
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
