import { type CampaignLimits, campaignLimits } from './campaign-limits.ts';
import type { NudgeState, SnoozeRecord } from './vocabulary.ts';

/** Time at which a stored snooze is evaluated, with the snooze duration in effect at that time (A7). */
export interface SnoozeMoment {
  /** Time in milliseconds on the virtual clock. */
  readonly nowMs: number;
  /** Snooze duration in whole days of 24 hours (A6). */
  readonly snoozeDays: number;
}

type Began = Pick<SnoozeRecord, 'snoozedAtMs'>;

/**
 * Returns the time since the latest snooze began, in milliseconds, or `null` if there is no snooze. The time is
 * never negative, even if the clock was set back.
 */
export function snoozeElapsedMs({ snoozedAtMs }: Began, nowMs: number): number | null {
  return snoozedAtMs === null ? null : Math.max(0, nowMs - snoozedAtMs);
}

/**
 * Returns the time at which the active snooze of a user ends, in milliseconds, or `null` if no snooze is active.
 * R5: The duration in effect applies (A7), a day is 24 hours of the virtual clock, and at exactly the end the
 * snooze is over (A6). All other code uses this implementation of the rule.
 */
export function snoozeEndsAtMs(
  nudgeStatus: Began,
  { nowMs, snoozeDays }: SnoozeMoment,
  { dayMs }: Pick<CampaignLimits, 'dayMs'> = campaignLimits,
): number | null {
  const elapsedMs = snoozeElapsedMs(nudgeStatus, nowMs);
  const durationMs = snoozeDays * dayMs;
  return nudgeStatus.snoozedAtMs === null || elapsedMs === null || elapsedMs >= durationMs
    ? null
    : nudgeStatus.snoozedAtMs + durationMs;
}

/**
 * Returns the nudge state of a user at a given time. The machine stays in `snoozed` until the next prompt,
 * regardless of the clock, so this function corrects its state. A user whose snooze is over is `notPrompted`, like
 * a user whose snooze was already over when a prompt closed (A38). A user whose snooze is active again because the
 * duration was raised is `snoozed` (A7). A user with an open prompt in another tab is `prompted`.
 *
 * @param state - state of the machine
 * @param context - context of the machine
 * @param moment - time of the evaluation with the snooze duration in effect
 */
export function nudgeStateAt(
  state: NudgeState,
  context: Began & { readonly openPrompts: readonly unknown[] },
  moment: SnoozeMoment,
  limits: Pick<CampaignLimits, 'dayMs'> = campaignLimits,
): NudgeState {
  if (state !== 'snoozed' && state !== 'notPrompted') return state;
  if (snoozeEndsAtMs(context, moment, limits) !== null) return 'snoozed';
  return context.openPrompts.length > 0 ? 'prompted' : 'notPrompted';
}
