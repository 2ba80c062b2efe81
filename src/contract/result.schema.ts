import { z } from 'zod';
import { gateIds, reasonCodes, targetedMethods } from '../../machines/vocabulary.ts';
import { ruleKinds } from './rule-catalogue.ts';
import { factorScreens, pageNames, stepKinds } from './step-names.ts';

const count = z.int().min(0);

const ruleTrace = z.discriminatedUnion('outcome', [
  z.strictObject({
    id: z.enum(gateIds),
    outcome: z.literal('stopped'),
    reason: z.enum(reasonCodes),
    saw: z.record(z.string(), z.unknown()),
  }),
  z.strictObject({
    id: z.enum(gateIds),
    outcome: z.enum(['met', 'not-applicable']),
    saw: z.record(z.string(), z.unknown()),
  }),
]);

const mismatch = z.strictObject({
  key: z
    .string()
    .describe('The failed expectation; `agreement` if page and verdict differ, `step` if the step was impossible.'),
  expected: z.unknown(),
  actual: z.unknown(),
  message: z.string().optional(),
});

const stepResult = z.strictObject({
  kind: z.enum(stepKinds as readonly string[]),
  line: z.int().min(1).describe('Line of the step in its scenario file.'),
  status: z.enum(['passed', 'failed', 'not-run']),
  checked: count.describe('Number of expectations checked.'),
  mismatches: z.array(mismatch),
  page: z.enum(pageNames).optional().describe('Page on which the step ended, if the driver saw one.'),
  signInScreens: z
    .array(z.enum(factorScreens))
    .optional()
    .describe('Username, password and second-factor screens shown during the sign-in.'),
  visitedPages: z.array(z.enum(pageNames)).optional().describe('Visited pages that a scenario can expect.'),
  method: z
    .enum(targetedMethods)
    .optional()
    .describe('What the prompt asks the user to register, if the step ended at the prompt or in its setup.'),
  reason: z
    .string()
    .nullable()
    .optional()
    .describe('The reason of the verdict, if the step was evaluated or did not pass; null if the user is prompted.'),
  rules: z.array(ruleTrace).optional().describe('The gates of the verdict in order, if the step did not pass.'),
});

/** Result of one scenario on one driver. */
export const scenarioResultSchema = z.strictObject({
  id: z.string().describe('File and, for examples, the row number starting at 1.'),
  name: z.string(),
  file: z.string(),
  driver: z.string(),
  status: z.enum(['passed', 'failed', 'skipped']),
  durationMs: z.number().min(0),
  steps: z.array(stepResult),
  message: z.string().optional().describe('Why the scenario was skipped, or failed outside a step.'),
  unconfirmedClaims: z
    .array(z.string())
    .describe('Rules and assumptions that the scenario claims and the run did not confirm.'),
  tags: z.array(z.string()),
  evidence: z.array(z.string()).optional().describe('Files that document a failure, relative to the report folder.'),
  command: z.string().describe('The command that repeats the run of this scenario.'),
});

/** Rules and assumptions that a test run covered. */
export const coverageReportSchema = z.strictObject({
  rules: z.array(
    z.strictObject({
      id: z.string(),
      summary: z.string(),
      kind: z.enum(ruleKinds),
      met: count,
      stopped: count.describe('Number of verdicts with this primary reason.'),
      notApplicable: count,
      observed: count,
    }),
  ),
  assumptions: z.array(
    z.strictObject({ id: z.string(), question: z.string(), state: z.enum(['confirmed', 'claimedOnly', 'uncovered']) }),
  ),
  outcomesCovered: count,
  outcomesTotal: count,
});

/** JSON report of `run --json`. Tests parse real reports with this schema to keep it consistent with the type. */
export const runReportSchema = z.strictObject({
  summary: z.strictObject({ passed: count, failed: count, skipped: count, durationMs: z.number().min(0) }),
  results: z.array(scenarioResultSchema),
  coverage: coverageReportSchema,
});
