import { type NudgeEvent, type OpenPrompt, promptEndsAtMs } from '../../machines/nudge.machine.ts';
import type { SignInEvent } from '../../machines/sign-in.machine.ts';
import { finishedSignInsMax } from '../core/limits.ts';
import { isFinished, isOver, type SandboxState, type SignInRecord, type UserRecord } from './state.ts';

/** Returns the effective policy and the time in the format of the nudge machine's timed events (A39). */
export function timed(
  state: Pick<SandboxState, 'campaign'>,
  nowMs: number,
): { nowMs: number; limited: boolean; snoozeDays: number } {
  return { nowMs, limited: state.campaign.limited, snoozeDays: state.campaign.snoozeDays };
}

/**
 * Applies an event to a user's lifecycle, updates the facts and the list of open prompts, and returns the prompts that
 * the event closed.
 */
export function moveUser(state: SandboxState, user: UserRecord, event: NudgeEvent): readonly OpenPrompt[] {
  const from = user.nudge;
  const before = from.context;
  user.nudge = state.model.stepNudge(from, event);
  state.observer?.moved(from, event, user.nudge);
  const { count, snoozedAtMs, openPrompts } = user.nudge.context;
  if (count !== before.count || snoozedAtMs !== before.snoozedAtMs) {
    user.facts = { ...user.facts, snooze: { count, snoozedAtMs } };
  }
  if (openPrompts === before.openPrompts) return [];
  const open = new Set(openPrompts.map((prompt) => prompt.id));
  const closed = before.openPrompts.filter((prompt) => !open.has(prompt.id));
  for (const { id } of closed) state.promptEnds.delete(id);
  return closed;
}

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
export function notePromptEnd(state: SandboxState, promptId: string, userId: string, shownAtMs: number): void {
  const endsAtMs = promptEndsAtMs({ shownAtMs }, state.ruleset.limits);
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

/**
 * Closes every prompt that expired by a time (A25, A40), each at its own expiry time. The result depends only on the
 * journal and the time, so reads can do this as well as events.
 */
export function settleEndedPrompts(state: SandboxState, nowMs: number): void {
  if (nowMs > state.lastAtMs) state.lastAtMs = nowMs;
  if (state.promptEnds.size === 0) return;
  for (const [, { userId, endsAtMs }] of state.promptEnds) {
    if (endsAtMs > nowMs) return;
    const user = state.users.edit(userId);
    if (user !== undefined) expire(state, moveUser(state, user, { type: 'time.passed', ...timed(state, endsAtMs) }));
  }
}

/** Settles the pending closes of a user, as the user's next sign-in or the control API does (A41). */
export function settlePendingCloses(state: SandboxState, user: UserRecord, nowMs: number): void {
  if (user.nudge.context.openPrompts.length === 0) return;
  expire(state, moveUser(state, user, { type: 'pendingClose.settled', ...timed(state, nowMs) }));
}

/** Completes the sign-ins of prompts that closed because the user registered elsewhere (A27, A43). */
export function resolve(state: SandboxState, closed: readonly { id: string }[], exceptId?: string): void {
  for (const { id } of closed) {
    const signIn = state.signIns.get(id);
    if (signIn !== undefined && id !== exceptId) moveSignIn(state, signIn, { type: 'prompt.resolved' });
  }
}

/**
 * Ends the sign-ins of expired prompts. Only a prompt without a skip button blocks its user; an error screen can be
 * skipped.
 */
function expire(state: SandboxState, closed: readonly OpenPrompt[]): void {
  for (const { id, required, phase } of closed) {
    const signIn = state.signIns.get(id);
    if (signIn !== undefined) {
      moveSignIn(state, signIn, { type: 'prompt.expired', required: required && phase !== 'error' });
    }
  }
}
