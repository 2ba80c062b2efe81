import type {
  CoveringArray,
  CoveringArrayOptions,
  TestRow,
} from '../../../src/generate/covering-arrays/array-options.ts';

/**
 * Verifies a covering array by exhaustive enumeration, without code of the generator. Lists all rows, removes those
 * that violate a constraint, and derives the possible combinations from the others.
 */
export class ArrayChecker {
  readonly #options: CoveringArrayOptions;
  /** Rows that meet all constraints. */
  readonly allowed: readonly TestRow[];

  constructor(options: CoveringArrayOptions) {
    this.#options = options;
    let rows: TestRow[] = [{}];
    for (const { name, values } of options.factors) {
      rows = rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value })));
    }
    this.allowed = rows.filter((row) => this.#isAllowed(row));
  }

  /** Returns the faults of an array as sentences. */
  faults(array: CoveringArray): readonly string[] {
    const faults: string[] = [];
    const possible = new Set(this.#wanted().flatMap((names) => this.allowed.map((row) => tupleKey(row, names))));
    const covered = new Set(this.#wanted().flatMap((names) => array.rows.map((row) => tupleKey(row, names))));
    const allowed = new Set(this.allowed.map((row) => tupleKey(row, this.#names())));
    for (const row of array.rows) {
      if (!allowed.has(tupleKey(row, this.#names()))) faults.push(`not a row: ${JSON.stringify(row)}`);
    }
    const missing = [...possible].filter((key) => !covered.has(key));
    if (array.complete && missing.length > 0) faults.push(`missing: ${missing.slice(0, 3).join(' ')}`);
    if (array.size !== array.rows.length) faults.push('the size is not the number of rows');
    if (array.lowerBound > array.size && array.complete) faults.push('the bound is above the size');
    (this.#options.seeds ?? []).forEach((seed, at) => {
      const row = array.rows[at];
      const stands = Object.entries(seed).every(
        ([name, value]) => JSON.stringify(row?.[name]) === JSON.stringify(value),
      );
      if (!stands) faults.push(`seed ${at} does not stand in its row`);
    });
    for (const tuple of array.impossible) {
      if (possible.has(tupleKey(tuple, Object.keys(tuple)))) faults.push(`possible: ${JSON.stringify(tuple)}`);
    }
    if ((this.#options.mixed ?? []).length > 0) return faults;
    const all = this.#wanted().reduce((sum, names) => sum + this.#computeProduct(names), 0);
    if (array.tuples !== possible.size) faults.push(`${array.tuples} tuples; there are ${possible.size}`);
    if (array.impossible.length !== all - possible.size) faults.push('the impossible ones are not all named');
    return faults;
  }

  /** Returns the number of possible combinations, and the combinations that each allowed row contains. */
  cover(): { readonly possible: number; readonly has: readonly (readonly number[])[] } {
    const numbers = new Map<string, number>();
    const has = this.allowed.map((row) =>
      this.#wanted().map((names) => {
        const key = tupleKey(row, names);
        const number = numbers.get(key) ?? numbers.size;
        numbers.set(key, number);
        return number;
      }),
    );
    return { possible: numbers.size, has };
  }

  #names(): readonly string[] {
    return this.#options.factors.map(({ name }) => name);
  }

  #computeProduct(names: readonly string[]): number {
    return names.reduce(
      (all, name) => all * (this.#options.factors.find((one) => one.name === name)?.values.length ?? 0),
      1,
    );
  }

  #wanted(): readonly (readonly string[])[] {
    const { strength = 2, mixed = [] } = this.#options;
    return [...subsets(this.#names(), strength), ...mixed.flatMap((one) => subsets(one.factors, one.strength))];
  }

  #isAllowed(row: TestRow): boolean {
    const { constraints = [], forbidden = [] } = this.#options;
    const breaks = forbidden.some((part) =>
      Object.entries(part).every(([name, value]) => JSON.stringify(row[name]) === JSON.stringify(value)),
    );
    return !breaks && constraints.every(({ holds }) => holds(row));
  }
}

/**
 * Computes the minimum number of rows that cover all combinations by trying all selections. Suitable only for a few
 * rows and combinations.
 */
export function fewestRows({ possible, has }: ReturnType<ArrayChecker['cover']>): number {
  const masks = has.map((tuples) => tuples.reduce((mask, tuple) => mask | (1n << BigInt(tuple)), 0n));
  const full = (1n << BigInt(possible)) - 1n;
  const each = Math.max(...has.map((tuples) => new Set(tuples).size));
  const fits = (covered: bigint, rows: number): boolean => {
    if (covered === full) return true;
    if (rows === 0 || rows * each < bits(full & ~covered)) return false;
    let open = 0;
    while ((covered >> BigInt(open)) & 1n) open += 1;
    return masks.some((mask) => ((mask >> BigInt(open)) & 1n) === 1n && fits(covered | mask, rows - 1));
  };
  let rows = 0;
  while (!fits(0n, rows)) rows += 1;
  return rows;
}

function bits(mask: bigint): number {
  return mask.toString(2).replaceAll('0', '').length;
}

function tupleKey(row: TestRow, names: readonly string[]): string {
  return names
    .toSorted()
    .map((name) => `${name}=${JSON.stringify(row[name])}`)
    .join();
}

function subsets(names: readonly string[], size: number): readonly (readonly string[])[] {
  if (size === 0) return [[]];
  return names.flatMap((name, at) => subsets(names.slice(at + 1), size - 1).map((rest) => [name, ...rest]));
}
