import { named, operation } from './control-operation.ts';
import { chartCoverageResponse } from './statechart.schema.ts';
import * as suite from './suite.schema.ts';

/** Operations of the control API on scenarios and test runs. */
export const suiteOperations = named({
  getSuite: operation('GET /suite', {
    summary: 'The scenario files that the server was given, with what is wrong with any of them.',
    reply: suite.suiteResponse,
    errors: ['suite-missing'],
  }),
  getSuiteSchema: operation('GET /suite/schema', {
    summary: 'The JSON Schema of scenarios.',
    reply: suite.suiteSchemaResponse,
    errors: ['suite-missing'],
  }),
  getSuiteFile: operation('GET /suite/file', {
    summary: 'The text of a scenario file.',
    query: suite.suiteFileQuery,
    reply: suite.suiteFileResponse,
    errors: ['suite-missing', 'suite-file-unknown'],
  }),
  putSuiteFile: operation('PUT /suite/file', {
    summary: 'Writes a scenario file, where the server was started so that it may.',
    body: suite.suiteFileRequest,
    reply: suite.savedFileResponse,
    statuses: [200, 201],
    errors: ['suite-missing', 'suite-read-only', 'precondition-failed'],
  }),
  dryRun: operation('POST /suite/dry-run', {
    summary: 'Reads a text as a scenario file and runs it on the model; nothing is written.',
    body: suite.dryRunRequest,
    reply: suite.dryRunResponse,
    errors: ['suite-missing'],
  }),
  getJourneyScenario: operation('GET /sandboxes/{sandbox}/sign-ins/{signIn}/scenario', {
    summary: 'A sign-in, with what happened to its user meanwhile, as the text of a scenario file.',
    reply: suite.journeyScenarioResponse,
    errors: ['suite-missing', 'sign-in-not-found'],
  }),
  listRuns: operation('GET /runs', {
    summary: 'Runs that are held, the newest first.',
    reply: suite.runsResponse,
    errors: ['suite-missing'],
  }),
  startRun: operation('POST /runs', {
    summary: 'Runs scenarios as soon as the runs before it have ended: one goes on at a time.',
    body: suite.runRequest,
    reply: suite.runResponse,
    statuses: [201],
    errors: ['suite-missing', 'too-many-runs'],
  }),
  getRun: operation('GET /runs/{run}', {
    summary: 'How a run stands.',
    reply: suite.runResponse,
    errors: ['suite-missing', 'run-not-found'],
  }),
  cancelRun: operation('POST /runs/{run}/cancel', {
    summary: 'Ends a run before its time; scenarios that are in progress end first.',
    reply: suite.runResponse,
    errors: ['suite-missing', 'run-not-found'],
  }),
  streamRun: operation('GET /runs/{run}/events', {
    summary: 'How a run goes on, with its results as they come; it ends with the run.',
    query: suite.runEventsQuery,
    reply: 'events',
    errors: ['suite-missing', 'run-not-found', 'too-many-streams'],
  }),
  listRunResults: operation('GET /runs/{run}/results', {
    summary: 'Results of a run in the order in which they came.',
    query: suite.runResultsQuery,
    reply: suite.runResultsResponse,
    errors: ['suite-missing', 'run-not-found'],
  }),
  getRunResult: operation('GET /runs/{run}/results/{place}', {
    summary: 'One result with its steps, and the trace of a failure.',
    reply: suite.runResultResponse,
    errors: ['suite-missing', 'run-not-found', 'not-found'],
  }),
  getRunCoverage: operation('GET /runs/{run}/coverage', {
    summary: 'Which rules and assumptions a run has shown.',
    reply: suite.runCoverageResponse,
    errors: ['suite-missing', 'run-not-found', 'not-found'],
  }),
  getRunCharts: operation('GET /runs/{run}/charts', {
    summary: 'Which states and transitions of the machines a run has taken, and which scenarios took them.',
    reply: chartCoverageResponse,
    errors: ['suite-missing', 'run-not-found', 'not-found'],
  }),
  getRunEvidence: operation('GET /runs/{run}/evidence', {
    summary: 'A file that explains a failure: a picture, a trace, a journal.',
    query: suite.evidenceQuery,
    reply: 'file',
    errors: ['suite-missing', 'run-not-found', 'not-found'],
  }),
});
