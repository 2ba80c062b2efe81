import { findDemand } from '../../machines/evaluate.ts';
import type { EffectivePolicy, NudgeEvent, OpenPrompt } from '../../machines/nudge.machine.ts';
import type { GateFacts } from '../../machines/rules/rule.ts';
import { rulesInForce } from '../../machines/ruleset-gates.ts';
import { completeAttempt } from '../contract/attempt-facts.ts';
import { hasOwnCampaign, settleOwnCloses, settleOwnPrompts } from './own-campaign-events.ts';
import type { ObservedMoment } from './replay-observer.ts';
import { moveSignIn } from './sign-in-moves.ts';
import { campaignAt, type SandboxState, type UserRecord } from './state.ts';

/** Policy in effect and time of an event of a user, in the format of the nudge machine (A39). */
type TimedPolicy = EffectivePolicy & { readonly nowMs: number };

/**
 * Returns the effective policy and the time in the format of the nudge machine's timed events (A39): that of the edition
 * in force at the time (OC57), and what the ruleset demands of the user then.
 */
export function timed(state: PolicyState, nowMs: number, user: Pick<UserRecord, 'facts' | 'nudge'>): TimedPolicy {
  const { limited, snoozeDays } = campaignAt(state, nowMs);
  const rules = rulesInForce(state.ruleset, nowMs);
  if (rules.extension === undefined) return { nowMs, limited, snoozeDays };
  const demand = findDemand(factsOfPrompt(state, user, nowMs), rules);
  return { nowMs, limited, snoozeDays, ...(demand === null ? {} : { required: true }) };
}

type PolicyState = Pick<SandboxState, 'campaign' | 'ruleset' | 'tenant' | 'signIns'>;

/** Returns the facts of a user at a prompt: those of its sign-in, with the user and the tenant as they are now. */
function factsOfPrompt(
  { tenant, signIns }: PolicyState,
  { facts, nudge }: Pick<UserRecord, 'facts' | 'nudge'>,
  nowMs: number,
): Partial<GateFacts> {
  const promptId = nudge.context.openPrompts.at(-1)?.id ?? '';
  const attempt = signIns.get(promptId)?.evaluation?.facts.attempt ?? completeAttempt({}, facts, nowMs);
  return { tenant, user: facts, attempt: { ...attempt, nowMs } };
}

/**
 * Applies an event to a user's lifecycle, updates the facts and the list of open prompts, and returns the prompts that
 * the event closed.
 */
export function moveUser(state: SandboxState, user: UserRecord, event: NudgeEvent): readonly OpenPrompt[] {
  const from = user.nudge;
  const before = from.context;
  user.nudge = state.model.stepNudge(from, event);
  if (state.observer !== undefined) {
    const atMs = 'nowMs' in event ? event.nowMs : state.lastAtMs;
    state.observer.moved(from, event, user.nudge, { userId: user.facts.id, ...observedMoment(state, atMs) });
  }
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

/** Returns the policy at a time for an observer. */
export function observedMoment(state: SandboxState, atMs: number): ObservedMoment {
  const { extension } = rulesInForce(state.ruleset, atMs);
  return { atMs, campaign: campaignAt(state, atMs), hasRequirements: extension !== undefined };
}

/**
 * Closes every prompt that expired by a time (A25, A40), each at its own expiry time. The result depends only on the
 * journal and the time, so reads can do this as well as events.
 */
export function settleEndedPrompts(state: SandboxState, nowMs: number): void {
  if (nowMs > state.lastAtMs) state.lastAtMs = nowMs;
  if (hasOwnCampaign(state)) return settleOwnPrompts(state, nowMs);
  settlePrompts(state, nowMs);
  if (state.ruleset.editions !== undefined) state.campaign = campaignAt(state, nowMs);
}

function settlePrompts(state: SandboxState, nowMs: number): void {
  if (state.promptEnds.size === 0) return;
  for (const [, { userId, endsAtMs }] of state.promptEnds) {
    if (endsAtMs > nowMs) return;
    const user = state.users.edit(userId);
    if (user === undefined) continue;
    expire(state, moveUser(state, user, { type: 'time.passed', ...timed(state, endsAtMs, user) }));
  }
}

/** Settles the pending closes of a user, as the user's next sign-in or the control API does (A41). */
export function settlePendingCloses(state: SandboxState, user: UserRecord, nowMs: number): void {
  if (hasOwnCampaign(state)) return settleOwnCloses(state, user.facts.id, nowMs);
  if (user.nudge.context.openPrompts.length === 0) return;
  expire(state, moveUser(state, user, { type: 'pendingClose.settled', ...timed(state, nowMs, user) }));
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
