import { z } from 'zod';
import { rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import { explainResponse } from '../../contract/control-responses.schema.ts';
import { attemptPatchSchema } from '../../contract/facts.schema.ts';
import { fixtureKinds } from '../../contract/fixture-kinds.ts';
import { scenarioResultSchema } from '../../contract/result.schema.ts';
import { ruleKinds } from '../../contract/rule-catalogue.ts';
import { dryRunResponse } from '../../contract/suite.schema.ts';
import { counterfactualSchema, reasonSchema, ruleIdSchema } from '../../contract/verdict.schema.ts';
import { analysisTimeMaxMs, listRowsMax } from '../../core/limits.ts';
import { tenantDefault } from '../common-options.ts';
import { coverageWords } from '../generate/generate-options.ts';
import { schemaNames } from '../schema/schema-names.ts';

/** Schemas of the inputs and outputs of the tools. */

const count = z.int().min(0);
const words = z.array(z.string().min(1).max(256)).max(listRowsMax);
const fixture = (what: string) =>
  z
    .union([z.string().min(1).max(256), z.record(z.string(), z.unknown())])
    .describe(`Name of a ${what} fixture, or an object with facts; \`extends\` in it names the fixture to change.`);
const scenarioText = z.string().min(1).describe('YAML of one scenario file. The schema is get_schema "scenario".');
const shownPath = z
  .string()
  .min(1)
  .max(512)
  .default('scenario.yaml')
  .describe('File name for locations; nothing is read or written there.');
const scenarioPaths = words.describe('Files or folders of the scenario folder; all of its files without it.');
const timeLimitSeconds = z
  .int()
  .min(1)
  .max(analysisTimeMaxMs / 1_000)
  .default(30)
  .describe('Time limit in seconds. The result at that time is returned, with `complete` false.');

/** Verdict of one hypothetical sign-in. */
export const explainInput = z.strictObject({
  user: fixture('user').optional(),
  tenant: fixture('tenant').default(tenantDefault),
  attempt: attemptPatchSchema.default({}).describe('Sign-in facts that differ from a normal one in Chrome on Windows.'),
  facts: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Complete facts instead of user and tenant. The schema is get_schema "facts".'),
  ruleset: z
    .string()
    .max(64)
    .optional()
    .describe('Id of the ruleset for facts that name none (default: that of the server, or seed).'),
});

const ruleResult = z.strictObject({
  id: ruleIdSchema,
  outcome: z.enum(['met', 'stopped', 'not-applicable']),
  reason: reasonSchema.optional(),
  sentence: z.string(),
});

export const explainOutput = explainResponse
  .pick({ ruleset: true, outcome: true, reason: true, headline: true, warnings: true })
  .extend({
    decidedBy: ruleIdSchema.nullable().describe('First rule that stopped the prompt; null if the user is prompted.'),
    rules: z.array(ruleResult).describe('Every rule in the order of evaluation.'),
    counterfactual: counterfactualSchema
      .extend({ sentences: z.array(z.string()).describe('The same in sentences.') })
      .optional()
      .describe('When, and under which other facts, a sign-in without a prompt of an own campaign would have one.'),
  });

export const validateInput = z.strictObject({ text: scenarioText, path: shownPath });

const resultRow = scenarioResultSchema
  .pick({ id: true, name: true, status: true, message: true, unconfirmedClaims: true })
  .extend({
    failure: z.array(z.string()).optional().describe('Why it failed: expected and actual values, and every rule.'),
    command: z.string().optional().describe('Command that repeats the run of this scenario.'),
  });

const suiteResult = {
  results: z.array(resultRow).describe('Failed scenarios first.'),
  omitted: count.describe('Number of results that were left out.'),
};

export const validateOutput = z.strictObject({
  valid: z.boolean().describe('True if nothing is wrong and every expectation holds.'),
  problems: dryRunResponse.shape.problems,
  scenarios: count,
  ...suiteResult,
});

export const runInput = z.strictObject({
  text: scenarioText.optional(),
  path: shownPath,
  paths: scenarioPaths.optional(),
  filter: z.string().max(256).optional().describe('Text that the id or name contains.'),
  tags: words.optional(),
  covers: words.optional().describe('Ids of rules and assumptions.'),
  timeLimitSeconds,
});

export const runOutput = z.strictObject({
  summary: z.strictObject({ passed: count, failed: count, skipped: count }),
  complete: z.boolean(),
  ...suiteResult,
  coverage: z.strictObject({
    outcomesCovered: count,
    outcomesTotal: count,
    rulesShown: z.array(z.string()),
    assumptionsShown: z.array(z.string()),
  }),
});

export const rulesInput = z.strictObject({
  ids: words.optional().describe('Ids of rules; all rules without it.'),
  ruleset: z.enum(rulesetIds).optional().describe('Only rules that this ruleset evaluates.'),
});

export const rulesOutput = z.strictObject({
  rules: z.array(
    z.strictObject({
      id: z.string(),
      kind: z.enum(ruleKinds),
      summary: z.string(),
      passesWhen: z.string().optional().describe('What holds if the rule lets a prompt through.'),
      reasonCodes: z.array(z.string()).describe('Reasons with which the rule suppresses a prompt.'),
      sources: z.array(z.string()).describe('Rules and assumptions that it is based on.'),
      rulesets: z.array(z.string()).describe('Rulesets that evaluate it.'),
    }),
  ),
  rulesets: z.array(
    z.strictObject({ id: z.string(), order: z.array(z.string()), limits: z.record(z.string(), z.unknown()) }),
  ),
});

export const fixturesInput = z.strictObject({
  kind: z.enum(fixtureKinds).optional(),
  name: z.string().min(1).max(256).optional().describe('Returns the facts of this fixture; needs `kind`.'),
});

export const fixturesOutput = z.strictObject({
  fixtures: z.array(
    z.strictObject({
      kind: z.enum(fixtureKinds),
      name: z.string(),
      facts: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});

export const schemaInput = z.strictObject({ name: z.enum(schemaNames) });
export const schemaOutput = z.strictObject({
  name: z.enum(schemaNames),
  title: z.string(),
  schema: z.record(z.string(), z.unknown()),
});

export const generateInput = z.strictObject({
  coverage: z.enum(coverageWords).default('transitions').describe('What the lifecycle tests cover.'),
  strength: z
    .int()
    .min(1)
    .max(3)
    .optional()
    .describe('Instead of coverage: combine all values of this many sign-in parameters.'),
  filesMax: z.int().min(1).max(100).default(20).describe('Number of files to return; the others are counted.'),
  timeLimitSeconds,
});

export const generateOutput = z.strictObject({
  title: z.string(),
  complete: z.boolean(),
  tests: count,
  size: z.array(z.string()).describe('Coverage, and how far the size is from the smallest possible one.'),
  unreachable: z.array(z.string()),
  files: z.array(z.strictObject({ path: z.string(), text: z.string() })),
  omitted: count,
  command: z.string().describe('Command that writes all files.'),
});

export const scoreInput = z.strictObject({
  text: scenarioText.optional(),
  path: shownPath,
  paths: scenarioPaths.optional(),
  rules: words.default([]).describe('Only mutants of these rules and assumptions.'),
  filter: z.string().max(256).optional().describe('Only mutants with this text in their name.'),
  decide: z
    .boolean()
    .default(true)
    .describe('Find the shortest scenario for each survivor, or prove that there is none. False is much faster.'),
  survivorsMax: z.int().min(0).max(100).default(10).describe('Number of survivors to return.'),
  timeLimitSeconds,
});

export const scoreOutput = z.strictObject({
  complete: z.boolean(),
  scenarios: count,
  score: z.number().min(0).max(1).describe('Share of killed mutants among those that some journey can detect.'),
  mutants: count,
  killed: count,
  survived: count,
  equivalent: count,
  undecided: count,
  notRun: count,
  failing: z.array(z.string()).describe('Scenarios that fail on the model itself; they count for nothing.'),
  survivors: z.array(
    z.strictObject({
      id: z.string(),
      operator: z.string(),
      rules: z.array(z.string()),
      scenario: z.string().nullable().describe('YAML of the shortest scenario that detects it.'),
    }),
  ),
});

export const saveInput = z.strictObject({
  path: z.string().min(1).max(512).describe('Path below the scenario folder, with / and .yaml or .yml at the end.'),
  text: scenarioText,
  overwrite: z.boolean().default(false),
});

export const saveOutput = z.strictObject({ path: z.string(), created: z.boolean(), scenarios: count });
