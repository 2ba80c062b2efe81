import type { ResponseBody } from '../contract/control-responses.schema.ts';
import type { chartCoverageResponse } from '../contract/statechart.schema.ts';
import type * as suite from '../contract/suite.schema.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

export type SuiteView = ResponseBody<typeof suite.suiteResponse>;
export type SuiteFileText = ResponseBody<typeof suite.suiteFileResponse>;
export type SavedFile = ResponseBody<typeof suite.savedFileResponse>;
export type DryRun = ResponseBody<typeof suite.dryRunResponse>;
export type JourneyScenarioText = ResponseBody<typeof suite.journeyScenarioResponse>;
export type RunAsked = ResponseBody<typeof suite.runRequest>;
export type RunView = ResponseBody<typeof suite.runResponse>;
export type RunList = ResponseBody<typeof suite.runsResponse>;
export type RunRow = ResponseBody<typeof suite.runResultsResponse>['results'][number];
export type RunResult = ResponseBody<typeof suite.runResultResponse>;
export type RunCoverage = ResponseBody<typeof suite.runCoverageResponse>;
export type RunCharts = ResponseBody<typeof chartCoverageResponse>;

/** A text to write, in place of the one that the writer read. */
export interface SuiteWriting {
  readonly path: string;
  readonly text: string;
  /** Digest of the text that the writer read; `null` for a file that is new. */
  readonly digest: string | null;
}

/**
 * The scenarios that a server was given, and runs of them. The server knows neither files nor drivers: anyone who starts it brings
 * what reads and runs them.
 */
export interface SuiteService {
  /** Whether there is a folder. */
  readonly hasFolder: boolean;
  /** All files. Throws `suite-missing` where there is no folder. */
  suite(): Promise<SuiteView>;
  /** The JSON Schema of scenarios. */
  schema(): Promise<ResponseBody<typeof suite.suiteSchemaResponse>>;
  /** Throws `suite-missing` and `suite-file-unknown`. */
  read(path: string): Promise<SuiteFileText>;
  /** Whether the file is new is told beside it. Throws `suite-missing`, `suite-read-only`, `bad-request` and `precondition-failed`. */
  write(writing: SuiteWriting): Promise<SavedFile & { readonly isNew: boolean }>;
  /** Reads a text as a scenario file and, where it is wanted, runs it on the model. */
  dryRun(path: string, text: string, run: boolean): Promise<DryRun>;
  /** A sign-in as the text of a scenario file. Throws `sign-in-not-found`. */
  scenarioOf(sandbox: Sandbox, signInId: string): Promise<JourneyScenarioText>;
  /** Throws `suite-missing` and `too-many-runs`. */
  start(asked: RunAsked): RunView;
  runs(): RunList;
  /** This and all below throw `run-not-found`. */
  run(id: string): RunView;
  cancel(id: string): RunView;
  /** Results in the order in which they came, after a place. */
  results(id: string, after: number, limit: number, status?: RunRow['status']): readonly RunRow[];
  /** Throws `not-found` for a place that has none, as do the following for what is not there. */
  result(id: string, place: number): RunResult;
  coverage(id: string): RunCoverage;
  charts(id: string): RunCharts;
  /** Path of a file that explains a failure. */
  evidence(id: string, file: string): string;
  /** Calls back whenever a run has come further; returns the function that ends it. */
  listen(id: string, listener: () => void): () => void;
  /** Cancels what is in progress, and resolves when nothing is. */
  close(): Promise<void>;
}
