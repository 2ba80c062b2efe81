import { ModelDriver } from '../../../scenario/drivers/model.driver.ts';
import type { FixtureLibrary } from '../../../scenario/fixture-library.ts';
import { loadText } from '../../../scenario/load.ts';
import { runSuite, unsupportedSteps, withRefused } from '../../../scenario/run-suite.ts';
import type { DryRun } from '../../../server/suite-service.ts';
import { breathe, placedProblem } from './suite-folder.ts';

/** Maximum number of scenarios in a dry run. Only the first example rows are run. */
const scenariosMax = 100;

/**
 * Parses a text as a scenario file and optionally runs it on the model. `shown` is the displayed file name, and
 * `fixtures` contains the fixtures that the text names.
 */
export async function dryRun(
  displayPath: string,
  text: string,
  fixtures: FixtureLibrary,
  run: boolean,
): Promise<DryRun> {
  const { scenarios, problems } = loadText(displayPath, text, fixtures);
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
