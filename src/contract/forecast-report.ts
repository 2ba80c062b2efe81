import type { EffectiveCampaign, TargetedMethod } from '../../machines/vocabulary.ts';

/** Counts of prompts and their results for one day or for the entire forecast. */
export interface PromptCounts {
  /** Number of all attempts. */
  readonly attempts: number;
  /** Number of prompts, with and without a skip button. */
  readonly prompts: number;
  readonly skippable: number;
  readonly required: number;
  /** Number of snoozes from skipped, closed, and expired prompts. */
  readonly snoozed: number;
  readonly skipped: number;
  readonly closed: number;
  readonly expired: number;
  /** Number of setups that the user started and ended by closing the browser. */
  readonly closedDuringSetup: number;
  readonly registered: number;
  /** Number of failed registrations, including retries. */
  readonly failed: number;
  /** Number of skipped error screens, which do not count as snoozes. */
  readonly errorScreensSkipped: number;
  readonly errorsClosed: number;
  /** Number of attempts without a prompt, by reason. */
  readonly notPromptedByReason: Readonly<Record<string, number>>;
  /** Number of each answer of an own ruleset, by its id. */
  readonly answers?: Readonly<Record<string, number>>;
}

/** Forecast of one day. User counts refer to the end of the day. */
export interface ForecastDay extends PromptCounts {
  readonly day: number;
  /** ISO 8601 date such as 2026-01-05. */
  readonly date: string;
  /** Number of users who have been prompted so far. */
  readonly promptedUsers: number;
  readonly requiredUsers: number;
  readonly registeredUsers: number;
  /** Number of users in each nudge state. */
  readonly users: {
    readonly notPrompted: number;
    readonly snoozed: number;
    readonly registrationRequired: number;
    readonly registered: number;
  };
  /**
   * Number of users who have never been prompted so far, by the reason of their latest attempt, or `no-sign-in` without
   * any attempt.
   */
  readonly neverPromptedByReason: Readonly<Record<string, number>>;
}

/** Results for one segment of the users. */
export interface ForecastSegment {
  readonly name: string;
  readonly users: number;
  readonly reached: number;
  readonly required: number;
  readonly registered: number;
  readonly prompts: number;
}

/** Series with percentile bands, and their labels. */
export const bandSeries = {
  prompts: 'prompts per day',
  snoozed: 'snoozes per day',
  registeredUsers: 'registered users (cumulative)',
  requiredUsers: 'users with required registration (cumulative)',
  neverPromptedByReason: 'users never prompted (cumulative)',
} as const;
export type BandSeries = keyof typeof bandSeries;

/** Daily 5th, 50th, and 95th percentiles over the random seeds. */
export interface Band {
  readonly low: readonly number[];
  readonly median: readonly number[];
  readonly high: readonly number[];
}

/** Percentiles of one figure over the random seeds. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Figures for comparing policies: the results of a campaign and its cost to users. */
export interface ForecastFigures {
  readonly users: number;
  /** Share of users who registered at a prompt. */
  readonly registeredShare: number;
  readonly promptedShare: number;
  /** Share of users who were required to register. */
  readonly requiredShare: number;
  /** Average number of prompts per user. `promptsPerRegistration` is `null` if no user registers. */
  readonly promptsPerUser: number;
  readonly promptsPerRegistration: number | null;
  /** Day, counted from 1, by whose end 50% of all users who register have done so. `null` if no user registers. */
  readonly registeredP50Day: number | null;
  readonly registeredP90Day: number | null;
}

/** Day-by-day forecast of a campaign. */
export interface ForecastReport {
  readonly name: string;
  readonly ruleset: string;
  /** Effective campaign; `null` for an own ruleset, which states its campaign itself. */
  readonly campaign: EffectiveCampaign | null;
  /** Of an own ruleset: what computed the numbers. Both engines give the same ones. */
  readonly engine?: 'table' | 'fold';
  /** Digest of an own ruleset. */
  readonly rulesetDigest?: string;
  readonly start: string;
  readonly days: number;
  /** Number of users to simulate. `simulatedUsers` is lower if a time limit ended the simulation. */
  readonly users: number;
  readonly simulatedUsers: number;
  readonly complete: boolean;
  readonly seeds: readonly number[];
  /** Digest of all probability tables of the simulation. */
  readonly tablesDigest: string;
  /** Digest of the final state of every user for every random seed. */
  readonly usersDigest: string;
  readonly figures: ForecastFigures;
  readonly totals: PromptCounts;
  readonly daily: readonly ForecastDay[];
  readonly segments: readonly ForecastSegment[];
  /** Number of users by prompt count. The last entry includes all higher counts. */
  readonly promptCountHistogram: readonly number[];
  readonly warnings: readonly string[];
  /** Percentile bands over the random seeds. `null` if there is only one seed. */
  readonly bands: Readonly<Record<BandSeries, Band>> | null;
  readonly spread: Readonly<
    Record<'registeredShare' | 'promptedShare' | 'requiredShare' | 'promptsPerUser', Spread>
  > | null;
}

/** Policy of a sweep with its figures. */
export interface PolicyVariant {
  readonly method: TargetedMethod;
  readonly limited: boolean;
  readonly snoozeDays: number;
  readonly figures: ForecastFigures;
  /** `true` if no other policy of the sweep registers as many users with fewer prompts. */
  readonly paretoOptimal: boolean;
}

/** Settings of a ruleset file with their figures. */
export interface SettingsVariant {
  /** Values by setting, as the command line states them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly figures: ForecastFigures;
  /** `true` if no other settings of the sweep register as many users with fewer prompts. */
  readonly paretoOptimal: boolean;
}

/** Forecast figures for a lower and a higher value of one input. */
export interface MovedInput {
  readonly name: string;
  readonly low: ForecastFigures;
  readonly high: ForecastFigures;
}

/** Results of a sensitivity analysis that varies one input at a time, with the most influential inputs first. */
export interface SensitivityReport {
  /** Factors by which each input was multiplied. */
  readonly factors: { readonly low: number; readonly high: number };
  readonly inputs: readonly MovedInput[];
}

/** Additional analyses of a forecast. Each is `null` if it was not requested. */
export interface ForecastAnalyses {
  readonly sweep: readonly PolicyVariant[] | null;
  readonly sensitivity: SensitivityReport | null;
  /** Settings of a ruleset file with their figures; absent without such a sweep. */
  readonly settings?: readonly SettingsVariant[];
}
