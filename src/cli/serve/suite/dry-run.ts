import { ModelDriver } from '../../../scenario/drivers/model.driver.ts';
import type { FixtureLibrary } from '../../../scenario/fixture-library.ts';
import { loadText } from '../../../scenario/load.ts';
import { runSuite, unsupportedSteps, withRefused } from '../../../scenario/run-suite.ts';
import type { DryRun } from '../../../server/suite-service.ts';
import { breathe, placedProblem } from './suite-folder.ts';

/** Scenarios of one text that a dry run runs: the first rows of its examples. */
const scenariosMax = 100;

/** Reads a text as a scenario file, and runs it on the model. Takes the name to show for it, and fixtures that it names. */
export async function dryRun(shown: string, text: string, fixtures: FixtureLibrary, run: boolean): Promise<DryRun> {
  const { scenarios, problems } = loadText(shown, text, fixtures);
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
