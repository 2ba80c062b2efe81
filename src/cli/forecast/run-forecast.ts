import { dirname, resolve } from 'node:path';
import type { Ruleset } from '../../../machines/vocabulary.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { isPlainObject, mergePatch } from '../../core/merge-patch.ts';
import type { CompiledForecast } from '../../forecast/compile-forecast.ts';
import { compileDescription, forecastReport } from '../../forecast/forecast.ts';
import { sweptDescriptions } from '../../forecast/policy-sweep.ts';
import { verifyKernel } from '../../forecast/verify.ts';
import type { LoadedRuleset, OwnLoadedRuleset, RulesetRegistry } from '../../journal/ruleset-registry.ts';
import { findDeclarations } from '../../journal/ruleset-registry.ts';
import { chosenSettings, refuseUnknownSettings } from '../../scenario/rulesets/ruleset-choice.ts';
import { isRulesetFile } from '../../scenario/rulesets/ruleset-file.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { loadNamed, openRulesets } from '../open-rulesets.ts';
import { analysisForecast } from './forecast-analyses.ts';
import type { ForecastArguments } from './forecast-options.ts';
import { printForecast } from './print-forecast.ts';
import { type DescriptionFile, parseDescription, readDescriptionFile } from './read-description.ts';
import { showProgress } from './show-progress.ts';
import { openSimulator, type Simulator } from './simulator.ts';
import { showTimeLine } from './time-line.ts';

/**
 * Forecasts the campaign of a described tenant. Returns 1 if `--verify` finds a difference. Throws `usage-invalid`,
 * `file-unreadable`, `forecast-invalid` and `forecast-too-large`.
 */
export async function runForecast(args: ForecastArguments, context: CommandContext): Promise<ExitCode> {
  const [path, ...more] = args.operands;
  if (args.fit !== null && path === undefined)
    return (await import('./fit-import.ts')).fitImport(args.fit, args, context);
  if (path === undefined || more.length > 0) {
    throw new NudgeLabError('usage-invalid', {
      message: 'Name one input file, or use --fit with a folder and no file.',
    });
  }
  const { users, days, seed } = args;
  const written = readDescriptionFile(path, context.cwd, { users, days, seed });
  const { file, own, fromFile } = await chooseRuleset(written, args, context);
  if (own !== null) return (await import('./run-own-forecast.ts')).runOwnForecast(file, own, args, context);
  if (args.engine !== null) {
    const problems = [{ location: '--engine', message: 'only the forecast of a ruleset file has a choice of engines' }];
    throw new NudgeLabError('usage-invalid', { problems });
  }
  const description = parseDescription(file);
  // An invalid sweep is reported before the forecast starts.
  if (args.sweep.length > 0) sweptDescriptions(description, args.sweep);
  const compile = (): CompiledForecast => compileDescription(description, fromFile);
  if (args.user !== null) return showTimeLine(compile(), args.user, args, context);
  const simulator = openSimulator(args, context);
  try {
    return await forecastOnce(compile(), simulator, args, context);
  } finally {
    await simulator.close();
  }
}

/** Description with the id of its ruleset. */
interface ChosenFile {
  readonly file: DescriptionFile;
  /** Own ruleset; `null` for a registration campaign. */
  readonly own: OwnLoadedRuleset | null;
  /** Registration campaign of a file; `null` for a built-in one. */
  readonly fromFile: Ruleset | null;
}

/**
 * Finds the ruleset of a description: that of the option, else the one that the description names relative to itself,
 * else that of the configuration (OC34). Throws the errors of `openRulesets`.
 */
async function chooseRuleset(
  file: DescriptionFile,
  args: ForecastArguments,
  { cwd }: CommandContext,
): Promise<ChosenFile> {
  const rulesets = await openRulesets(args, await loadConfig(args.config, cwd), cwd);
  const named = isPlainObject(file.data) ? file.data['ruleset'] : undefined;
  // A wrong type or an unknown id is reported with its location in the file.
  const isOverridden = args.ruleset !== null || named === undefined;
  if (!isOverridden && typeof named !== 'string') return { file, own: null, fromFile: null };
  const chosen =
    typeof named === 'string' && !isOverridden
      ? await findNamed(named, file.path, rulesets.registry, cwd)
      : rulesets.chosen;
  refuseUnknownSettings(rulesets);
  if (chosen === null) return { file, own: null, fromFile: null };
  const settings = chosenSettings(rulesets, findDeclarations(chosen.id).settings);
  const data = isPlainObject(file.data) ? withSettings({ ...file.data, ruleset: chosen.id }, settings) : file.data;
  if (chosen.base === 'own') return { file: { ...file, data }, own: chosen, fromFile: null };
  return { file: { ...file, data }, own: null, fromFile: chosen.origin === 'built-in' ? null : chosen.ruleset };
}

/** Returns the ruleset that a description names by file or id; `null` for an unknown id. */
async function findNamed(
  named: string,
  descriptionPath: string,
  registry: RulesetRegistry,
  cwd: string,
): Promise<LoadedRuleset | null> {
  if (!isRulesetFile(named)) return registry.find(named) ?? null;
  return loadNamed(resolve(dirname(descriptionPath), named), 'ruleset', registry, cwd);
}

/** Returns a description with settings that its tenant does not set. */
function withSettings(
  data: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (Object.keys(settings).length === 0) return data;
  const { tenant = {} } = data;
  return { ...data, tenant: mergePatch({ settings }, tenant) };
}

async function forecastOnce(
  compiled: CompiledForecast,
  simulator: Simulator,
  args: ForecastArguments,
  context: CommandContext,
): Promise<ExitCode> {
  const { users, seed } = compiled.description;
  const seeds = Array.from({ length: args.seeds }, (_, place) => (seed + place) % 2 ** 32);
  const progress = showProgress(context, args.json);
  const budgetMs = args.timeLimit;
  const counts = await simulator.run(compiled, { users, seeds, budgetMs, onProgress: progress.show });
  const report = forecastReport(compiled, counts, users);
  const analyses = await analysisForecast(report, compiled.description, simulator, {
    ...args,
    fromFile: compiled.fromFile ?? null,
    onProgress: progress.show,
  });
  progress.end();
  const verification = args.verify === null ? null : verifyKernel(compiled, seed, users, args.verify);
  printForecast(report, analyses, verification, args, context);
  return verification?.difference ? 1 : 0;
}
