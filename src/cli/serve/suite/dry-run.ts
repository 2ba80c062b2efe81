import { ModelDriver } from '../../../scenario/drivers/model.driver.ts';
import type { FixtureLibrary } from '../../../scenario/fixture-library.ts';
import { loadText } from '../../../scenario/load.ts';
import type { RulesetChoice } from '../../../scenario/rulesets/ruleset-choice.ts';
import { runSuite, unsupportedSteps, withRefused } from '../../../scenario/run-suite.ts';
import type { DryRun } from '../../../server/suite-service.ts';
import { breathe, placedProblem } from './suite-folder.ts';

/** Maximum number of scenarios in a dry run. Only the first example rows are run. */
const scenariosMax = 100;

/** Fixtures and rulesets that the text can name. */
interface DryRunParts {
  readonly fixtures: FixtureLibrary;
  readonly rulesets: RulesetChoice;
}

/**
 * Parses a text as a scenario file and optionally runs it on the model. `displayPath` is the displayed file name.
 */
export async function dryRun(
  displayPath: string,
  text: string,
  { fixtures, rulesets }: DryRunParts,
  run: boolean,
): Promise<DryRun> {
  const { scenarios, problems } = loadText(displayPath, text, fixtures, { rulesets });
  const read = { problems: problems.map(placedProblem), scenarios: scenarios.length };
  if (!run || problems.length > 0) return { ...read, results: [] };
  const first = scenarios.slice(0, scenariosMax);
  const impossible = await unsupportedSteps(first);
  const refused = new Set(impossible.map(({ scenarioId }) => scenarioId));
  const report = await runSuite(
    first.filter(({ id }) => !refused.has(id)),
    [new ModelDriver()],
    { workers: 1, bail: false, repeat: 1, coverage: true, onResult: breathe },
  );
  const { results } = withRefused(report, first, impossible, ['model']);
  return {
    problems: impossible.map(placedProblem),
    scenarios: scenarios.length,
    results: JSON.parse(JSON.stringify(results)) as DryRun['results'],
  };
}
