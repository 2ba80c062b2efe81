import type { SignInEvent } from '../../machines/sign-in.machine.ts';
import { finishedSignInsMax } from '../core/limits.ts';
import { isFinished, isOver, type SandboxState, type SignInRecord } from './state.ts';

/** Applies an event to a sign-in and updates the bounded list of finished ones. */
export function moveSignIn(state: SandboxState, signIn: SignInRecord, event: SignInEvent): void {
  if (isFinished(signIn)) return;
  signIn.screen = state.model.stepSignIn(signIn.screen, event);
  state.logObserver?.moved(state, signIn);
  if (!isOver(signIn)) return;
  state.finished.add(signIn.id);
  for (const oldest of state.finished) {
    if (state.finished.size <= finishedSignInsMax) break;
    state.finished.delete(oldest);
    state.signIns.delete(oldest);
  }
}

/**
 * Records the expiry time of a prompt. Times arrive in order unless the clock was set back; then the list is sorted
 * again.
 */
export function notePromptEnd(state: SandboxState, promptId: string, userId: string, endsAtMs: number): void {
  const inOrder = endsAtMs >= (lastEndMs.get(state) ?? latestEndMs(state));
  state.promptEnds.set(promptId, { userId, endsAtMs });
  if (inOrder) lastEndMs.set(state, endsAtMs);
  else sortPromptEnds(state);
}

/** Latest recorded expiry time by state; a restored state has none until the first lookup. */
const lastEndMs = new WeakMap<SandboxState, number>();

function latestEndMs({ promptEnds }: SandboxState): number {
  return [...promptEnds.values()].reduce((latest, end) => Math.max(latest, end.endsAtMs), Number.NEGATIVE_INFINITY);
}

function sortPromptEnds(state: SandboxState): void {
  const ends = [...state.promptEnds].sort(([, a], [, b]) => a.endsAtMs - b.endsAtMs);
  state.promptEnds.clear();
  for (const [id, end] of ends) state.promptEnds.set(id, end);
}
