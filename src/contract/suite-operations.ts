import { named, operation } from './control-operation.ts';
import { chartCoverageResponse } from './statechart.schema.ts';
import * as suite from './suite.schema.ts';

/** Operations of the control API on scenarios and test runs. */
export const suiteOperations = named({
  getSuite: operation('GET /suite', {
    summary: 'Lists the scenario files of the server and their problems.',
    reply: suite.suiteResponse,
    errors: ['suite-missing'],
  }),
  getSuiteSchema: operation('GET /suite/schema', {
    summary: 'Returns the JSON Schema of scenarios.',
    reply: suite.suiteSchemaResponse,
    errors: ['suite-missing'],
  }),
  getSuiteFile: operation('GET /suite/file', {
    summary: 'Returns the text of a scenario file.',
    query: suite.suiteFileQuery,
    reply: suite.suiteFileResponse,
    errors: ['suite-missing', 'suite-file-unknown'],
  }),
  putSuiteFile: operation('PUT /suite/file', {
    summary: 'Writes a scenario file, if the server was started with permission to do so.',
    body: suite.suiteFileRequest,
    reply: suite.savedFileResponse,
    statuses: [200, 201],
    errors: ['suite-missing', 'suite-read-only', 'precondition-failed'],
  }),
  dryRun: operation('POST /suite/dry-run', {
    summary: 'Parses a text as a scenario file and runs it on the model without writing anything.',
    body: suite.dryRunRequest,
    reply: suite.dryRunResponse,
    errors: ['suite-missing'],
  }),
  getJourneyScenario: operation('GET /sandboxes/{sandbox}/sign-ins/{signIn}/scenario', {
    summary: 'Exports a sign-in, with the events of its user in between, as a scenario file.',
    reply: suite.journeyScenarioResponse,
    errors: ['suite-missing', 'sign-in-not-found'],
  }),
  listRuns: operation('GET /runs', {
    summary: 'Lists the stored test runs, newest first.',
    reply: suite.runsResponse,
    errors: ['suite-missing'],
  }),
  startRun: operation('POST /runs', {
    summary: 'Queues a test run; one runs at a time.',
    body: suite.runRequest,
    reply: suite.runResponse,
    statuses: [201],
    errors: ['suite-missing', 'too-many-runs'],
  }),
  getRun: operation('GET /runs/{run}', {
    summary: 'Returns the status of a test run.',
    reply: suite.runResponse,
    errors: ['suite-missing', 'run-not-found'],
  }),
  cancelRun: operation('POST /runs/{run}/cancel', {
    summary: 'Cancels a test run; scenarios in progress finish first.',
    reply: suite.runResponse,
    errors: ['suite-missing', 'run-not-found'],
  }),
  streamRun: operation('GET /runs/{run}/events', {
    summary: 'Streams the progress and results of a test run; ends with the run.',
    query: suite.runEventsQuery,
    reply: {
      stream: 'events',
      item: suite.runProgress,
      description: 'Server-sent events; the id of each is its sequence number, from which a stream resumes.',
    },
    errors: ['suite-missing', 'run-not-found', 'too-many-streams'],
  }),
  listRunResults: operation('GET /runs/{run}/results', {
    summary: 'Lists the results of a test run in the order in which they arrived.',
    query: suite.runResultsQuery,
    reply: suite.runResultsResponse,
    errors: ['suite-missing', 'run-not-found'],
  }),
  getRunResult: operation('GET /runs/{run}/results/{place}', {
    summary: 'Returns a result with its steps and, for a failure, the trace.',
    reply: suite.runResultResponse,
    errors: ['suite-missing', 'run-not-found', 'not-found'],
  }),
  getRunCoverage: operation('GET /runs/{run}/coverage', {
    summary: 'Returns the rules and assumptions confirmed by a test run.',
    reply: suite.runCoverageResponse,
    errors: ['suite-missing', 'run-not-found', 'not-found'],
  }),
  getRunCharts: operation('GET /runs/{run}/charts', {
    summary: 'Returns the states and transitions covered by a test run, and the scenarios that cover them.',
    reply: chartCoverageResponse,
    errors: ['suite-missing', 'run-not-found', 'not-found'],
  }),
  getRunEvidence: operation('GET /runs/{run}/evidence', {
    summary: 'Returns a file that documents a failure: a screenshot, a trace, a journal.',
    query: suite.evidenceQuery,
    reply: 'file',
    errors: ['suite-missing', 'run-not-found', 'not-found'],
  }),
});
