import type { StudyOrder, StudyResult } from '../contract/study.schema.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** A study that goes on. */
export interface StudyRun {
  /** What it came to; rejects with what the caller can mend, and with anything once it was cancelled. */
  readonly result: Promise<StudyResult>;
  /** Ends it at once. */
  cancel(): void;
}

/** Whoever makes forecasts and comparisons, beside the thread that answers requests. */
export interface StudyRunner {
  /** Begins a study. Takes what is asked, the sandbox, and who is told of the part that is done, 0 to 1. */
  run(order: StudyOrder, sandbox: Sandbox, onProgress: (share: number) => void): StudyRun;
}
