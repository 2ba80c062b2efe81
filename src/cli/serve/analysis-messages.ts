import type { AnalysisRequest, AnalysisResult } from '../../contract/analysis.schema.ts';
import type { ErrorCode, ValidationProblem } from '../../core/errors.ts';
import type { JournalEntry } from '../../journal/journal-event.ts';
import type { SentRuleset } from '../../scenario/rulesets/sent-ruleset.ts';

/** Ruleset that an analysis names. One with gate modules is read from its file in the thread. */
export interface AnalysisRuleset {
  readonly sent: SentRuleset;
  /** Absolute path of the file; `null` for a ruleset that the control API received. */
  readonly file: string | null;
}

/**
 * Messages to the thread of an analysis: the request, then users and pages of journal entries if a comparison needs
 * them.
 */
export type ToAnalysisThread =
  | {
      readonly kind: 'order';
      readonly order: AnalysisRequest;
      readonly sandboxId: string;
      readonly entries: number;
      readonly rulesets: readonly AnalysisRuleset[];
    }
  | { readonly kind: 'users'; readonly users: readonly unknown[] }
  | { readonly kind: 'entries'; readonly entries: readonly JournalEntry[] }
  | { readonly kind: 'end' };

/** Messages from the thread of an analysis. */
export type FromAnalysisThread =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'result'; readonly result: AnalysisResult }
  | {
      readonly kind: 'failed';
      readonly code: ErrorCode;
      readonly message: string;
      readonly problems: readonly ValidationProblem[];
    };
