import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { formatCount } from '../../core/format-count.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { unsupportedSteps } from '../../scenario/run-suite.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { openRulesets } from '../open-rulesets.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { locateSuite } from '../run/locate-suite.ts';
import { type Suite, SuiteReader } from '../run/read-suite.ts';
import { problemLine } from '../show-error.ts';
import { lintFixtures } from './lint-fixtures.ts';
import type { LintArguments } from './lint-options.ts';
import { findScenarioWarnings } from './lint-warnings.ts';

/**
 * Prints the problems of scenarios and fixtures, and warnings, which do not change the exit code. Returns the exit code.
 * Throws `scenario-empty` if there are none to check.
 */
export async function lint(args: LintArguments, context: CommandContext): Promise<ExitCode> {
  const { stdout, cwd } = context;
  const config = await loadConfig(args.config, cwd);
  const places = locateSuite(args.operands, config, cwd);
  if (places.files.length === 0)
    throw new NudgeLabError('scenario-empty', { message: 'The paths contain no scenarios.' });
  const fixtures = lintFixtures(places.fixtureFolders, cwd);
  // Fixtures are checked first, because a scenario cannot be loaded without the fixtures that it names.
  const suite =
    fixtures.problems.length > 0
      ? null
      : await new SuiteReader(places, context, await openRulesets(args, config, cwd)).read();
  const problems = [...fixtures.problems, ...(suite === null ? [] : await findProblems(suite))];
  const warnings = [
    ...fixtures.warnings,
    ...findScenarioWarnings(places.files, new FixtureLibrary(places.fixtureFolders), cwd),
  ];
  const counts = { scenarios: suite?.scenarios.length ?? 0, fixtures: fixtures.count };
  const palette = paletteFor(stdout, context, args.color);
  if (args.json) printJson(stdout, { ...counts, problems, warnings });
  else print(stdout, { problems, warnings }, (visible) => formatLines(visible, counts, palette));
  return problems.length === 0 ? 0 : 2;
}

async function findProblems(suite: Suite): Promise<readonly ValidationProblem[]> {
  return [...suite.problems, ...(await unsupportedSteps(suite.scenarios))];
}

/** Problems and warnings of a suite. */
interface LintFindings {
  readonly problems: readonly ValidationProblem[];
  readonly warnings: readonly ValidationProblem[];
}

function formatLines(
  { problems, warnings }: LintFindings,
  { scenarios, fixtures }: { readonly scenarios: number; readonly fixtures: number },
  { good, bad }: ReturnType<typeof paletteFor>,
): readonly string[] {
  const last =
    problems.length === 0
      ? good(`No problems in ${formatCount(scenarios, 'scenario')} and ${formatCount(fixtures, 'fixture')}.`)
      : bad(`${formatCount(problems.length, 'problem')}. Correct each location, and run the command again.`);
  return [...warnings.map((warning) => `warning ${problemLine(warning)}`), ...problems.map(problemLine), last];
}
