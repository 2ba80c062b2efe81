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
    .describe('The expectation; `agreement` where page and verdict differ, `step` where it was impossible.'),
  expected: z.unknown(),
  actual: z.unknown(),
  message: z.string().optional(),
});

const stepResult = z.strictObject({
  kind: z.enum(stepKinds as readonly string[]),
  line: z.int().min(1).describe('Line of the step in its file.'),
  status: z.enum(['passed', 'failed', 'not-run']),
  checked: count.describe('Expectations that were checked.'),
  mismatches: z.array(mismatch),
  page: z.enum(pageNames).optional().describe('Where the step ended, as far as the driver saw a page.'),
  signInScreens: z
    .array(z.enum(factorScreens))
    .optional()
    .describe('Screens of name, password and second factor that the sign-in went through.'),
  visitedPages: z
    .array(z.enum(pageNames))
    .optional()
    .describe('The screens on the way there that a scenario may expect.'),
  method: z
    .enum(targetedMethods)
    .optional()
    .describe('What the prompt asks for, where the step ended at it or in its setup.'),
  reason: z
    .string()
    .nullable()
    .optional()
    .describe('The verdict’s reason, where the step was evaluated or did not pass; null where it prompts.'),
  rules: z.array(ruleTrace).optional().describe('The verdict’s gates in order, where the step did not pass.'),
});

/** Result of one scenario on one driver. */
export const scenarioResultSchema = z.strictObject({
  id: z.string().describe('File and, with examples, the row from 1.'),
  name: z.string(),
  file: z.string(),
  driver: z.string(),
  status: z.enum(['passed', 'failed', 'skipped']),
  durationMs: z.number().min(0),
  steps: z.array(stepResult),
  message: z.string().optional().describe('Why it was skipped, or failed outside a step.'),
  unconfirmedClaims: z.array(z.string()).describe('Rules and assumptions that it claims and the run did not confirm.'),
  tags: z.array(z.string()),
  evidence: z.array(z.string()).optional().describe('Files that explain a failure, below the folder of reports.'),
  command: z.string().describe('The one command that repeats it.'),
});

/** Rules and assumptions that a test run covered. */
export const coverageReportSchema = z.strictObject({
  rules: z.array(
    z.strictObject({
      id: z.string(),
      summary: z.string(),
      kind: z.enum(ruleKinds),
      met: count,
      stopped: count.describe('How often it was the primary reason.'),
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
