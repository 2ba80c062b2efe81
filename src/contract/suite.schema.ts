import { z } from 'zod';
import { listRowsMax } from '../core/limits.ts';
import { boundedText } from './bounded-text.ts';
import { coverageReportSchema, scenarioResultSchema } from './result.schema.ts';

/** The scenarios that a server was given: their files, and runs of them. */

const count = z.int().min(0);
const place = z.coerce.number().int().min(0);

/** Path of a scenario file below the folder of the suite, with forward slashes. */
const path = boundedText({ min: 1, max: 512, pattern: /\.ya?ml$/, allowed: 'it ends in .yaml or .yml' });

/** Characters of one scenario file. */
const textCharactersMax = 1_000_000;
const text = z.string().max(textCharactersMax);

/** What is wrong with a scenario file, and where; lines and columns count from 1. */
const problem = z.strictObject({ line: z.int().min(1), column: z.int().min(1), message: z.string() });

const suiteFile = z.strictObject({
  path,
  /** How the program shows it: what ids of its scenarios begin with. */
  shown: z.string(),
  /** The name of its scenario; `null` where it cannot be read. */
  name: z.string().nullable(),
  /** How many scenarios it holds: the rows of its examples. */
  scenarios: count,
  covers: z.array(z.string()),
  tags: z.array(z.string()),
  problems: z.array(problem),
});

/** The scenario files of the server, and what can be done with them. */
export const suiteResponse = z.strictObject({
  folder: z.string(),
  /** Whether files may be written: the server was started so. */
  editable: z.boolean(),
  drivers: z.array(z.string()),
  files: z.array(suiteFile),
});

export const suiteFileQuery = z.strictObject({ path });

export const suiteFileResponse = z.strictObject({
  path,
  text: z.string(),
  /** Digest of the text, by which a change in between is noticed. */
  digest: z.string(),
});

/** `PUT suite/file`: a text in place of the one with this digest; `null` for a file that is new. */
export const suiteFileRequest = z.strictObject({ path, text, digest: z.string().max(128).nullable() });

export const savedFileResponse = z.strictObject({ path, digest: z.string() });

/** `POST suite/dry-run`: a text as it would stand at a path; nothing is written. */
export const dryRunRequest = z.strictObject({
  path,
  text,
  /** Whether its scenarios run on the model, or are only read. */
  run: z.boolean().default(true),
});

export const dryRunResponse = z.strictObject({
  problems: z.array(problem),
  /** Scenarios that the text holds. */
  scenarios: count,
  /** What they came to on the model: the first of them. */
  results: z.array(scenarioResultSchema),
});

/** The JSON Schema of scenarios, for completion. */
export const suiteSchemaResponse = z.looseObject({ $schema: z.string() });

/** A part of a journal as a scenario. */
export const journeyScenarioResponse = z.strictObject({
  /** Where it could be saved. */
  path,
  text: z.string(),
  /** Inputs that no step can repeat, by type. */
  omitted: z.record(z.string(), count),
});

const words = z.array(z.string().min(1).max(256)).max(1_000);

/** `POST runs`: which scenarios to run; every part that is given must hold. */
export const runRequest = z.strictObject({
  driver: z.string().min(1).max(64).default('model'),
  files: words.optional().describe('Paths of files, or of folders, below that of the suite.'),
  scenarios: words.optional().describe('Ids of scenarios.'),
  filter: z.string().max(256).optional().describe('Text that id or name contains.'),
  tags: words.optional(),
  covers: words.optional(),
});

const runStates = ['queued', 'running', 'finished', 'canceled', 'failed'] as const;

export const runResponse = z.strictObject({
  id: z.string(),
  state: z.enum(runStates),
  request: runRequest,
  /** Scenarios to run; `null` until they are read. */
  total: count.nullable(),
  done: count,
  passed: count,
  failed: count,
  skipped: count,
  /** Real time. */
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  /** Why it could not be run; `null` where it could. */
  error: z
    .strictObject({
      code: z.string(),
      message: z.string(),
      problems: z.array(z.strictObject({ location: z.string(), message: z.string() })),
    })
    .nullable(),
});

/** The runs that are held, the newest first. */
export const runsResponse = z.strictObject({ runs: z.array(runResponse), queuedMax: count });

const resultRow = scenarioResultSchema
  .pick({ id: true, name: true, file: true, driver: true, status: true, durationMs: true, message: true })
  .extend({ place: z.int().min(1) });

/** What a run has come to: one event of its stream. */
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

/** Where a stream of a run begins: after so many results. */
export const runEventsQuery = z.strictObject({ after: place.default(0) });
