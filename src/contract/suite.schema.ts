import { z } from 'zod';
import { listRowsMax } from '../core/limits.ts';
import { boundedText } from './bounded-text.ts';
import { errorSchema } from './problem.schema.ts';
import { coverageReportSchema, scenarioResultSchema } from './result.schema.ts';

/** Schemas of the scenario files of a server and of test runs. */

const count = z.int().min(0);
const place = z.coerce.number().int().min(0);

/** Path of a scenario file relative to the suite folder, with forward slashes. */
const path = boundedText({ min: 1, max: 512, pattern: /\.ya?ml$/, allowed: 'must end in .yaml or .yml' });

/** Maximum number of characters in a scenario file. */
const textCharactersMax = 1_000_000;
const text = z.string().max(textCharactersMax);

/** Problem in a scenario file with its location. Lines and columns start at 1. */
const problem = z.strictObject({ line: z.int().min(1), column: z.int().min(1), message: z.string() });

const suiteFile = z.strictObject({
  path,
  /** Path as displayed, which is also the prefix of the scenario ids. */
  shown: z.string(),
  /** Name of the scenario. `null` if it cannot be parsed. */
  name: z.string().nullable(),
  /** Number of scenarios in the file, one for each example row. */
  scenarios: count,
  covers: z.array(z.string()),
  tags: z.array(z.string()),
  problems: z.array(problem),
});

/** Scenario files of the server, and whether they are editable. */
export const suiteResponse = z.strictObject({
  folder: z.string(),
  /** `true` if the server was started with permission to edit files. */
  editable: z.boolean(),
  drivers: z.array(z.string()),
  files: z.array(suiteFile),
});

export const suiteFileQuery = z.strictObject({ path });

export const suiteFileResponse = z.strictObject({
  path,
  text: z.string(),
  /** Digest of the text, used to detect concurrent changes. */
  digest: z.string(),
});

/** Request body of `PUT suite/file`: the new text, and the digest of the text it replaces. `null` creates a file. */
export const suiteFileRequest = z.strictObject({ path, text, digest: z.string().max(128).nullable() });

export const savedFileResponse = z.strictObject({ path, digest: z.string() });

/** Request body of `POST suite/dry-run`: a text and its intended path. Nothing is saved. */
export const dryRunRequest = z.strictObject({
  path,
  text,
  /** `true` runs the scenarios on the model; `false` only parses them. */
  run: z.boolean().default(true),
});

export const dryRunResponse = z.strictObject({
  problems: z.array(problem),
  /** Number of scenarios in the text. */
  scenarios: count,
  /** First results on the model. */
  results: z.array(scenarioResultSchema),
});

/** JSON Schema of scenarios for autocompletion. */
export const suiteSchemaResponse = z.looseObject({ $schema: z.string() });

/** Part of a journal, converted to a scenario. */
export const journeyScenarioResponse = z.strictObject({
  /** Suggested path for saving the scenario. */
  path,
  text: z.string(),
  /** Number of events by type that no step can reproduce. */
  omitted: z.record(z.string(), count),
});

const words = z.array(z.string().min(1).max(256)).max(1_000);

/** Request body of `POST runs`: filters for the scenarios to run. A scenario must match all of them. */
export const runRequest = z.strictObject({
  driver: z.string().min(1).max(64).default('model'),
  files: words.optional().describe('Paths of files or folders, relative to the suite folder.'),
  scenarios: words.optional().describe('Ids of scenarios.'),
  filter: z.string().max(256).optional().describe('Text that the id or name contains.'),
  tags: words.optional(),
  covers: words.optional(),
});

const runStates = ['queued', 'running', 'finished', 'canceled', 'failed'] as const;

export const runResponse = z.strictObject({
  id: z.string(),
  state: z.enum(runStates),
  request: runRequest,
  /** Number of scenarios in the run. `null` until they are parsed. */
  total: count.nullable(),
  done: count,
  passed: count,
  failed: count,
  skipped: count,
  /** Start of the run in real time. */
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  /** Reason why the run failed. `null` if it did not fail. */
  error: errorSchema.pick({ code: true, message: true, problems: true }).nullable(),
});

/** Stored test runs, newest first. */
export const runsResponse = z.strictObject({ runs: z.array(runResponse), queuedMax: count });

const resultRow = scenarioResultSchema
  .pick({ id: true, name: true, file: true, driver: true, status: true, durationMs: true, message: true })
  .extend({ place: z.int().min(1) });

/** Progress of a test run, sent as an event of its stream. */
export const runProgress = z.strictObject({ run: runResponse, results: z.array(resultRow) });

export const runResultsQuery = z.strictObject({
  status: z.enum(['passed', 'failed', 'skipped']).optional(),
  after: place.default(0),
  limit: z.coerce.number().int().min(1).max(listRowsMax).default(100),
});

export const runResultsResponse = z.strictObject({ results: z.array(resultRow), next: count.nullable() });

export const runResultResponse = z.strictObject({ place: z.int().min(1), result: scenarioResultSchema });

export const runCoverageResponse = coverageReportSchema;

export const evidenceQuery = z.strictObject({ file: z.string().min(1).max(512) });

/** Query of a run's event stream. `after` is the number of results to skip. */
export const runEventsQuery = z.strictObject({ after: place.default(0) });
