import type { NudgeStatus } from '../contract/control-responses.schema.ts';
import { toInstantOrNull } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';
import type { OwnSandboxState } from '../journal/own-campaign-events.ts';
import type { SandboxState } from '../journal/state.ts';

/** Returns the nudge status of a user in an own campaign, for the device and browser of the latest sign-in. */
export function ownNudgeStatus({ own, lastAtMs, users }: OwnSandboxState, userId: string): NudgeStatus {
  const { state, snoozes, snoozesLeft, nextPromptAtMs } = own.campaign.status(userId, lastAtMs);
  const snoozedAtMs = users.get(userId)?.facts.snooze.snoozedAtMs ?? null;
  const openPrompts = own.users.get(userId)?.prompts ?? [];
  return {
    state,
    snoozes,
    snoozesLeft,
    snoozedAt: toInstantOrNull(snoozedAtMs),
    nextPromptAt: toInstantOrNull(nextPromptAtMs),
    openPrompts: openPrompts.map(({ id, leftAtMs }) => ({ id, unloadedAt: toInstantOrNull(leftAtMs) })),
  };
}

/** Rejects an action that only own campaigns have. Throws `bad-request`. */
export function refuseWithoutOwn({ own }: SandboxState): void {
  if (own !== null) return;
  throw new NudgeLabError('bad-request', { message: 'Only a sandbox whose ruleset has the base own has ledgers.' });
}

/** Rejects an action in a browser for a user who has not signed in yet, or without an own campaign. Throws `bad-request`. */
export function refuseWithoutSignIn(state: SandboxState, userId: string): void {
  refuseWithoutOwn(state);
  if (state.own?.users.get(userId)?.lastAttempt != null) return;
  throw new NudgeLabError('bad-request', { message: `The user ${userId} has not signed in yet.` });
}
