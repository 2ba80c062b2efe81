import { relative } from 'node:path';
import type { ValidationProblem } from '../core/errors.ts';
import { isPlainObject } from '../core/merge-patch.ts';
import { buildScenario, type PlanCache, problemsFrom } from './build-scenario.ts';
import { scenarioBytesMax, textAtMost, tooLarge } from './data-file.ts';
import type { FixtureLibrary } from './fixture-library.ts';
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
  shown: string,
  fixtures: FixtureLibrary,
  wanted: WantedRows,
): Omit<LoadedScenarios, 'files'> & { readonly text: string } {
  const text = textAtMost(path, scenarioBytesMax);
  if (text === null) {
    return { text: '', scenarios: [], problems: [{ location: shown, message: tooLarge(scenarioBytesMax) }] };
  }
  return { text, ...loadText(shown, text, fixtures, wanted) };
}

/** Loads the scenarios of one text: a single one, or one per row of its examples. */
export function loadText(
  file: string,
  text: string,
  fixtures: FixtureLibrary,
  wanted: WantedRows = allRows,
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
  const plans: PlanCache = new Map();
  rows.forEach((row: unknown, index) => {
    if (!wanted(file, index + 1)) return;
    const id = row === null ? file : `${file}#${index + 1}`;
    try {
      const scenario = buildScenario(id, source, row, fixtures, plans);
      checkExpectations(scenario.steps, source);
      scenarios.push({ ...scenario, rows: rows.length });
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

/**
 * Returns the rows of a file's examples, a single `null` if it has none, or an empty list if they are not a list of
 * rows.
 */
function listRows({ data }: YamlSource): readonly unknown[] {
  if (!(isPlainObject(data) && 'examples' in data)) return [null];
  const { examples } = data;
  return Array.isArray(examples) && examples.every(isPlainObject) ? examples : [];
}
