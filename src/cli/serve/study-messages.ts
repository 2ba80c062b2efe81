import type { StudyOrder, StudyResult } from '../../contract/study.schema.ts';
import type { ErrorCode, Problem } from '../../core/errors.ts';
import type { JournalEntry } from '../../journal/input.ts';

/** What the thread of a study is told: the order, then the journal in pieces where it is to be compared. */
export type ToStudyThread =
  | { readonly kind: 'order'; readonly order: StudyOrder; readonly sandboxId: string; readonly entries: number }
  | { readonly kind: 'users'; readonly users: readonly unknown[] }
  | { readonly kind: 'entries'; readonly entries: readonly JournalEntry[] }
  | { readonly kind: 'end' };

/** What the thread of a study tells. */
export type FromStudyThread =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'result'; readonly result: StudyResult }
  | {
      readonly kind: 'failed';
      readonly code: ErrorCode;
      readonly message: string;
      readonly problems: readonly Problem[];
    };
