/** Limits of the campaign, each with its source in the specification. */

/** Snoozes before registration is required when the limited-snooze option is on (R6). */
export const snoozeLimit = 3;

/** Lowest and highest `snoozeDurationInDays` (specification, Limits). */
export const snoozeDaysMin = 0;
export const snoozeDaysMax = 14;

/** Default of `snoozeDurationInDays` where nothing is set (specification, Resources). */
export const snoozeDaysDefault = 1;

/** A day is 24 hours elapsed on the virtual clock (A6). */
export const dayMs = 86_400_000;

/** An unanswered prompt expires after this time on the virtual clock, inclusive (A25, A40). */
export const promptLifetimeMs = 900_000;

/** The limits that lifecycle and rules count with, as one value: a ruleset brings its own. */
export interface CampaignLimits {
  readonly snoozeLimit: number;
  /** Days where nothing is set. */
  readonly snoozeDaysDefault: number;
  readonly dayMs: number;
  readonly promptLifetimeMs: number;
}

export const campaignLimits: CampaignLimits = { snoozeLimit, snoozeDaysDefault, dayMs, promptLifetimeMs };
