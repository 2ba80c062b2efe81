import type { EffectiveCampaign, ReasonCode, TargetedMethod } from '../../machines/vocabulary.ts';

/** Why users were never asked: the reason of their latest attempt, or that there was none. */
export type UnreachedReason = ReasonCode | 'no-sign-in';

/** What happened at prompts, summed over a day or over all of them. */
export interface PromptCounts {
  /** Attempts of any kind. */
  readonly attempts: number;
  /** Prompts shown, those with a skip and those without. */
  readonly asked: number;
  readonly skippable: number;
  readonly required: number;
  /** Snoozes counted, by skipping, closing, leaving open. */
  readonly snoozed: number;
  readonly skipped: number;
  readonly closed: number;
  readonly expired: number;
  /** Setups begun and left by closing the browser. */
  readonly closedDuringSetup: number;
  readonly registered: number;
  /** Registrations that failed, retries among them. */
  readonly failed: number;
  /** Skips of the error screen, which count as no snooze. */
  readonly errorScreensSkipped: number;
  readonly errorsClosed: number;
  /** Attempts without a prompt, by reason. */
  readonly notPromptedByReason: Readonly<Partial<Record<ReasonCode, number>>>;
}

/** One day of a forecast. Users and what is said of them stand for the end of the day. */
export interface ForecastDay extends PromptCounts {
  readonly day: number;
  /** Such as 2026-01-05. */
  readonly date: string;
  /** Users who were asked, required, or registered at a prompt until then. */
  readonly promptedUsers: number;
  readonly requiredUsers: number;
  readonly registeredUsers: number;
  /** Users by the state of their lifecycle. */
  readonly users: {
    readonly notPrompted: number;
    readonly snoozed: number;
    readonly registrationRequired: number;
    readonly registered: number;
  };
  /** Users who were never asked until then, by why. */
  readonly neverPromptedByReason: Readonly<Partial<Record<UnreachedReason, number>>>;
}

/** What became of one segment of the users. */
export interface ForecastSegment {
  readonly name: string;
  readonly users: number;
  readonly reached: number;
  readonly required: number;
  readonly registered: number;
  readonly prompts: number;
}

/** Series that have bands, and their words. */
export const bandSeries = {
  asked: 'prompts a day',
  snoozed: 'snoozes a day',
  registeredUsers: 'users registered so far',
  requiredUsers: 'users required so far',
  neverPromptedByReason: 'users never asked so far',
} as const;
export type BandSeries = keyof typeof bandSeries;

/** For each day, the 5th, 50th and 95th of a hundred over the seeds. */
export interface Band {
  readonly low: readonly number[];
  readonly median: readonly number[];
  readonly high: readonly number[];
}

/** What one figure came to over the seeds. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** The figures by which policies are compared: what a campaign reaches, and what it costs its users. */
export interface ForecastFigures {
  readonly users: number;
  /** Share of the users who registered at a prompt. */
  readonly registeredShare: number;
  readonly promptedShare: number;
  /** Share of the users who came to be required. */
  readonly requiredShare: number;
  /** The nuisance: prompts for each user, and for each registration (`null` without one). */
  readonly promptsPerUser: number;
  readonly promptsPerRegistration: number | null;
  /** The first day, counted from 1, by whose end half, and nine of ten, of all who register had done so; `null` without any. */
  readonly registeredP50Day: number | null;
  readonly registeredP90Day: number | null;
}

/** A forecast: what is expected of a campaign, day by day. */
export interface ForecastReport {
  readonly name: string;
  readonly ruleset: string;
  readonly campaign: EffectiveCampaign;
  readonly start: string;
  readonly days: number;
  /** Users that were to be simulated, and were: fewer where a budget ended it. */
  readonly users: number;
  readonly simulatedUsers: number;
  readonly complete: boolean;
  readonly seeds: readonly number[];
  /** Digest of all tables that the users were simulated by. */
  readonly tablesDigest: string;
  /** Digest of how every user of every seed ended. */
  readonly usersDigest: string;
  readonly figures: ForecastFigures;
  readonly totals: PromptCounts;
  readonly daily: readonly ForecastDay[];
  readonly segments: readonly ForecastSegment[];
  /** How many users were asked so often; the last entry stands for it and more. */
  readonly promptCountHistogram: readonly number[];
  readonly warnings: readonly string[];
  /** Over the seeds; `null` with one. */
  readonly bands: Readonly<Record<BandSeries, Band>> | null;
  readonly spread: Readonly<
    Record<'registeredShare' | 'promptedShare' | 'requiredShare' | 'promptsPerUser', Spread>
  > | null;
}

/** One policy of a sweep. */
export interface PolicyVariant {
  readonly method: TargetedMethod;
  readonly limited: boolean;
  readonly snoozeDays: number;
  readonly figures: ForecastFigures;
  /** No other policy of the sweep registers as many users with fewer prompts. */
  readonly paretoOptimal: boolean;
}

/** What becomes of a forecast when one input of its description is moved. */
export interface MovedInput {
  readonly name: string;
  readonly low: ForecastFigures;
  readonly high: ForecastFigures;
}

/** Inputs moved one at a time, those that matter most first. */
export interface SensitivityReport {
  /** To which parts of itself each input was moved. */
  readonly factors: { readonly low: number; readonly high: number };
  readonly inputs: readonly MovedInput[];
}

/** What a forecast was asked besides: `null` where it was not. */
export interface ForecastAnalyses {
  readonly sweep: readonly PolicyVariant[] | null;
  readonly sensitivity: SensitivityReport | null;
}
