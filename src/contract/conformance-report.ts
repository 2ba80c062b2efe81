import type { LogEventKind } from './conformance.schema.ts';

/** What a rejected event contradicts. */
export type RejectionCode =
  | 'time-goes-back'
  | 'prompt-suppressed'
  | 'prompt-must-be-required'
  | 'prompt-must-be-skippable'
  | 'prompt-due'
  | 'must-be-blocked'
  | 'too-many-prompts'
  | 'no-prompt-open'
  | 'prompt-expired'
  | 'page-not-open'
  | 'skip-not-allowed'
  | 'skip-allowed'
  | 'prompt-still-open'
  | 'count-differs'
  | 'snoozes-left-differ'
  | 'days-differ'
  | 'limit-differs'
  | 'not-blocked';

/** One change of the log after which the event would fit, and how large the change is. */
export type NearestFit =
  | { readonly edit: 'another-event'; readonly kind: LogEventKind }
  | { readonly edit: 'another-value'; readonly fact: 'count'; readonly value: number }
  | { readonly edit: 'another-time'; readonly at: string; readonly byMs: number }
  | { readonly edit: 'missing-event'; readonly kind: LogEventKind }
  | { readonly edit: 'dropped' };

/** First impossible event of a user, and why it is impossible. */
export interface Misfit {
  readonly user: string;
  readonly line: number;
  /** Earliest and latest time of the event. */
  readonly at: string;
  readonly until: string;
  /** Kinds that the event may mean. */
  readonly event: readonly LogEventKind[];
  /**
   * Id of the rule, gate or assumption that the event contradicts, or the key of the ruleset file that demands another
   * one; `null` if its time is before that of an earlier event, and if no rule has such an event.
   */
  readonly rule: string | null;
  readonly code: RejectionCode;
  readonly sentence: string;
  /** States in which the user could be before the event. */
  readonly possible: readonly string[];
  /** Events that the model allows at this time. */
  readonly allowed: readonly LogEventKind[];
  /** Changes after which the event fits, smallest first. */
  readonly nearest: readonly NearestFit[];
}

/** Impossible events with the same rule and the same pattern. */
export interface MisfitCluster {
  readonly rule: string | null;
  readonly code: RejectionCode;
  readonly pattern: string;
  readonly events: number;
  /** Number of users whose first impossible event is one of them. */
  readonly users: number;
  readonly example: Misfit;
}

/** How well a log fits one ruleset. */
export interface RulesetFit {
  readonly ruleset: string;
  readonly fits: boolean;
  readonly users: number;
  readonly fittingUsers: number;
  /** Share of users whose whole log fits, from 0 to 1; 1 without users. */
  readonly share: number;
  readonly misfits: number;
  readonly clusters: readonly MisfitCluster[];
  /** First impossible events of the first misfit users. */
  readonly examples: readonly Misfit[];
  /** Paths of the facts that the ruleset reads and no event states, so that each comparison of them has both results. */
  readonly unstated: readonly string[];
}

/** Result of checking a log. */
export interface ConformanceReport {
  readonly events: number;
  /** Values of the event column that the mapping does not list, with their number. */
  readonly unmapped: Readonly<Record<string, number>>;
  /** Columns that the mapping names and no row has. */
  readonly absentColumns: readonly string[];
  /** Number of ignored events. */
  readonly ignored: number;
  /** Fit of each ruleset, the best first. */
  readonly rulesets: readonly RulesetFit[];
}
