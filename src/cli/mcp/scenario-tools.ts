import type { RunReport } from '../../contract/result.schema.ts';
import { stopwatch } from '../../core/clock.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { requestTimeoutMs } from '../../core/limits.ts';
import { Redactor } from '../../report/redact.ts';
import { describeUnknownCoverage, isCoverable } from '../../scenario/coverage.ts';
import { ModelDriver } from '../../scenario/drivers/model.driver.ts';
import {
  runSuite,
  selectScenarios,
  type UnsupportedStep,
  unsupportedSteps,
  withRefused,
} from '../../scenario/run-suite.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { listSecrets } from '../run/scenario-secrets.ts';
import { dryRun } from '../serve/suite/dry-run.ts';
import { resultRows } from './result-rows.ts';
import { defineTool } from './tool.ts';
import { runInput, runOutput, validateInput, validateOutput } from './tool-schemas.ts';
import { openToolRulesets, type ToolSetting } from './tool-setting.ts';
import { getFixtures, loadWanted } from './wanted-scenarios.ts';

/** Number of scenarios that are validated for unsupported steps before the time limit is checked again. */
const validatedAtOnce = 20;

/** Tools that validate and run scenarios. Every scenario runs in its own sandbox on the model. */
export const scenarioTools = [
  defineTool({
    name: 'validate_scenario',
    title: 'Validate a scenario',
    description:
      'Parses the YAML of a scenario file and runs it on the model without writing anything. Returns every problem ' +
      'with line and column, or the results. A failed expectation shows what the rules say instead.',
    input: validateInput,
    output: validateOutput,
    writes: false,
    limitMs: () => requestTimeoutMs,
    run: async ({ text, path }, setting) => {
      const { problems, scenarios, results } = await dryRun(
        path,
        text,
        { fixtures: await getFixtures(setting), rulesets: await openToolRulesets(setting) },
        true,
      );
      const rows = resultRows(
        redactorFor(setting, []).report(createReport(results as RunReport['results'])).results,
        null,
      );
      const valid = problems.length === 0 && results.every(({ status }) => status !== 'failed');
      return { valid, problems: [...problems], scenarios, ...rows };
    },
  }),
  defineTool({
    name: 'run_scenarios',
    title: 'Run scenarios',
    description:
      'Runs scenarios on the model: the YAML in `text`, or files and folders of the scenario folder in `paths`. ' +
      'Returns each failure with the expected and actual values and the sentences of the rules, and the rules shown.',
    input: runInput,
    output: runOutput,
    writes: false,
    limitMs: ({ timeLimitSeconds }) => timeLimitSeconds * 1_000 + requestTimeoutMs,
    run: async (input, setting) => {
      const elapsedMs = stopwatch();
      const isOver = (): boolean => elapsedMs() > input.timeLimitSeconds * 1_000;
      const scenarios = selected(await loadWanted(input, setting), input);
      const { report, complete } = await runUntil(scenarios, isOver);
      const { summary, results, coverage } = redactorFor(setting, scenarios).report(report);
      const { passed, failed, skipped } = summary;
      const { outcomesCovered, outcomesTotal, rules, assumptions } = coverage;
      return {
        summary: { passed, failed, skipped },
        complete,
        ...resultRows(results, input.text === undefined ? setting.program : null),
        coverage: {
          outcomesCovered,
          outcomesTotal,
          rulesShown: rules.filter((rule) => rule.met + rule.stopped + rule.observed > 0).map(({ id }) => id),
          assumptionsShown: assumptions.filter(({ state }) => state === 'confirmed').map(({ id }) => id),
        },
      };
    },
  }),
];

interface Filters {
  readonly filter?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly covers?: readonly string[] | undefined;
}

/** Selects scenarios. Throws `bad-request` for an id that no rule has, and `scenario-empty` if none is selected. */
function selected(all: readonly Scenario[], { filter, tags, covers }: Filters): readonly Scenario[] {
  const unknown = (covers ?? []).filter((id) => !isCoverable(id));
  if (unknown.length > 0) {
    throw new NudgeLabError('bad-request', {
      problems: unknown.map((id) => ({
        location: 'input.covers',
        message: describeUnknownCoverage(id),
      })),
    });
  }
  const scenarios = selectScenarios(all, {
    ...(filter === undefined ? {} : { filter }),
    ...(tags === undefined ? {} : { tags }),
    ...(covers === undefined ? {} : { covers }),
  });
  if (scenarios.length > 0) return scenarios;
  throw new NudgeLabError('scenario-empty', { message: `None of ${all.length} scenarios was selected.` });
}

/** Runs scenarios on the model until a condition holds. */
async function runUntil(
  scenarios: readonly Scenario[],
  isOver: () => boolean,
): Promise<{ readonly report: RunReport; readonly complete: boolean }> {
  const impossible: UnsupportedStep[] = [];
  let validated = 0;
  while (validated < scenarios.length && !isOver()) {
    impossible.push(...(await unsupportedSteps(scenarios.slice(validated, validated + validatedAtOnce))));
    validated += validatedAtOnce;
  }
  const refused = new Set(impossible.map(({ scenarioId }) => scenarioId));
  const possible = scenarios.slice(0, validated).filter(({ id }) => !refused.has(id));
  const options = { workers: 1, bail: false, repeat: 1, coverage: true, isCancelled: isOver };
  const report = withRefused(await runSuite(possible, [new ModelDriver()], options), scenarios, impossible, ['model']);
  return { report, complete: report.results.length === scenarios.length };
}

function redactorFor({ redaction }: ToolSetting, scenarios: readonly Scenario[]): Redactor {
  return new Redactor({ keys: redaction.keys, values: [...redaction.values, ...listSecrets(scenarios)] });
}

function createReport(results: RunReport['results']): RunReport {
  return {
    summary: { passed: 0, failed: 0, skipped: 0, durationMs: 0 },
    results,
    coverage: { rules: [], assumptions: [], outcomesCovered: 0, outcomesTotal: 0 },
  };
}
