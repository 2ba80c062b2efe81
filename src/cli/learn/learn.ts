import { type LearnResult, learn } from '../../learn/learn.ts';
import { areIsomorphic } from '../../learn/mealy/compare-machines.ts';
import { withInputs } from '../../learn/mealy/mealy-machine.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { countingProgress } from '../counting-progress.ts';
import { printJson } from '../print.ts';
import type { LearnArguments } from './learn-options.ts';
import { createReport, printReport } from './learn-report.ts';
import { type LearningTarget, openTarget } from './learning-target.ts';
import { writeLearned } from './write-learned.ts';

/** Default depth of the tests of a machine, which costs little for each query. */
const machineDepth = 1;

/**
 * Learns a system and compares it with the specification. Returns 1 for a difference, and if the budget ended.
 *
 * @throws NudgeLabError `usage-invalid`, `learning-alphabet-invalid`, `system-not-deterministic`, and those of drivers
 */
export async function learnSystem(args: LearnArguments, context: CommandContext): Promise<ExitCode> {
  const elapsedMs = context.clock.stopwatch();
  const target = await openTarget(args, context);
  try {
    const result = await runLearner(target, args, context, elapsedMs);
    const { specification } = target;
    const expected = specification === null ? null : withInputs(specification, target.system.inputs);
    const isIsomorphic = result.end === 'tests-passed' && expected !== null && areIsomorphic(result.machine, expected);
    const files = args.out === null ? null : await writeLearned(target, result, args.out, context);
    const report = createReport({ target, result, expected, isIsomorphic, files, elapsedMs: Math.round(elapsedMs()) });
    if (args.json) printJson(context.stdout, report);
    else printReport(report, args, context);
    return result.end === 'tests-passed' && (expected === null || isIsomorphic) ? 0 : 1;
  } finally {
    await target.close();
  }
}

async function runLearner(
  { system, specification, alphabet }: LearningTarget,
  args: LearnArguments,
  context: CommandContext,
  elapsedMs: () => number,
): Promise<LearnResult> {
  const progress = countingProgress(context, args.color);
  const budgetMs = args.timeLimit ?? Number.POSITIVE_INFINITY;
  const result = await learn(system, {
    reference: specification ?? undefined,
    depth: args.extraStates ?? (alphabet === null ? machineDepth : 0),
    randomTests: args.tests,
    seed: args.seed,
    resetCost: args.resetCost,
    queriesMax: args.maxQueries ?? undefined,
    canContinue: () => elapsedMs() < budgetMs,
    stopsAtDifference: args.first,
    onProgress: ({ queries, states }) => progress.show(`${queries} queries, ${states} states`),
  }).finally(() => progress.clear());
  return result;
}
