import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { NudgeLabError } from '../../core/errors.ts';
import { modelMutants } from '../../generate/mutate/model-mutants.ts';
import { measureSuite, type SuiteMatrix } from '../../generate/reduction/suite-matrix.ts';
import { loadConfig } from '../config.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { countingProgress } from '../counting-progress.ts';
import { chooseMutants } from '../mutate/mutate.ts';
import { openRulesets } from '../open-rulesets.ts';
import { locateSuite } from '../run/locate-suite.ts';
import { SuiteReader } from '../run/read-suite.ts';
import type { MeasureArguments } from './reduce-options.ts';

/**
 * Reads the suite of a command line, and measures it.
 *
 * @throws `scenario-invalid` for a suite that cannot be loaded, `usage-invalid` for a rule without mutants and for a
 * suite without scenarios
 */
export async function measuredSuite(args: MeasureArguments, context: CommandContext): Promise<SuiteMatrix> {
  const elapsedMs = context.clock.stopwatch();
  const mutants = chooseMutants(modelMutants(), { rule: args.rule, operator: [], filter: null });
  const config = await loadConfig(args.config, context.cwd);
  const rulesets = await openRulesets(args, config, context.cwd);
  const suite = await new SuiteReader(locateSuite(args.operands, config, context.cwd), context, rulesets).read();
  if (suite.problems.length > 0) throw new NudgeLabError('scenario-invalid', { problems: suite.problems });
  if (suite.scenarios.length === 0) {
    throw new NudgeLabError('usage-invalid', { message: 'No scenarios were found. Check the paths.' });
  }
  const limitMs = args.timeLimit ?? Number.POSITIVE_INFINITY;
  const progress = countingProgress(context, args.color);
  const matrix = await measureSuite(suite.scenarios, mutants, {
    canContinue: () => elapsedMs() < limitMs,
    onProgress: (done, total) => progress.show(`${done}/${total} mutants run`, done === total),
  });
  progress.clear();
  return matrix;
}

/** Writes the ids of scenarios for `nudgelab run --list`. */
export function writeList(ids: readonly string[], file: string, cwd: string): void {
  try {
    writeFileSync(resolve(cwd, file), ids.map((id) => `${id}\n`).join(''));
  } catch (cause) {
    throw new NudgeLabError('usage-invalid', { message: `The list cannot be written to ${file}.`, cause });
  }
}

/** Returns 0 if everything was measured, and 1 if the time limit was reached or a scenario fails on the model. */
export function measuredExitCode({ complete, failing }: SuiteMatrix): ExitCode {
  return complete && failing.length === 0 ? 0 : 1;
}

/** Lines about scenarios and mutants that a result leaves out. */
export function leftOutLines({ complete, failing }: Pick<SuiteMatrix, 'complete' | 'failing'>): readonly string[] {
  return [
    ...failing.map((id) => `fails on the model itself, so it was left out: ${id}`),
    ...(complete ? [] : ['incomplete: the time limit was reached before all mutants were run']),
  ];
}
