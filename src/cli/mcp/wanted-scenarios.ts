import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import { loadText } from '../../scenario/load.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { openFolder, openToolRulesets, type ToolSetting } from './tool-setting.ts';

/** Scenarios that a tool works with: one text, or files of the scenario folder. */
export interface WantedScenarios {
  readonly text?: string | undefined;
  /** File name of the text for locations. */
  readonly path: string;
  readonly paths?: readonly string[] | undefined;
}

/**
 * Loads the requested scenarios. Throws `bad-request` if a text and paths are given, `scenario-invalid` with every
 * problem, and `scenario-empty` if there are none.
 */
export async function loadWanted(wanted: WantedScenarios, setting: ToolSetting): Promise<readonly Scenario[]> {
  const { scenarios, problems } = await read(wanted, setting);
  if (problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems });
  if (scenarios.length === 0) throw new NudgeLabError('scenario-empty');
  return scenarios;
}

interface Loaded {
  readonly scenarios: readonly Scenario[];
  readonly problems: readonly ValidationProblem[];
}

/** Loads the fixtures of the scenario folder, or those of the configuration if there is no folder. */
export async function getFixtures(setting: ToolSetting): Promise<FixtureLibrary> {
  return setting.root === null ? new FixtureLibrary(setting.fixtures) : openFolder(setting).fixtures();
}

async function read({ text, path, paths }: WantedScenarios, setting: ToolSetting): Promise<Loaded> {
  if (text !== undefined && paths !== undefined) {
    throw new NudgeLabError('bad-request', {
      problems: [{ location: 'input.paths', message: 'give either `text` or `paths`' }],
    });
  }
  if (text !== undefined)
    return loadText(path, text, await getFixtures(setting), { rulesets: await openToolRulesets(setting) });
  const folder = openFolder(setting);
  // Only files that the folder lists are read, so no path and no link leads out of it.
  const chosen = folder.paths().filter((one) => paths === undefined || paths.some((name) => covers(name, one, folder)));
  const missing = (paths ?? []).filter((name) => !chosen.some((one) => covers(name, one, folder)));
  if (missing.length > 0) {
    throw new NudgeLabError('scenario-empty', {
      message: `The scenario folder ${folder.shown} does not contain ${missing.join(', ')}.`,
    });
  }
  const files = await folder.read(chosen);
  return { scenarios: files.flatMap((file) => file.scenarios), problems: files.flatMap((file) => file.problems) };
}

/** Checks whether a name, relative to the scenario folder or to the working directory, covers a file of the folder. */
function covers(name: string, path: string, folder: { formatPath(path: string): string }): boolean {
  const plain = name.endsWith('/') ? name.slice(0, -1) : name;
  return [path, folder.formatPath(path)].some((one) => one === plain || one.startsWith(`${plain}/`));
}
