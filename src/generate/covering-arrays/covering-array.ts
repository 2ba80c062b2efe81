import { NudgeLabError, type ValidationProblem } from '../../core/errors.ts';
import type { CoveringArray, CoveringArrayOptions, TestRow, ValueCombination } from './array-options.ts';
import { ArraySearch } from './array-search.ts';
import { ConstraintSolver } from './constraint-solver.ts';
import { Coverage } from './coverage.ts';
import { type CoveringProblem, createCoveringProblem } from './covering-problem.ts';
import { Effort } from './effort.ts';
import { lowerBound } from './lower-bound.ts';
import { TupleSpace } from './tuple-space.ts';

/** Work limits of each mode in examined interactions: a base amount, and an amount per combination. */
const modes = {
  fast: { work: 2e7, workEach: 200 },
  optimal: { work: 1.5e9, workEach: 4_000 },
} as const;

/** Default time limit in milliseconds. */
const budgetDefaultMs = 60_000;

/** Maximum number of rows in a covering array. */
const rowsMax = 50_000;

/**
 * Generates rows that cover every combination of the requested strength that the constraints allow. The same options
 * give the same rows unless the time limit ends the search, which the result reports.
 * @throws `array-invalid` with the location of each invalid option, `constraints-unsatisfiable` with the constraints
 * that exclude every row, and `array-too-large`
 */
export function coveringArray(options: CoveringArrayOptions): CoveringArray {
  const { mode = 'fast', seed = 1, budgetMs = budgetDefaultMs, onProgress } = options;
  const effort = new Effort(budgetMs);
  const problem = createCoveringProblem(options);
  const rules = new ConstraintSolver(problem);
  assertPossible(problem, rules);
  const space = new TupleSpace(problem, rules);
  const bound = lowerBound(problem, space);
  if (bound > rowsMax) {
    throw new NudgeLabError('array-too-large', {
      message: `At least ${bound} rows are required; the maximum is ${rowsMax}. Lower the strength, or reduce the values of the largest parameters.`,
    });
  }
  const onBetter = (size: number) => onProgress?.({ size, lowerBound: bound });
  const search = new ArraySearch({ problem, space, rules, lowerBound: bound, seed, effort, onBetter });
  effort.allow(modes[mode].work + modes[mode].workEach * space.total);
  effort.look();
  search.first();
  if (mode === 'optimal') search.improve();
  return createResult(options, { problem, space, bound, search, effort });
}

interface Searched {
  readonly problem: CoveringProblem;
  readonly space: TupleSpace;
  readonly bound: number;
  readonly search: ArraySearch;
  readonly effort: Effort;
}

function createResult(
  options: CoveringArrayOptions,
  { problem, space, bound, search, effort }: Searched,
): CoveringArray {
  const { factors } = options;
  const { cells } = search;
  const width = factors.length;
  const named = (values: { readonly [place: number]: number }): TestRow =>
    Object.fromEntries(
      factors.flatMap(({ name, values: own }, place) => {
        const value = values[place] ?? -1;
        return value < 0 ? [] : [[name, own[value] ?? null] as const];
      }),
    );
  const toCombination = (tuple: number): ValueCombination => {
    const part = problem.levels.map(() => -1);
    space.write(tuple, part);
    return named(part);
  };
  const rows = Array.from({ length: cells.length / width }, (_, row) => {
    return named([...cells.subarray(row * width, (row + 1) * width)]);
  });
  const impossible: ValueCombination[] = [];
  if (space.impossibleCount > 0) space.each((tuple) => impossible.push(toCombination(tuple)), 'impossible');
  const complete = search.best !== null;
  const uncovered = complete ? [] : openTuples(space, cells).map(toCombination);
  const tuples = space.total - space.impossibleCount;
  return {
    rows,
    size: rows.length,
    lowerBound: bound,
    optimal: complete && rows.length === bound,
    complete,
    tuples,
    covered: tuples - uncovered.length,
    impossible,
    uncovered,
    endedBy: complete && rows.length === bound ? 'bound' : effort.cut ? 'clock' : 'work',
  };
}

function openTuples(space: TupleSpace, cells: Uint16Array): readonly number[] {
  const coverage = new Coverage(space);
  coverage.load(cells);
  return Array.from({ length: coverage.uncovered }, (_, at) => coverage.openTuple(at)).sort((a, b) => a - b);
}

/** Throws `constraints-unsatisfiable` if no row is possible or a required row is impossible. */
function assertPossible(problem: CoveringProblem, rules: ConstraintSolver): void {
  const open = problem.levels.map(() => -1);
  if (rules.complete(open) === null) {
    const names = contradiction(problem, open).map((name) => `"${name}"`);
    throw new NudgeLabError('constraints-unsatisfiable', {
      message: `No row satisfies ${names.join(' and ')}${names.length > 1 ? ' together' : ''}; remove or relax a constraint.`,
    });
  }
  const problems = problem.seeds.flatMap((row, at): readonly ValidationProblem[] => {
    if (rules.complete(row) !== null) return [];
    const names = contradiction(problem, row).map((name) => `"${name}"`);
    return [
      { location: `seeds.${at}`, message: `violates ${names.join(' and ')}; change the row or relax the constraints` },
    ];
  });
  if (problems.length > 0) throw new NudgeLabError('constraints-unsatisfiable', { problems });
}

/** Finds a minimal set of constraints that excludes every row: without any one of them, a row is possible. */
function contradiction({ levels, restrictions }: CoveringProblem, part: readonly number[]): readonly string[] {
  let needed = restrictions;
  for (const restriction of restrictions) {
    const without = needed.filter((one) => one !== restriction);
    if (new ConstraintSolver({ levels, restrictions: without }).complete(part) === null) needed = without;
  }
  return needed.map(({ name }) => name);
}
