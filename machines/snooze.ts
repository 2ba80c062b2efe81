import { type CampaignLimits, campaignLimits } from './campaign-limits.ts';
import type { NudgeState, SnoozeRecord } from './vocabulary.ts';

/** When a stored snooze is asked about, and the duration in force then (A7). */
export interface SnoozeMoment {
  /** Time in ms of the virtual clock. */
  readonly nowMs: number;
  /** Whole days of 24 hours (A6). */
  readonly snoozeDays: number;
}

type Began = Pick<SnoozeRecord, 'snoozedAtMs'>;

/** Time since the latest snooze began, in ms; never below zero, even when the clock was set back. `null` without a snooze. */
export function snoozeElapsedMs({ snoozedAtMs }: Began, nowMs: number): number | null {
  return snoozedAtMs === null ? null : Math.max(0, nowMs - snoozedAtMs);
}

/**
 * When the running snooze of a user ends, in ms; `null` when none runs. R5: the duration in force counts (A7), a day is 24 hours
 * of the virtual clock, and at the end itself the snooze is over (A6). This is the one place that says so.
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
 * The state of a user's lifecycle as of a time. The machine rests in `snoozed` until the next prompt, whatever the clock shows;
 * a user whose snooze is over is `notPrompted`, as one is whose snooze was over when a prompt closed (A38), and one whose snooze
 * runs again because the duration was raised is `snoozed` (A7). While another tab shows a prompt, the
 * user is prompted.
 * Takes the state and the context of the machine, and the time with the duration in force.
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
