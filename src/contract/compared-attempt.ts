import type { EvaluatedFacts } from '../../machines/vocabulary.ts';
import type { VerdictSummary } from './comparison.schema.ts';

/** What became of an answer: it applied, no longer applies, or was assumed; `none` where no one was asked. */
export type ActionStatus = 'none' | 'recorded' | 'inapplicable' | 'assumed';

/** One attempt under two policies. */
export interface ComparedAttempt {
  readonly variant: string;
  readonly user: string;
  readonly attempt: string;
  readonly at: string;
  readonly platform: string;
  readonly before: VerdictSummary;
  readonly after: VerdictSummary;
  readonly changed: boolean;
  /** Whether it rests on recorded answers alone. */
  readonly certain: boolean;
  readonly answer: ActionStatus;
  /** Every gate before and after, where one user is looked at. */
  readonly rules?: readonly ComparedRule[];
}

/** A gate under both policies, as its outcome, with the reason where it stopped. */
export interface ComparedRule {
  readonly id: string;
  readonly before: string;
  readonly after: string;
  /** What it looked at; `null` where a ruleset has no such gate. */
  readonly baselineFacts: EvaluatedFacts | null;
  readonly variantFacts: EvaluatedFacts | null;
}
