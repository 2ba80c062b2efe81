import type { AnalysisRequest, AnalysisResult } from '../contract/analysis.schema.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** Running analysis. */
export interface AnalysisRun {
  /** Result of the analysis. The promise rejects if the request is invalid or the analysis was canceled. */
  readonly result: Promise<AnalysisResult>;
  /** Stops the analysis immediately. */
  cancel(): void;
}

/** Runs forecasts and comparisons outside the thread that handles requests. */
export interface AnalysisRunner {
  /** Starts an analysis. `onProgress` receives the completed fraction, from 0 to 1. */
  run(order: AnalysisRequest, sandbox: Sandbox, onProgress: (share: number) => void): AnalysisRun;
}
