import { relative } from 'node:path';
import type { ValidationProblem } from '../core/errors.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import { buildScenario, type PlanCache, planFrom, problemsFrom } from './build-scenario.ts';
import { scenarioBytesMax, textAtMost, tooLarge } from './data-file.ts';
import type { FixtureLibrary } from './fixture-library.ts';
import { buildOwnScenario, readScenarioRuleset } from './own/load-own-scenario.ts';
import { isRulesetFile } from './rulesets/ruleset-file.ts';
import type { Scenario } from './scenario.ts';
import { allRows, type WantedRows } from './scenario-files.ts';
import { checkExpectations } from './step-check.ts';
import { YamlSource } from './yaml-source.ts';

/** Loaded scenarios, and the problems of the others. */
export interface LoadedScenarios {
  readonly scenarios: readonly Scenario[];
  readonly problems: readonly ValidationProblem[];
  readonly files: readonly string[];
}

/**
 * Loads the scenarios of files, or only the requested rows of their examples. An invalid file does not affect the
 * others. `cwd` is the base of displayed paths.
 */
export function loadScenarios(
  files: readonly string[],
  fixtures: FixtureLibrary,
  cwd: string,
  wanted: WantedRows = allRows,
): LoadedScenarios {
  const scenarios: Scenario[] = [];
  const problems: ValidationProblem[] = [];
  for (const file of files) {
    const loaded = loadFile(file, relative(cwd, file) || file, fixtures, wanted);
    scenarios.push(...loaded.scenarios);
    problems.push(...loaded.problems);
  }
  return { scenarios, problems, files };
}

/**
 * Loads the scenarios of one file. `shown` is the displayed file name. The result includes the text of the file.
 */
export function loadFile(
  path: string,
  displayPath: string,
  fixtures: FixtureLibrary,
  wanted: WantedRows,
): Omit<LoadedScenarios, 'files'> & { readonly text: string } {
  const text = textAtMost(path, scenarioBytesMax);
  if (text === null) {
    return { text: '', scenarios: [], problems: [{ location: displayPath, message: tooLarge(scenarioBytesMax) }] };
  }
  return { text, ...loadText(displayPath, text, fixtures, wanted, path) };
}

/**
 * Loads the scenarios of one text: a single one, or one per row of its examples. `path` is the path of its file, to find
 * the ruleset file that it names; without a path, it cannot name one.
 */
export function loadText(
  file: string,
  text: string,
  fixtures: FixtureLibrary,
  wanted: WantedRows = allRows,
  path: string | null = null,
): Omit<LoadedScenarios, 'files'> {
  const source = new YamlSource(file, text);
  if (source.problems.length > 0) return { scenarios: [], problems: source.problems };
  const rows = listRows(source);
  if (rows.length === 0) {
    return {
      scenarios: [],
      problems: [{ location: source.place(['examples']), message: 'examples must be a list of rows' }],
    };
  }
  const scenarios: Scenario[] = [];
  const problems: ValidationProblem[] = [];
  const seen = new Set<string>();
  const build = chooseBuilder(source, fixtures, path);
  if (!('build' in build)) return { scenarios, problems: build.problems };
  rows.forEach((row: unknown, index) => {
    if (!wanted(file, index + 1)) return;
    const id = row === null ? file : `${file}#${index + 1}`;
    try {
      scenarios.push({ ...build.build(id, row), rows: rows.length });
    } catch (error) {
      for (const problem of problemsFrom(error, source)) {
        const key = `${problem.location} ${problem.message}`;
        if (!seen.has(key)) problems.push(problem);
        seen.add(key);
      }
    }
  });
  return { scenarios, problems };
}

type Build = (id: string, row: unknown) => Omit<Scenario, 'rows'>;

/** Returns the function that builds the scenarios of a source, or the problems of the ruleset file that it names. */
function chooseBuilder(
  source: YamlSource,
  fixtures: FixtureLibrary,
  path: string | null,
): { readonly build: Build } | { readonly problems: readonly ValidationProblem[] } {
  const named = isPlainObject(source.data) ? source.data['ruleset'] : undefined;
  if (path !== null && typeof named === 'string' && isRulesetFile(named)) {
    try {
      const ruleset = readScenarioRuleset(path, named, source);
      const plan = planFrom({ given: { tenant: {} } }, fixtures);
      const build: Build = (id, row) => {
        const own = buildOwnScenario(source, row, ruleset);
        return { id, file: source.file, plan, steps: [], ...own };
      };
      return { build };
    } catch (error) {
      return { problems: problemsFrom(error, source) };
    }
  }
  const plans: PlanCache = new Map();
  const build: Build = (id, row) => {
    const scenario = buildScenario(id, source, row, fixtures, plans);
    checkExpectations(scenario.steps, source);
    return scenario;
  };
  return { build };
}

/**
 * Returns the rows of a file's examples, a single `null` if it has none, or an empty list if they are not a list of
 * rows.
 */
function listRows({ data }: YamlSource): readonly unknown[] {
  if (!(isPlainObject(data) && 'examples' in data)) return [null];
  const { examples } = data;
  return Array.isArray(examples) && examples.every(isPlainObject) ? examples : [];
}
