import type { CompiledEvaluator } from './compiled-evaluator.ts';
import type { FactRows } from './fact-rows.ts';

/** Number of occurrences of each verdict, by its code. */
export type VerdictCounts = Float64Array;

/**
 * Evaluates every combination of a compiled evaluator's space. If only counts are needed, values of an axis that no
 * table distinguishes are evaluated once and weighted.
 * @param evaluator - compiled evaluator
 * @param verdicts - output array for the codes in the order of the combination numbers, if each verdict is needed
 * @returns the number of combinations by code
 */
export function evaluateAll(evaluator: CompiledEvaluator, verdicts?: Uint8Array): VerdictCounts {
  const counts = new Float64Array(evaluator.codes.length);
  const walk = new Walk(evaluator, verdicts === undefined);
  let number = 0;
  do {
    const { codes, alike } = walk.verdicts();
    for (let value = 0; value < codes.length; value += 1) {
      const code = codes[value] ?? 0;
      counts[code] = (counts[code] ?? 0) + alike * walk.lastWeight(value);
    }
    if (alike === 1) verdicts?.set(codes, number);
    else verdicts?.fill(codes[0] ?? 0, number, number + alike * codes.length);
    number += alike * codes.length;
  } while (walk.next());
  return counts;
}

/** Row number of a table as a running sum over the axis values. */
interface RunningRow {
  readonly rows: FactRows;
  /** Amounts that the values of each axis except the last one add. */
  readonly adds: readonly (Uint32Array | null)[];
  /** Sum of the amounts from all axes before each axis. */
  readonly sums: Uint32Array;
  /** Amounts that the values of the last axis add; `null` if it adds none. */
  readonly last: Uint32Array | null;
}

interface RunningTable {
  readonly running: RunningRow;
  readonly codes: Uint8Array;
  /** Index of the last axis that the row depends on; -1 if it depends on none. */
  readonly lastAxis: number;
}

interface RunningDerived {
  readonly running: RunningRow;
  readonly classOf: Uint32Array;
  /** Class of each value of the last axis. */
  readonly classes: Uint32Array;
  /** Sum for which the classes were computed. */
  base: number;
}

const undecided = 255;

/** Evaluated values of an axis. Each one represents all values that no table distinguishes from it. */
interface WalkedAxis {
  /** Number of all values of the axis. */
  readonly total: number;
  readonly values: readonly number[];
  /** Number of values that each evaluated value represents. */
  readonly weights: readonly number[];
}

/** Lists the axes to iterate over. `together` groups values that no table distinguishes. */
function walkedAxes({ space, derived, gates, prompts }: CompiledEvaluator, together: boolean): readonly WalkedAxis[] {
  const tables = [...derived, ...gates, prompts].map(({ rows }) => rows);
  return space.axes.map(({ values }, axis) => {
    const parts = tables.flatMap((rows) => rows.axes.filter(({ of }) => of === axis));
    const kinds = new Map<string, number[]>();
    values.forEach((_, value) => {
      const key = together ? parts.map(({ rowOf }) => rowOf[value]).join() : String(value);
      const alike = kinds.get(key) ?? [];
      kinds.set(key, alike);
      alike.push(value);
    });
    const all = [...kinds.values()];
    return { total: values.length, values: all.map(([first = 0]) => first), weights: all.map(({ length }) => length) };
  });
}

/**
 * Iterates over the combinations, with all values of the last axis at once. If the stopping gates depend only on
 * the first axes, it skips the combinations between them, because their verdicts are identical.
 */
class Walk {
  readonly #axes: readonly WalkedAxis[];
  readonly #sizes: readonly number[];
  /** Number of combinations that the values before each axis represent. */
  readonly #weights: Float64Array;
  readonly #places: number[];
  readonly #derived: readonly RunningDerived[];
  readonly #gates: readonly RunningTable[];
  readonly #prompts: RunningTable;
  readonly #codes: Uint8Array;
  /** Index of the axis to increment next. Later axes do not affect the verdicts. */
  #settledBy = 0;

  constructor(evaluator: CompiledEvaluator, together: boolean) {
    this.#axes = walkedAxes(evaluator, together);
    this.#sizes = this.#axes.map(({ values }) => values.length);
    this.#weights = new Float64Array(this.#sizes.length + 1).fill(1);
    this.#places = this.#sizes.map(() => 0);
    this.#codes = new Uint8Array(this.#sizes.at(-1) ?? 1);
    this.#derived = evaluator.derived.map(({ rows, classOf }) => {
      return { running: this.#running(rows), classOf, classes: new Uint32Array(this.#codes.length), base: -1 };
    });
    this.#gates = evaluator.gates.map(({ rows, stops }) => this.#table(rows, stops));
    this.#prompts = this.#table(evaluator.prompts.rows, Uint8Array.from(evaluator.prompts.answers));
    this.#sumFrom(0);
  }

  /**
   * Computes the codes for all values of the last axis, and the number of consecutive blocks with the same codes. The
   * array is reused by the next call.
   */
  verdicts(): { readonly codes: Uint8Array; readonly alike: number } {
    const codes = this.#codes.fill(undecided);
    const lastAxis = this.#sizes.length - 1;
    this.#settledBy = Math.max(0, lastAxis - 1);
    let reach = 0;
    let open = codes.length;
    for (const gate of this.#gates) {
      reach = Math.max(reach, gate.lastAxis);
      open -= this.#decide(gate, 0);
      if (open > 0) continue;
      if (reach < this.#settledBy) this.#settledBy = reach;
      return { codes, alike: this.#blocksAlike() };
    }
    this.#decide(this.#prompts, undecided);
    return { codes, alike: this.#blocksAlike() };
  }

  /** Returns the number of values of the last axis that an evaluated value represents. */
  lastWeight(value: number): number {
    return this.#axes.at(-1)?.weights[value] ?? 1;
  }

  /** Advances to the next combination of the axes before the last one. Returns `false` at the end. */
  next(): boolean {
    for (let axis = Math.min(this.#settledBy, this.#sizes.length - 2); axis >= 0; axis -= 1) {
      const place = (this.#places[axis] ?? 0) + 1;
      if (place < (this.#sizes[axis] ?? 1)) {
        this.#places[axis] = place;
        this.#sumFrom(axis);
        return true;
      }
      this.#places[axis] = 0;
    }
    return false;
  }

  /**
   * Writes the codes of a table for undecided values. The code `passes` leaves a value undecided. Returns the number
   * of decided values.
   */
  #decide(table: RunningTable, passes: number): number {
    const base = this.#computeBase(table.running);
    if (table.lastAxis < this.#sizes.length - 1) {
      const code = table.codes[base] ?? 0;
      return code === passes ? 0 : this.#fill(code);
    }
    const { last, rows } = table.running;
    const varying = rows.derived.flatMap(({ of, rowOf }) => {
      const derived = this.#derived[of];
      if (derived === undefined || derived.running.last === null) return [];
      classify(derived);
      return [{ rowOf, classes: derived.classes }];
    });
    const codes = this.#codes;
    let decided = 0;
    for (let value = 0; value < codes.length; value += 1) {
      if (codes[value] !== undecided) continue;
      let row = base + (last === null ? 0 : (last[value] as number));
      for (const { rowOf, classes } of varying) row += rowOf[classes[value] as number] as number;
      const code = table.codes[row] as number;
      if (code === passes) continue;
      codes[value] = code;
      decided += 1;
    }
    return decided;
  }

  #fill(code: number): number {
    let decided = 0;
    for (let value = 0; value < this.#codes.length; value += 1) {
      if (this.#codes[value] !== undecided) continue;
      this.#codes[value] = code;
      decided += 1;
    }
    return decided;
  }

  /** Computes the part of a row number that is identical for all values of the last axis. */
  #computeBase({ rows, sums }: RunningRow): number {
    let base = sums[sums.length - 1] ?? 0;
    for (const { of, rowOf } of rows.derived) {
      const derived = this.#derived[of];
      if (derived === undefined || derived.running.last !== null) continue;
      base += rowOf[derived.classOf[derived.running.sums[sums.length - 1] ?? 0] ?? 0] ?? 0;
    }
    return base;
  }

  #table(rows: FactRows, codes: Uint8Array): RunningTable {
    const running = this.#running(rows);
    const derived = rows.derived.flatMap(({ of }) => this.#derived[of]?.running.rows.axes ?? []);
    return { running, codes, lastAxis: Math.max(-1, ...[...rows.axes, ...derived].map(({ of }) => of)) };
  }

  /** Counts the blocks with these verdicts, which have the same values up to the deciding axis. */
  #blocksAlike(): number {
    const after = this.#axes.slice(this.#settledBy + 1, -1).reduce((all, { total }) => all * total, 1);
    return this.#axes.length < 2 ? 1 : after * (this.#weights[this.#settledBy + 1] ?? 1);
  }

  #running(rows: FactRows): RunningRow {
    const adds = this.#axes.map(({ values }, axis) => {
      const rowOf = rows.axes.find(({ of }) => of === axis)?.rowOf;
      return rowOf === undefined ? null : Uint32Array.from(values, (value) => rowOf[value] ?? 0);
    });
    return { rows, adds, sums: new Uint32Array(this.#sizes.length), last: adds.at(-1) ?? null };
  }

  /** Recomputes the sums, starting at an axis. */
  #sumFrom(axis: number): void {
    for (let at = axis; at < this.#axes.length; at += 1) {
      this.#weights[at + 1] = (this.#weights[at] ?? 1) * (this.#axes[at]?.weights[this.#places[at] ?? 0] ?? 1);
    }
    for (const { running } of this.#derived) sumFrom(running, axis, this.#places);
    for (const { running } of this.#gates) sumFrom(running, axis, this.#places);
    sumFrom(this.#prompts.running, axis, this.#places);
  }
}

function sumFrom({ adds, sums }: RunningRow, axis: number, places: readonly number[]): void {
  for (let at = axis; at + 1 < sums.length; at += 1) {
    sums[at + 1] = (sums[at] ?? 0) + (adds[at]?.[places[at] ?? 0] ?? 0);
  }
}

/** Recomputes the classes if their inputs have changed. */
function classify(derived: RunningDerived | undefined): void {
  if (derived === undefined) return;
  const { running, classOf, classes } = derived;
  const base = running.sums.at(-1) ?? 0;
  if (running.last === null || derived.base === base) return;
  derived.base = base;
  for (let value = 0; value < classes.length; value += 1) {
    classes[value] = classOf[base + (running.last[value] ?? 0)] ?? 0;
  }
}
