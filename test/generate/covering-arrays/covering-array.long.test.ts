import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NudgeLabError } from '../../../src/core/errors.ts';
import type { CoveringArrayOptions, Parameter, TestRow } from '../../../src/generate/covering-arrays/array-options.ts';
import { coveringArray } from '../../../src/generate/covering-arrays/covering-array.ts';
import { expectAlways } from '../../machines/property.ts';
import { ArrayChecker, fewestRows } from './array-checker.ts';
import { parseParameters } from './parse-parameters.ts';

/** Models in the notation of the literature, with strength, maximum number of rows in fast mode, and lower bound. */
const known = [
  { model: '3^4', strength: 2, fast: 9, bound: 9 },
  { model: '3^13', strength: 2, fast: 17, bound: 10 },
  { model: '4^15 3^17 2^29', strength: 2, fast: 33, bound: 17 },
  { model: '4^1 3^39 2^35', strength: 2, fast: 24, bound: 12 },
  { model: '2^100', strength: 2, fast: 10, bound: 10 },
  { model: '10^20', strength: 2, fast: 190, bound: 101 },
  { model: '4 2 4 2 8 2 9 3 3 3 5 8', strength: 2, fast: 79, bound: 72 },
  { model: '4 2 4 2 8 2 9 3 3 3 5 8', strength: 3, fast: 579, bound: 576 },
  { model: '2^7', strength: 4, fast: 32, bound: 16 },
  { model: '5', strength: 1, fast: 5, bound: 5 },
  { model: '1 1', strength: 2, fast: 1, bound: 1 },
] as const;

/** Counts the value combinations that no row contains. Used for models that are too large for the checker. */
function missing(rows: readonly TestRow[], factors: readonly Parameter[], strength: number): number {
  const sets = (from: number, size: number): readonly (readonly Parameter[])[] =>
    size === 0
      ? [[]]
      : factors.slice(from).flatMap((factor, at) => sets(from + at + 1, size - 1).map((rest) => [factor, ...rest]));
  return sets(0, strength).reduce((sum, set) => {
    const seen = new Set(rows.map((row) => set.map(({ name }) => JSON.stringify(row[name])).join()));
    return sum + set.reduce((all, { values }) => all * values.length, 1) - seen.size;
  }, 0);
}

test.for(known)(
  'array $model at strength $strength: the fast mode covers all combinations with at most $fast rows',
  (row) => {
    const factors = parseParameters(row.model);
    const array = coveringArray({ factors, strength: row.strength });
    expect(missing(array.rows, factors, row.strength)).toBe(0);
    expect(array).toMatchObject({ complete: true, lowerBound: row.bound, uncovered: [], impossible: [] });
    expect(array.covered).toBe(array.tuples);
    expect(array.size).toBeLessThanOrEqual(row.fast);
    expect(array.optimal).toBe(array.size === row.bound);
  },
);

test('array: the checker reports a missing row and a changed cell of a minimal array', () => {
  const factors = parseParameters('3^4');
  const array = coveringArray({ factors });
  const checker = new ArrayChecker({ factors });
  expect(checker.faults(array)).toEqual([]);
  expect(checker.faults({ ...array, rows: array.rows.slice(1), size: 8 })).not.toEqual([]);
  const [first = {}, ...rest] = array.rows;
  expect(checker.faults({ ...array, rows: [{ ...first, f0: 'other' }, ...rest] })).not.toEqual([]);
  expect(checker.faults({ ...array, impossible: [{ f0: 0, f1: 0 }] })).not.toEqual([]);
});

/** Small problems: parameters with few values, some forbidden pairs or triples, and optional required rows. */
const problems: fc.Arbitrary<CoveringArrayOptions> = fc
  .record({
    levels: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 5 }),
    strength: fc.integer({ min: 1, max: 3 }),
    tables: fc.array(fc.record({ at: fc.nat(), other: fc.nat(), mask: fc.nat({ max: 65_535 }) }), { maxLength: 3 }),
    parts: fc.array(fc.array(fc.option(fc.nat({ max: 3 }), { freq: 2 }), { minLength: 5, maxLength: 5 }), {
      maxLength: 3,
    }),
    seeds: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 2 }),
    mixed: fc.boolean(),
    mode: fc.constant('fast' as const),
    seed: fc.nat(),
  })
  .map(({ levels, strength, tables, parts, seeds, mixed, ...rest }) => {
    const factors = levels.map((count, at) => ({
      name: `f${at}`,
      values: Array.from({ length: count }, (_, value) => ({ value })),
    }));
    const valueAt = (row: TestRow, name: string) => (row[name] as { readonly value: number }).value;
    const constraints = tables.map(({ at, other, mask }, index) => {
      const names = [...new Set([at, other].map((place) => `f${place % levels.length}`))];
      const holds = (row: TestRow) =>
        ((mask >> names.reduce((sum, name) => sum * 4 + valueAt(row, name), 0)) & 1) === 1;
      return { name: `table ${index}`, factors: names, holds };
    });
    const forbidden = parts
      .map((part) =>
        Object.fromEntries(
          part.flatMap((value, at) =>
            value !== null && value < (levels[at] ?? 0) ? [[`f${at}`, { value }] as const] : [],
          ),
        ),
      )
      .filter((part) => Object.keys(part).length > 0);
    const options = {
      ...rest,
      factors,
      strength: Math.min(strength, levels.length),
      constraints,
      forbidden,
      mixed: mixed && levels.length > 2 ? [{ factors: ['f0', 'f1', 'f2'], strength: 3 }] : [],
    };
    const { allowed } = new ArrayChecker(options);
    const rows =
      allowed.length === 0 ? [] : seeds.map(([at, left]) => takePart(allowed[at % allowed.length] ?? {}, left));
    return { ...options, seeds: rows };
  });

/** Returns a row without some of its values. */
function takePart(row: TestRow, left: number): TestRow {
  return Object.fromEntries(Object.entries(row).filter((_, at) => ((left >> at) & 1) === 0));
}

test('array: random constrained problems are covered according to the checker, or have no valid row', () => {
  expectAlways(
    problems,
    (options) => {
      const checker = new ArrayChecker(options);
      try {
        const array = coveringArray(options);
        return array.complete && checker.faults(array).length === 0;
      } catch (error) {
        return (
          error instanceof NudgeLabError && error.code === 'constraints-unsatisfiable' && checker.allowed.length === 0
        );
      }
    },
    400,
  );
});

test('array: on tiny problems, the lower bound does not exceed the optimum, and the optimal mode finds the optimum', {
  timeout: 60_000,
}, () => {
  const tiny = problems.filter(({ factors, seeds = [] }) => factors.length <= 3 && seeds.length === 0);
  expectAlways(
    tiny.map((options) => ({
      ...options,
      factors: options.factors.map(({ name, values }) => ({ name, values: values.slice(0, 3) })),
      forbidden: [],
      mixed: [],
      strength: Math.min(2, options.factors.length),
    })),
    (options) => {
      const checker = new ArrayChecker(options);
      if (checker.allowed.length === 0) return true;
      const array = coveringArray({ ...options, mode: 'optimal', budgetMs: 300 });
      const fewest = fewestRows(checker.cover());
      return array.lowerBound <= fewest && array.size === fewest;
    },
    60,
  );
});

describe('reproducible covering arrays', () => {
  const options = { factors: parseParameters('4^3 3^4 2^5'), strength: 2, seed: 7 };

  test.for(['fast', 'optimal'] as const)('array: every run in %s mode returns the same bytes', (mode) => {
    const [one, other] = [1, 2].map(() => JSON.stringify(coveringArray({ ...options, mode })));
    expect(one).toBe(other);
  });

  test('array: each random seed returns different rows with the same lower bound', () => {
    const arrays = [1, 2, 3].map((seed) => coveringArray({ ...options, seed }));
    expect(new Set(arrays.map((array) => JSON.stringify(array.rows))).size).toBe(3);
    expect(new Set(arrays.map(({ lowerBound }) => lowerBound))).toEqual(new Set([16]));
  });
});

test('array: required rows come first in the given order, and their missing values are filled', () => {
  const factors = parseParameters('3^3 2^2');
  const seeds = [
    { f0: 2, f1: 2, f2: 2, f3: 1, f4: 1 },
    { f0: 0, f4: 1 },
    { f0: 2, f1: 2, f2: 2, f3: 1, f4: 1 },
  ];
  const array = coveringArray({ factors, seeds, mode: 'optimal', budgetMs: 2_000 });
  expect(array.rows[0]).toEqual(seeds[0]);
  expect(array.rows[1]).toMatchObject({ f0: 0, f4: 1 });
  expect(array.rows[2]).toEqual(seeds[2]);
  // The third row repeats the first one and covers no new pair, which raises the lower bound from 9 to 10.
  expect(array.lowerBound).toBe(10);
  expect(new ArrayChecker({ factors, seeds }).faults(array)).toEqual([]);
});

test('array: parameters at a higher strength are fully combined, and the others are combined in pairs', () => {
  const factors = parseParameters('2^6 3^2');
  const mixed = [{ factors: ['f0', 'f1', 'f6', 'f7'], strength: 4 }];
  const array = coveringArray({ factors, mixed });
  expect(new ArrayChecker({ factors, mixed }).faults(array)).toEqual([]);
  expect(array).toMatchObject({ lowerBound: 36, complete: true });
  expect(array.size).toBeLessThan(40);
});

test('array: a time limit of 0 keeps the existing rows and lists the uncovered combinations', () => {
  const factors = parseParameters('6^12');
  const array = coveringArray({ factors, strength: 3, budgetMs: 0 });
  expect(array).toMatchObject({ complete: false, optimal: false, endedBy: 'clock' });
  expect(array.uncovered.length).toBeGreaterThan(0);
  expect(array.covered + array.uncovered.length).toBe(array.tuples);
  expect(new ArrayChecker({ factors: factors.slice(0, 2) }).allowed).toHaveLength(36);
  expect(missing(array.rows, factors, 3)).toBe(array.uncovered.length);
});
