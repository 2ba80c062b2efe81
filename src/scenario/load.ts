import { relative } from 'node:path';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { isPlainObject, mergePatch } from '../core/merge-patch.ts';
import { describeUnknownName } from '../core/nearest-name.ts';
import type { LoadedRuleset, RulesetRegistry } from '../journal/ruleset-registry.ts';
import { findDeclarations } from '../journal/ruleset-registry.ts';
import { buildScenario, type PlanCache, planFrom, problemsFrom } from './build-scenario.ts';
import { scenarioBytesMax, textAtMost, tooLarge } from './data-file.ts';
import type { FixtureLibrary } from './fixture-library.ts';
import { buildOwnScenario, readScenarioRuleset } from './own/load-own-scenario.ts';
import { builtInChoice, chosenSettings, type RulesetChoice } from './rulesets/ruleset-choice.ts';
import { isRulesetFile } from './rulesets/ruleset-file.ts';
import type { Scenario } from './scenario.ts';
import { allRows, type WantedRows } from './scenario-files.ts';
import type { ScenarioSource } from './scenario-source.ts';
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
  rulesets: RulesetChoice = builtInChoice(),
): LoadedScenarios {
  const scenarios: Scenario[] = [];
  const problems: ValidationProblem[] = [];
  for (const file of files) {
    const loaded = loadFile(file, relative(cwd, file) || file, fixtures, wanted, rulesets);
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
  rulesets: RulesetChoice = builtInChoice(),
): Omit<LoadedScenarios, 'files'> & { readonly text: string } {
  const text = textAtMost(path, scenarioBytesMax);
  if (text === null) {
    return { text: '', scenarios: [], problems: [{ location: displayPath, message: tooLarge(scenarioBytesMax) }] };
  }
  return { text, ...loadText(displayPath, text, fixtures, { wanted, path, rulesets }) };
}

/** What loading a text depends on besides its fixtures. */
interface LoadOptions {
  readonly wanted?: WantedRows;
  /** Path of the file, to find the ruleset file that it names; without a path, it cannot name one. */
  readonly path?: string | null;
  /** Rulesets that the text can name by id, and that of texts that name none. */
  readonly rulesets?: RulesetChoice;
}

/** Loads the scenarios of one text: a single one, or one per row of its examples. */
export function loadText(
  file: string,
  text: string,
  fixtures: FixtureLibrary,
  { wanted = allRows, path = null, rulesets = builtInChoice() }: LoadOptions = {},
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
  const build = chooseBuilder(source, fixtures, path, rulesets);
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
  rulesets: RulesetChoice,
): { readonly build: Build } | { readonly problems: readonly ValidationProblem[] } {
  try {
    const loaded = findRuleset(source, path, rulesets);
    if (loaded === null) return { build: buildFrom(source, fixtures) };
    const { id } = loaded;
    const changed = chosenSettings(rulesets, findDeclarations(id).settings);
    if (loaded.base === 'registration-campaign') {
      return { build: buildFrom(withRuleset(source, id, changed, fixtures), fixtures) };
    }
    const { ruleset } = loaded;
    const plan = planFrom({ given: { tenant: {} } }, fixtures);
    const build: Build = (scenarioId, row) => {
      const own = buildOwnScenario(source, row, ruleset, changed);
      return { id: scenarioId, file: source.file, plan, steps: [], ...own };
    };
    return { build };
  } catch (error) {
    return { problems: problemsFrom(error, source) };
  }
}

/**
 * Returns the ruleset of a source: the one that it names by file or id, else the chosen one (OC34); `null` if there is
 * none, or if the rows of its examples name it.
 */
function findRuleset(source: YamlSource, path: string | null, rulesets: RulesetChoice): LoadedRuleset | null {
  const { registry, chosen } = rulesets;
  const named = isPlainObject(source.data) ? source.data['ruleset'] : undefined;
  if (named === undefined) return chosen;
  if (typeof named !== 'string') return null;
  if (path === null || !isRulesetFile(named)) return findKnown(named, source, registry);
  const { read, displayPath } = readScenarioRuleset(path, named, source);
  return read.base === 'own'
    ? registry.add(read.ruleset, displayPath, read.data)
    : registry.addCampaign(read.ruleset, displayPath, read.data);
}

function buildFrom(source: ScenarioSource, fixtures: FixtureLibrary): Build {
  const plans: PlanCache = new Map();
  return (id, row) => {
    const scenario = buildScenario(id, source, row, fixtures, plans);
    checkExpectations(scenario.steps, source);
    return scenario;
  };
}

/** Returns the known ruleset with an id. Throws `scenario-invalid` for an unknown one. */
function findKnown(id: string, source: YamlSource, registry: RulesetRegistry): LoadedRuleset | null {
  const loaded = registry.find(id);
  if (loaded !== undefined) return loaded;
  if (id.includes('${')) return null;
  const known = registry.list().map((one) => one.id);
  const problem = { location: source.place(['ruleset']), message: `ruleset: ${describeUnknownName(id, known)}` };
  throw new NudgeLabError('scenario-invalid', { problems: [problem] });
}

/** Returns a source with the id of a loaded ruleset, and with settings that its tenant does not set. */
function withRuleset(
  source: YamlSource,
  ruleset: string,
  settings: Readonly<Record<string, unknown>>,
  fixtures: FixtureLibrary,
): ScenarioSource {
  const data = { ...(source.data as object), ruleset };
  return {
    file: source.file,
    data: Object.keys(settings).length === 0 ? data : withSettings(data, settings, fixtures),
    position: (path) => source.position(path),
    place: (path) => source.place(path),
    keyPlace: (path) => source.keyPlace(path),
  };
}

/** Returns scenario data with settings that its tenant does not set. Data without a valid tenant stays as it is. */
function withSettings(
  data: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, unknown>>,
  fixtures: FixtureLibrary,
): Readonly<Record<string, unknown>> {
  const { given } = data;
  if (!isPlainObject(given)) return data;
  const { tenant: written = {} } = given;
  let tenant: Readonly<Record<string, unknown>>;
  try {
    tenant = fixtures.resolve('tenants', written);
  } catch {
    return data;
  }
  return { ...data, given: { ...given, tenant: mergePatch({ settings }, tenant) } };
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
