import { formatCount } from '../../core/format-count.ts';
import { type Reduction, type ReductionCost, reduceSuite } from '../../generate/reduction/reduce-suite.ts';
import type { SuiteMatrix } from '../../generate/reduction/suite-matrix.ts';
import type { Palette } from '../../report/palette.ts';
import type { CommandContext, ExitCode } from '../context.ts';
import { paletteFor } from '../palette.ts';
import { print, printJson } from '../print.ts';
import { leftOutLines, measuredExitCode, measuredSuite, writeList } from './measured-suite.ts';
import type { ReduceArguments } from './reduce-options.ts';

/** Finds the scenarios that a suite needs to keep its coverage and its mutation score. Returns the exit code. */
export async function reduce(args: ReduceArguments, context: CommandContext): Promise<ExitCode> {
  const matrix = await measuredSuite(args, context);
  const reduction = reduceSuite(matrix, args.by);
  if (args.out !== null) writeList([...reduction.kept, ...matrix.failing], args.out, context.cwd);
  if (args.json) printJson(context.stdout, reductionJson(matrix, reduction, args.by));
  else {
    const palette = paletteFor(context.stdout, context, args.color);
    const { failing, unmeasured } = matrix;
    const visible = { failing, unmeasured, removable: reduction.removable, out: args.out };
    print(context.stdout, visible, (escaped) =>
      reductionText({ ...matrix, ...escaped }, { ...reduction, ...escaped }, args.by, escaped.out, palette),
    );
  }
  return measuredExitCode(matrix);
}

function reductionJson(matrix: SuiteMatrix, reduction: Reduction, by: ReductionCost): object {
  const { kept, removable, before, after, lowerBound } = reduction;
  return {
    complete: matrix.complete,
    by,
    before,
    after,
    lowerBound,
    minimal: after === lowerBound,
    ...countGoals(matrix),
    kept,
    removable,
    unmeasured: matrix.unmeasured,
    failing: matrix.failing,
  };
}

/** Counts the coverage points and mutants that the suite reaches. */
function countGoals({ goals }: SuiteMatrix): { readonly coveragePoints: number; readonly killedMutants: number } {
  const killedMutants = goals.filter(({ kind }) => kind === 'mutant').length;
  return { coveragePoints: goals.length - killedMutants, killedMutants };
}

function reductionText(
  matrix: SuiteMatrix,
  { removable, before, after, lowerBound }: Reduction,
  by: ReductionCost,
  out: string | null,
  { strong, good, bad, faint }: Palette,
): string {
  const { coveragePoints, killedMutants } = countGoals(matrix);
  const unit = by === 'scenarios' ? 'scenario' : 'step';
  const proof =
    after === lowerBound ? good('proven minimal') : `at least ${formatCount(lowerBound, unit)} are needed, as proven`;
  const lines = [
    ...(removable.length === 0 ? [] : [strong('Not needed'), ...removable.map((id) => `  ${id}`), '']),
    `${strong(`${formatCount(after, unit)} of ${before.toLocaleString('en-GB')} needed`)}: ${proof}`,
    `They cover the same ${formatCount(coveragePoints, 'point')} and kill the same ${formatCount(killedMutants, 'mutant')}.`,
    ...(matrix.unmeasured.length === 0
      ? []
      : [
          faint(`${formatCount(matrix.unmeasured.length, 'scenario')} that no mutant or driver can measure here: kept`),
        ]),
    ...leftOutLines(matrix).map(bad),
    ...(out === null ? [] : [`Run them with: nudgelab run --list ${out}`]),
  ];
  return `${lines.join('\n')}\n`;
}
