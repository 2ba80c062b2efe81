import type { ResponseBody } from '../contract/control-responses.schema.ts';
import type { chartCoverageResponse } from '../contract/statechart.schema.ts';
import type * as suite from '../contract/suite.schema.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

export type SuiteView = ResponseBody<typeof suite.suiteResponse>;
export type SuiteFileText = ResponseBody<typeof suite.suiteFileResponse>;
export type SavedFile = ResponseBody<typeof suite.savedFileResponse>;
export type DryRun = ResponseBody<typeof suite.dryRunResponse>;
export type JourneyScenarioText = ResponseBody<typeof suite.journeyScenarioResponse>;
export type RunRequest = ResponseBody<typeof suite.runRequest>;
export type RunView = ResponseBody<typeof suite.runResponse>;
export type RunList = ResponseBody<typeof suite.runsResponse>;
export type RunRow = ResponseBody<typeof suite.runResultsResponse>['results'][number];
export type RunResult = ResponseBody<typeof suite.runResultResponse>;
export type RunCoverage = ResponseBody<typeof suite.runCoverageResponse>;
export type RunCharts = ResponseBody<typeof chartCoverageResponse>;

/** Text to save, which replaces the version that the client read. */
export interface SuiteWriting {
  readonly path: string;
  readonly text: string;
  /** Digest of the text that the client read. `null` if the file is new. */
  readonly digest: string | null;
}

/**
 * Scenarios of a server and their test runs. The server itself does not access files or drivers, so its creator
 * provides this service.
 */
export interface SuiteService {
  /** `true` if the server has a scenario folder. */
  readonly hasFolder: boolean;
  /** Lists all scenario files. Throws `suite-missing` if there is no folder. */
  suite(): Promise<SuiteView>;
  /** Returns the JSON Schema of scenarios. */
  schema(): Promise<ResponseBody<typeof suite.suiteSchemaResponse>>;
  /** Returns the text of a file. Throws `suite-missing` or `suite-file-unknown`. */
  read(path: string): Promise<SuiteFileText>;
  /**
   * Saves a file and reports whether it is new. Throws `suite-missing`, `suite-read-only`, `bad-request`, or
   * `precondition-failed`.
   */
  write(writing: SuiteWriting): Promise<SavedFile & { readonly isNew: boolean }>;
  /** Parses a text as a scenario file and optionally runs it on the model. */
  dryRun(path: string, text: string, run: boolean): Promise<DryRun>;
  /** Converts a sign-in to the text of a scenario file. Throws `sign-in-not-found`. */
  createScenario(sandbox: Sandbox, signInId: string): Promise<JourneyScenarioText>;
  /** Starts a test run. Throws `suite-missing` or `too-many-runs`. */
  start(request: RunRequest): RunView;
  runs(): RunList;
  /** Returns a test run. Throws `run-not-found`, like all methods below. */
  run(id: string): RunView;
  cancel(id: string): RunView;
  /** Returns results in order of completion, starting after a position. */
  results(id: string, after: number, limit: number, status?: RunRow['status']): readonly RunRow[];
  /**
   * Returns one result. Throws `not-found` if the position has none. The methods below do the same for missing data.
   */
  result(id: string, place: number): RunResult;
  coverage(id: string): RunCoverage;
  charts(id: string): RunCharts;
  /** Returns the path of an evidence file. */
  evidence(id: string, file: string): string;
  /** Calls the listener after each progress of a run. Returns a function that removes the listener. */
  listen(id: string, listener: () => void): () => void;
  /** Cancels all running work and resolves when it has stopped. */
  close(): Promise<void>;
}
