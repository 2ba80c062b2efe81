import type { CoveringProblem } from './covering-problem.ts';
import { galoisField } from './galois-field.ts';
import { binaryBound } from './lower-bound.ts';

/** Initial rows; -1 marks a value that the construction leaves open. */
export type OpenRows = readonly (readonly number[])[];

/** Maximum number of rows in a construction. */
const rowsMax = 20_000;
const orderMax = 32;

/**
 * Builds initial rows from known algebraic constructions, for a uniform strength without constraints. They cover all or
 * nearly all combinations in as few rows as are known.
 * @returns the rows; empty if no construction fits
 */
export function algebraicStarts(problem: CoveringProblem): readonly OpenRows[] {
  const { levels, interactions, restrictions, seeds } = problem;
  const strength = interactions[0]?.length ?? 0;
  if (restrictions.length > 0 || seeds.length > 0 || interactions.some((one) => one.length !== strength)) return [];
  if (strength < 2) return [];
  const allTwo = strength === 2 && levels.every((level) => level <= 2);
  return [...(allTwo ? [binaryRows(levels)] : []), ...orthogonalRows(levels, strength)];
}

/**
 * Builds the rows of Kleitman and Spencer: each parameter is a different subset of half the rows, and no subset
 * contains the first row.
 */
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
 * Builds an orthogonal array whose order is that of a finite field, from the values of all polynomials below a degree
 * (Bush). Rows in which one of the largest parameters would have a value out of range are left out, because each
 * combination of those parameters occurs in exactly one row. Parameters beyond the width of the array stay open.
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
