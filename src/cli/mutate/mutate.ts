import { NudgeLabError } from '../../core/errors.ts';
import { describeUnknownName, endSentence, findNearestName } from '../../core/nearest-name.ts';
import type { ModelMutant } from '../../generate/mutate/model-mutant.ts';
import { modelOperators } from '../../generate/mutate/model-mutant.ts';
import { modelMutants } from '../../generate/mutate/model-mutants.ts';
import { computeScore } from '../../generate/mutate/mutation-score.ts';
import { testMutants } from '../../generate/mutate/mutation-test.ts';
import { generatedScenarios, type OnWalked } from '../../generate/suites/generated-suite.ts';
import { FixtureLibrary } from '../../scenario/fixture-library.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import { shippedFixturesFolder } from '../../scenario/shipped.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { countingProgress } from '../counting-progress.ts';
import { openRulesets } from '../open-rulesets.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { locateSuite } from '../run/locate-suite.ts';
import { SuiteReader } from '../run/read-suite.ts';
import { mutateMachine } from './mutate-machine.ts';
import type { MutateArguments } from './mutate-options.ts';
import { mutationJson, mutationText } from './mutation-text.ts';
import { writeKillers } from './write-killers.ts';

/**
 * Measures a suite with mutants. Returns 1 if the suite kills too few of the killable mutants, or if a scenario
 * fails on the unchanged model. Throws `usage-invalid` for an operator or a rule without mutants, and
 * `scenario-invalid` for a suite that cannot be loaded.
 */
export async function mutate(args: MutateArguments, context: CommandContext): Promise<ExitCode> {
  if (args.machine !== null) return mutateMachine(args.machine, args, context);
  if (args.ruleset !== null) return (await import('./mutate-ruleset.ts')).mutateRuleset(args.ruleset, args, context);
  const elapsedMs = context.clock.stopwatch();
  const mutants = chooseMutants(modelMutants(), args);
  const budgetMs = args.timeLimit ?? Number.POSITIVE_INFINITY;
  const progress = countingProgress(context, args.color);
  const suite = [
    ...(args.generated && args.operands.length === 0 ? [] : await writtenScenarios(args, context)),
    ...(args.generated
      ? await madeScenarios((done, total) => progress.show(`${done}/${total} tests generated`, done === total))
      : []),
  ];
  const { results, scenarios, failing, skipped, complete } = await testMutants(suite, mutants, {
    decide: !args.skipEquivalence,
    pairsMax: args.maxStatePairs,
    canContinue: () => elapsedMs() < budgetMs,
    onProgress: (done, total, what) => progress.show(`${done}/${total} mutants ${what}`, done === total),
  });
  progress.clear();
  const files = args.out === null ? new Map() : writeKillers(results, args.out, context.cwd);
  const report = { results, scenarios, failing, skipped, complete, files, elapsedMs: Math.round(elapsedMs()) };
  const palette = paletteFor(context.stdout, context, args.color);
  // Scenario ids and file names come from the user, so they are escaped for the terminal.
  if (args.json) printJson(context.stdout, mutationJson(report));
  else
    print(context.stdout, { failing, skipped, files }, (visible) => mutationText({ ...report, ...visible }, palette));
  const enough = computeScore(results).score * 100 >= args.threshold;
  return enough && complete && failing.length === 0 ? 0 : 1;
}

async function writtenScenarios(args: MutateArguments, context: CommandContext): Promise<readonly Scenario[]> {
  const config = await loadConfig(args.config, context.cwd);
  const rulesets = await openRulesets(args, config, context.cwd);
  const suite = await new SuiteReader(locateSuite(args.operands, config, context.cwd), context, rulesets).read();
  if (suite.problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems: suite.problems });
  if (suite.scenarios.length === 0)
    throw new NudgeLabError('usage-invalid', { message: 'No scenarios were found. Check the paths.' });
  return suite.scenarios;
}

async function madeScenarios(onWalked: OnWalked): Promise<readonly Scenario[]> {
  return generatedScenarios(new FixtureLibrary([shippedFixturesFolder]), onWalked);
}

/** Selects mutants. Throws `usage-invalid` for an unknown operator, or if no mutant matches. */
export function chooseMutants(
  all: readonly ModelMutant[],
  { rule, operator, filter }: Pick<MutateArguments, 'rule' | 'operator' | 'filter'>,
): readonly ModelMutant[] {
  const unknown = operator.find((name) => !Object.hasOwn(modelOperators, name));
  if (unknown !== undefined) {
    throw new NudgeLabError('usage-invalid', {
      message: endSentence(describeUnknownName(unknown, Object.keys(modelOperators))),
    });
  }
  const mutants = all
    .filter(({ rules }) => rule.length === 0 || rules.some((id) => rule.includes(id)))
    .filter((mutant) => operator.length === 0 || operator.includes(mutant.operator))
    .filter(({ id }) => filter === null || id.toLowerCase().includes(filter.toLowerCase()));
  if (mutants.length === 0) {
    const known = [...new Set(all.flatMap(({ rules }) => rules))];
    const nearest = rule.filter((id) => !known.includes(id)).map((id) => findNearestName(id, known));
    const hint = nearest.flatMap((id) => (id === null ? [] : ` Did you mean --rule ${id}?`)).join('');
    throw new NudgeLabError('usage-invalid', {
      message: `No mutant matches the options. Relax --rule, --operator or --filter.${hint}`,
    });
  }
  return mutants;
}
