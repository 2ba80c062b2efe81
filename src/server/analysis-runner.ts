import type { AnalysisRequest, AnalysisResult } from '../contract/analysis.schema.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** An analysis that goes on. */
export interface AnalysisRun {
  /** What it came to; rejects with what the caller can mend, and with anything once it was canceled. */
  readonly result: Promise<AnalysisResult>;
  /** Ends it at once. */
  cancel(): void;
}

/** Anyone who makes forecasts and comparisons, beside the thread that answers requests. */
export interface AnalysisRunner {
  /** Begins an analysis. Takes what is asked, the sandbox, and who is told of the part that is done, 0 to 1. */
  run(order: AnalysisRequest, sandbox: Sandbox, onProgress: (share: number) => void): AnalysisRun;
}
