import { type NudgeEvent, type OpenPrompt, promptEndsAtMs } from '../../machines/nudge.machine.ts';
import type { SignInEvent } from '../../machines/sign-in.machine.ts';
import { finishedSignInsMax } from '../core/limits.ts';
import { isFinished, isOver, type SandboxState, type SignInRecord, type UserRecord } from './state.ts';

/** The policy in force with the time, as timed events of the nudge machine carry it (A39). */
export function timed(
  state: Pick<SandboxState, 'campaign'>,
  nowMs: number,
): { nowMs: number; limited: boolean; snoozeDays: number } {
  return { nowMs, limited: state.campaign.limited, snoozeDays: state.campaign.snoozeDays };
}

/**
 * Moves a user's lifecycle by an event, keeps facts and the list of open prompts with it, and returns the prompts that the
 * event closed.
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

/** Moves a sign-in by an event and keeps the bounded list of those that are over. */
export function moveSignIn(state: SandboxState, signIn: SignInRecord, event: SignInEvent): void {
  if (isFinished(signIn)) return;
  signIn.screen = state.model.stepSignIn(signIn.screen, event);
  if (!isOver(signIn)) return;
  state.finished.add(signIn.id);
  for (const oldest of state.finished) {
    if (state.finished.size <= finishedSignInsMax) break;
    state.finished.delete(oldest);
    state.signIns.delete(oldest);
  }
}

/** Notes when a prompt will end. Ends come in order unless the clock was set back; then the list is sorted again. */
export function notePromptEnd(state: SandboxState, promptId: string, userId: string, shownAtMs: number): void {
  const endsAtMs = promptEndsAtMs({ shownAtMs }, state.ruleset.limits);
  const inOrder = endsAtMs >= (lastEndMs.get(state) ?? latestEndMs(state));
  state.promptEnds.set(promptId, { userId, endsAtMs });
  if (inOrder) lastEndMs.set(state, endsAtMs);
  else sortPromptEnds(state);
}

/** The latest end noted, by state; a state that was restored has none noted until it is looked up. */
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
 * Closes every prompt whose lifetime has ended by a time (A25, A40), each at its own end. So the result depends on the journal
 * and the time alone, and a question may do it as well as the next input.
 */
export function settleEndedPrompts(state: SandboxState, nowMs: number): void {
  if (nowMs > state.lastAtMs) state.lastAtMs = nowMs;
  if (state.promptEnds.size === 0) return;
  for (const [, { userId, endsAtMs }] of state.promptEnds) {
    if (endsAtMs > nowMs) return;
    const user = state.users.get(userId);
    if (user !== undefined) expire(state, moveUser(state, user, { type: 'time.passed', ...timed(state, endsAtMs) }));
  }
}

/** Settles what a user left open, as the user's next sign-in or the control API does (A41). */
export function settlePendingCloses(state: SandboxState, user: UserRecord, nowMs: number): void {
  if (user.nudge.context.openPrompts.length === 0) return;
  expire(state, moveUser(state, user, { type: 'pendingClose.settled', ...timed(state, nowMs) }));
}

/** Resolves the sign-ins of prompts that closed because the user registered elsewhere (A27, A43). */
export function resolve(state: SandboxState, closed: readonly { id: string }[], exceptId?: string): void {
  for (const { id } of closed) {
    const signIn = state.signIns.get(id);
    if (signIn !== undefined && id !== exceptId) moveSignIn(state, signIn, { type: 'prompt.resolved' });
  }
}

/** The sign-ins of ended prompts. Only a prompt without a way out keeps its user from going on; an error screen has one. */
function expire(state: SandboxState, closed: readonly OpenPrompt[]): void {
  for (const { id, required, phase } of closed) {
    const signIn = state.signIns.get(id);
    if (signIn !== undefined) {
      moveSignIn(state, signIn, { type: 'prompt.expired', required: required && phase !== 'error' });
    }
  }
}
