import { writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName, endSentence } from '../../core/nearest-name.ts';
import { rulesetOperators } from '../../generate/own/operator-names.ts';
import { journeyYaml } from '../../generate/own/own-journey.ts';
import {
  listRulesetMutants,
  type RulesetMutant,
  type RulesetMutantResult,
  testRulesetMutants,
} from '../../generate/own/ruleset-mutants.ts';
import { RulesetRegistry } from '../../journal/ruleset-registry.ts';
import { loadRuleset } from '../../scenario/rulesets/load-rulesets.ts';
import { isRulesetFile } from '../../scenario/rulesets/ruleset-file.ts';
import { readRulesetFile } from '../../scenario/rulesets/ruleset-text.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { countingProgress } from '../counting-progress.ts';
import { makeFolder } from '../make-folder.ts';
import { openRulesets } from '../open-rulesets.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { locateSuite } from '../run/locate-suite.ts';
import { SuiteReader } from '../run/read-suite.ts';
import type { MutateArguments } from './mutate-options.ts';

/** Number of seeded journeys that search for a difference between a ruleset and a mutant. */
const journeysMax = 400;

/**
 * Measures the scenarios of a ruleset file with the mutants of its data. Returns 1 if they kill too few of those that
 * are not equivalent. Throws `usage-invalid`, `ruleset-invalid` and `scenario-invalid`.
 */
export async function mutateRuleset(file: string, args: MutateArguments, context: CommandContext): Promise<ExitCode> {
  if (!isRulesetFile(file)) {
    const problems = [
      { location: '--ruleset', message: `"${file}" is not a file that ends with .ruleset.yaml or .ruleset.json` },
    ];
    throw new NudgeLabError('usage-invalid', { problems });
  }
  const elapsedMs = context.clock.stopwatch();
  const path = resolve(context.cwd, file);
  const { ruleset, base } = loadRuleset(path, new RulesetRegistry(), context.cwd);
  if (base !== 'own') {
    throw new NudgeLabError('usage-invalid', {
      message: `${file} has the base registration-campaign. Run \`nudgelab mutate\` without --ruleset, which changes these rules.`,
    });
  }
  const { data } = readRulesetFile(path, file);
  const mutants = chooseRulesetMutants(listRulesetMutants(data ?? {}, ruleset, file), args);
  const scenarios = (await readScenarios(args, context)).filter(({ own }) => own?.ruleset.digest === ruleset.digest);
  if (scenarios.length === 0) {
    throw new NudgeLabError('usage-invalid', { message: `No scenario names ${file}. Check the paths.` });
  }
  const budgetMs = args.timeLimit ?? Number.POSITIVE_INFINITY;
  const progress = countingProgress(context, args.color);
  const { results, complete } = testRulesetMutants(ruleset, mutants, scenarios, {
    journeys: journeysMax,
    decide: !args.skipEquivalence,
    canContinue: () => elapsedMs() < budgetMs,
    onProgress: (done, total) => progress.show(`${done}/${total} mutants`, done === total),
  });
  progress.clear();
  const files =
    args.out === null ? new Map<string, string>() : writeKillers(results, ruleset, path, args.out, context.cwd);
  const summary = countResults(results);
  const report = { results, summary, files, complete, scenarios: scenarios.length, elapsedMs: Math.round(elapsedMs()) };
  if (args.json) printJson(context.stdout, mutantsJson(report));
  else {
    const palette = paletteFor(context.stdout, context, args.color);
    print(context.stdout, mutantsLines(report, palette), (lines) => lines);
  }
  return summary.score * 100 >= args.threshold && complete && summary.undecided === 0 ? 0 : 1;
}

async function readScenarios(args: MutateArguments, context: CommandContext): Promise<readonly Scenario[]> {
  const config = await loadConfig(args.config, context.cwd);
  const rulesets = await openRulesets(args, config, context.cwd);
  const suite = await new SuiteReader(locateSuite(args.operands, config, context.cwd), context, rulesets).read();
  if (suite.problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems: suite.problems });
  return suite.scenarios;
}

/** Selects mutants. Throws `usage-invalid` for an unknown operator, or if no mutant matches. */
function chooseRulesetMutants(
  all: readonly RulesetMutant[],
  { operator, filter }: Pick<MutateArguments, 'operator' | 'filter'>,
): readonly RulesetMutant[] {
  const unknown = operator.find((name) => !Object.hasOwn(rulesetOperators, name));
  if (unknown !== undefined) {
    const message = endSentence(describeUnknownName(unknown, Object.keys(rulesetOperators)));
    throw new NudgeLabError('usage-invalid', { message });
  }
  const mutants = all
    .filter((mutant) => operator.length === 0 || operator.includes(mutant.operator))
    .filter(({ id }) => filter === null || id.toLowerCase().includes(filter.toLowerCase()));
  if (mutants.length > 0) return mutants;
  throw new NudgeLabError('usage-invalid', { message: 'No mutant matches the options. Relax --operator or --filter.' });
}

/** Counts of mutants by verdict, with the share of the killable ones that are killed. */
interface MutantCounts {
  readonly mutants: number;
  readonly killed: number;
  readonly survived: number;
  readonly equivalent: number;
  readonly undecided: number;
  readonly score: number;
}

function countResults(results: readonly RulesetMutantResult[]): MutantCounts {
  const count = (verdict: RulesetMutantResult['verdict']): number =>
    results.filter((result) => result.verdict === verdict).length;
  const [killed, survived, undecided] = [count('killed'), count('survived'), count('undecided')];
  const killable = killed + survived + undecided;
  return {
    mutants: results.length,
    killed,
    survived,
    equivalent: count('equivalent'),
    undecided,
    score: killable === 0 ? 1 : killed / killable,
  };
}

interface MutantsReport {
  readonly results: readonly RulesetMutantResult[];
  readonly summary: MutantCounts;
  readonly files: ReadonlyMap<string, string>;
  readonly complete: boolean;
  readonly scenarios: number;
  readonly elapsedMs: number;
}

function mutantsJson({ results, summary, files, complete, scenarios, elapsedMs }: MutantsReport): object {
  return {
    complete,
    scenarios,
    summary,
    mutants: results.map(({ mutant, verdict, killedBy, killer, message }) => ({
      id: mutant.id,
      operator: mutant.operator,
      place: mutant.place,
      verdict,
      ...(killedBy === null ? {} : { killedBy }),
      ...(killer === null ? {} : { killer: { given: Object.fromEntries(killer.given), steps: killer.steps } }),
      ...(files.has(mutant.id) ? { file: files.get(mutant.id) } : {}),
      ...(message === null ? {} : { message }),
    })),
    elapsedMs,
  };
}

function mutantsLines(
  { results, summary, files, complete, scenarios, elapsedMs }: MutantsReport,
  { strong, bad, faint }: ReturnType<typeof paletteFor>,
): readonly string[] {
  const open = results.filter(({ verdict }) => verdict === 'survived' || verdict === 'undecided');
  const { mutants, killed, survived, equivalent, undecided, score } = summary;
  // The score is rounded down, so 100% means all mutants.
  const percent = `${Math.floor(score * 1_000) / 10} %`;
  return [
    ...open.flatMap(({ mutant, verdict, killer, message }) => [
      `${bad(verdict.toUpperCase())} ${mutant.id}  ${faint(rulesetOperators[mutant.operator])}`,
      ...(killer === null
        ? []
        : [`  given ${JSON.stringify(Object.fromEntries(killer.given))}, a journey that kills it:`]),
      ...(killer?.steps ?? []).map((step, index) => `    ${index + 1}. ${JSON.stringify(step)}`),
      ...(message === null ? [] : [`  ${message}`]),
      ...(files.has(mutant.id) ? [`  written to ${files.get(mutant.id)}`] : []),
    ]),
    `${strong(`mutation score ${percent}`)}: ${mutants} mutants: ${killed} killed, ${survived} survived, ${equivalent} equivalent, ${undecided} undecided; ${scenarios} scenarios, ${elapsedMs} ms`,
    ...(complete ? [] : [bad('incomplete: the time limit was reached before all mutants were classified')]),
  ];
}

/** Writes a scenario for each journey that kills a survivor. Returns the file of each survivor. */
function writeKillers(
  results: readonly RulesetMutantResult[],
  ruleset: Parameters<typeof journeyYaml>[0],
  rulesetPath: string,
  folder: string,
  cwd: string,
): Map<string, string> {
  const target = resolve(cwd, folder);
  makeFolder(target);
  const files = new Map<string, string>();
  for (const { mutant, killer } of results) {
    if (killer === null) continue;
    const path = join(target, `mutant-${files.size + 1}.yaml`);
    const named = { ...killer, name: `Kills the mutant ${mutant.id}` };
    const from = relative(target, rulesetPath);
    const relativePath = from.startsWith('.') ? from : `./${from}`;
    writeFileSync(path, journeyYaml(ruleset, named, relativePath));
    files.set(mutant.id, relative(cwd, path));
  }
  return files;
}
