import { z } from 'zod';
import { targetedMethods } from '../../machines/vocabulary.ts';
import type { Immutable } from '../core/immutable.ts';
import { ruleKinds } from './rule-catalogue.ts';
import { factorScreens, pageNames, rulesetStepKinds, stepKinds } from './step-names.ts';
import { ruleResultSchema } from './verdict.schema.ts';

const count = z.int().min(0);

/** Finding of a step: an expectation that failed. */
const mismatchSchema = z.strictObject({
  key: z
    .string()
    .describe('The failed expectation; `agreement` if page and verdict differ, `step` if the step was impossible.'),
  expected: z.unknown(),
  actual: z.unknown(),
  message: z.string().optional(),
});

/** Result of one scenario step. */
const stepResultSchema = z.strictObject({
  kind: z.enum([...stepKinds, ...rulesetStepKinds]),
  line: z.int().min(1).describe('Line of the step in its scenario file.'),
  status: z.enum(['passed', 'failed', 'not-run']),
  checked: count.describe('Number of expectations checked.'),
  mismatches: z.array(mismatchSchema),
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
  rules: z.array(ruleResultSchema).optional().describe('The gates of the verdict in order, if the step did not pass.'),
});

/** Result of one scenario on one driver. */
export const scenarioResultSchema = z.strictObject({
  id: z.string().describe('File and, for examples, the row number starting at 1.'),
  name: z.string(),
  file: z.string(),
  driver: z.string(),
  status: z.enum(['passed', 'failed', 'skipped']),
  durationMs: z.number().min(0),
  steps: z.array(stepResultSchema),
  message: z.string().optional().describe('Why the scenario was skipped, or failed outside a step.'),
  unconfirmedClaims: z
    .array(z.string())
    .describe('Rules and assumptions that the scenario claims and the run did not confirm.'),
  tags: z.array(z.string()),
  evidence: z.array(z.string()).optional().describe('Files that document a failure, relative to the report folder.'),
  traceId: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional()
    .describe('Trace of the requests of this scenario, if traces are exported.'),
  command: z.string().describe('The command that repeats the run of this scenario.'),
});

/** Coverage of one rule: how often a gate was met, stopped as the primary reason, or was not applicable. */
const ruleCoverageSchema = z.strictObject({
  id: z.string(),
  summary: z.string(),
  kind: z.enum(ruleKinds),
  met: count,
  stopped: count.describe('Number of verdicts with this primary reason.'),
  notApplicable: count,
  /** Number of observations for a rule that is not a gate, such as transitions or policy API responses. */
  observed: count,
});

const assumptionCoverageSchema = z.strictObject({
  id: z.string(),
  question: z.string(),
  /** Coverage state: confirmed in a run, only claimed by a scenario because it is not observable, or neither. */
  state: z.enum(['confirmed', 'claimedOnly', 'uncovered']),
});

const rulesetCoverageSchema = z.strictObject({
  ruleset: z.string().describe('Id of the ruleset.'),
  covered: count.describe('Number of items that a scenario covered.'),
  total: count.describe('Number of everything that the ruleset can do.'),
  items: z.array(z.strictObject({ item: z.string(), seen: count })).describe('Number of observations by item.'),
});

/** Rules and assumptions that a test run covered. */
export const coverageReportSchema = z.strictObject({
  rules: z.array(ruleCoverageSchema),
  assumptions: z.array(assumptionCoverageSchema),
  /** Number of rule outcomes that occurred, out of `outcomesTotal` possible ones. */
  outcomesCovered: count,
  outcomesTotal: count,
  rulesets: z.array(rulesetCoverageSchema).optional().describe('Coverage of each ruleset with the base own.'),
});

const usedRulesetSchema = z.strictObject({
  ruleset: z.string().describe('Id of the ruleset.'),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of the canonical form with its modules and base, in hexadecimal.'),
});

/** JSON report of `run --json`. */
export const runReportSchema = z.strictObject({
  summary: z.strictObject({ passed: count, failed: count, skipped: count, durationMs: z.number().min(0) }),
  results: z.array(scenarioResultSchema),
  coverage: coverageReportSchema,
  rulesets: z.array(usedRulesetSchema).optional().describe('Rulesets that evaluated the scenarios.'),
});

/** Expectation that failed. */
export type Mismatch = Immutable<z.infer<typeof mismatchSchema>>;
/** Result of one scenario step. */
export type StepResult = Immutable<z.infer<typeof stepResultSchema>>;
/** Result of one scenario on one driver. */
export type ScenarioResult = Immutable<z.infer<typeof scenarioResultSchema>>;
/** Ruleset that evaluated scenarios, with the digest of its file. */
export type UsedRuleset = Immutable<z.infer<typeof usedRulesetSchema>>;
/** Coverage of one rule. */
export type RuleCoverage = Immutable<z.infer<typeof ruleCoverageSchema>>;
/** Coverage of one ruleset with the base own. */
export type RulesetCoverage = Immutable<z.infer<typeof rulesetCoverageSchema>>;
/** Coverage of one assumption. */
export type AssumptionCoverage = Immutable<z.infer<typeof assumptionCoverageSchema>>;
/** Rules and assumptions that a test run covered. */
export type CoverageReport = Immutable<z.infer<typeof coverageReportSchema>>;
/** Report of a test run, printed by `run --json`. */
export type RunReport = Immutable<z.infer<typeof runReportSchema>>;
