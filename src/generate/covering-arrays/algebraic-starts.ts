import type { CoveringProblem } from './covering-problem.ts';
import { galoisField } from './galois-field.ts';
import { binaryBound } from './lower-bound.ts';

/** Rows to begin with; -1 where the construction leaves a value open. */
export type OpenRows = readonly (readonly number[])[];

/** Rows that a construction may have. */
const rowsMax = 20_000;
const orderMax = 32;

/**
 * Rows from the theory of arrays, for one strength throughout and no restrictions: they cover all or nearly all combinations
 * with as few rows as are known. Takes the problem; returns none where no construction fits.
 */
export function algebraicStarts(problem: CoveringProblem): readonly OpenRows[] {
  const { levels, interactions, restrictions, seeds } = problem;
  const strength = interactions[0]?.length ?? 0;
  if (restrictions.length > 0 || seeds.length > 0 || interactions.some((one) => one.length !== strength)) return [];
  if (strength < 2) return [];
  const allTwo = strength === 2 && levels.every((level) => level <= 2);
  return [...(allTwo ? [binaryRows(levels)] : []), ...orthogonalRows(levels, strength)];
}

/** Kleitman and Spencer: every factor is a subset of half the rows, and all subsets lack the first row. */
function binaryRows(levels: readonly number[]): OpenRows {
  const size = binaryBound(levels.length);
  const half = Math.ceil(size / 2);
  const columns: (readonly number[])[] = [];
  const chosen: number[] = [];
  const choose = (from: number): void => {
    if (columns.length === levels.length) return;
    if (chosen.length === half) {
      columns.push([...chosen]);
      return;
    }
    for (let row = from; row < size; row += 1) {
      chosen.push(row);
      choose(row + 1);
      chosen.pop();
    }
  };
  choose(1);
  return Array.from({ length: size }, (_, row) =>
    levels.map((level, factor) => (level > 1 && columns[factor]?.includes(row) ? 1 : 0)),
  );
}

/**
 * An orthogonal array of a field's order, from the values of all polynomials below a degree (Bush), with the rows left out in
 * which one of the largest factors has a value too many: each combination of those stands in one row. Factors beyond those of
 * the array are open.
 */
function orthogonalRows(levels: readonly number[], strength: number): readonly OpenRows[] {
  const bySize = levels.map((_, factor) => factor).sort((a, b) => (levels[b] ?? 0) - (levels[a] ?? 0) || a - b);
  const largest = levels[bySize[0] ?? 0] ?? 0;
  const product = bySize.slice(0, strength).reduce((all, factor) => all * (levels[factor] ?? 1), 1);
  if (product > rowsMax) return [];
  for (let order = Math.max(2, largest); order <= orderMax && order ** strength <= rowsMax * 4; order += 1) {
    const field = galoisField(order);
    if (field === null) continue;
    const rows: (readonly number[])[] = [];
    for (let number = 0; number < order ** strength; number += 1) {
      const coefficients = Array.from({ length: strength }, (_, at) => Math.floor(number / order ** at) % order);
      const row = levels.map(() => -1);
      bySize.slice(0, order + 1).forEach((factor, column) => {
        const value =
          column === order
            ? (coefficients[strength - 1] ?? 0)
            : coefficients.reduceRight((sum, coefficient) => field.add(field.multiply(sum, column), coefficient), 0);
        row[factor] = value < (levels[factor] ?? 0) ? value : -1;
      });
      if (bySize.slice(0, strength).every((factor) => (row[factor] ?? -1) >= 0)) rows.push(row);
    }
    return [rows];
  }
  return [];
}
