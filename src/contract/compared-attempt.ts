import type { EvaluatedFacts } from '../../machines/vocabulary.ts';
import type { VerdictSummary } from './comparison.schema.ts';

/** Status of an action: applied, no longer applicable, or assumed. `none` means that the user was not prompted. */
export type ActionStatus = 'none' | 'recorded' | 'inapplicable' | 'assumed';

/** Sign-in attempt evaluated under two policies. */
export interface ComparedAttempt {
  readonly variant: string;
  readonly user: string;
  readonly attempt: string;
  readonly at: string;
  readonly platform: string;
  readonly before: VerdictSummary;
  readonly after: VerdictSummary;
  readonly changed: boolean;
  /** `true` if the result depends only on recorded actions. */
  readonly certain: boolean;
  readonly answer: ActionStatus;
  /** Every gate under baseline and variant, present if a single user is inspected. */
  readonly rules?: readonly ComparedRule[];
}

/** Result of one gate under both policies: its outcome, with the reason if it stopped. */
export interface ComparedRule {
  readonly id: string;
  readonly before: string;
  readonly after: string;
  /** Facts that the gate evaluated in the baseline. `null` if the ruleset has no such gate. */
  readonly baselineFacts: EvaluatedFacts | null;
  readonly variantFacts: EvaluatedFacts | null;
}
