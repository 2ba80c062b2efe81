/** Limits of the campaign with their sources in the specification. */

/** Number of snoozes before registration is required if the limited-snooze option is on (R6). */
export const snoozeLimit = 3;

/** Minimum and maximum of `snoozeDurationInDays` (specification, Limits). */
export const snoozeDaysMin = 0;
export const snoozeDaysMax = 14;

/** Default of `snoozeDurationInDays` if none is configured (specification, Resources). */
export const snoozeDaysDefault = 1;

/** Length of a day in milliseconds: 24 hours elapsed on the virtual clock (A6). */
export const dayMs = 86_400_000;

/**
 * Lifetime of a prompt without an action, in milliseconds on the virtual clock (A25, A40). The prompt has expired
 * at exactly this time.
 */
export const promptLifetimeMs = 900_000;

/** Limits for the nudge lifecycle and the rules. Each ruleset defines its own. */
export interface CampaignLimits {
  readonly snoozeLimit: number;
  /** Snooze duration in days if none is configured. */
  readonly snoozeDaysDefault: number;
  readonly dayMs: number;
  readonly promptLifetimeMs: number;
}

export const campaignLimits: CampaignLimits = { snoozeLimit, snoozeDaysDefault, dayMs, promptLifetimeMs };
