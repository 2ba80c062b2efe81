import type { CompiledEvaluator } from './compiled-evaluator.ts';
import type { FactRows } from './fact-rows.ts';

/** How often each verdict came out, by its code. */
export type VerdictCounts = Float64Array;

/**
 * Evaluates every combination of a compiled evaluator's space. Takes the evaluator and, where every single verdict is wanted, bytes to
 * write the codes to, in the order of the combinations' numbers. Returns the counts by code. Where only those are wanted, values
 * of an axis between which no table tells a difference are evaluated once and counted as many times as there are.
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

/** A table's row as a running sum over the values of the axes. */
interface RunningRow {
  readonly rows: FactRows;
  /** What a value of each axis adds, but for the last axis. */
  readonly adds: readonly (Uint32Array | null)[];
  /** What the axes before each one add. */
  readonly sums: Uint32Array;
  /** What a value of the last axis adds; `null` where it adds nothing. */
  readonly last: Uint32Array | null;
}

interface RunningTable {
  readonly running: RunningRow;
  readonly codes: Uint8Array;
  /** The last axis that its row depends on; -1 where it depends on none. */
  readonly lastAxis: number;
}

interface RunningDerived {
  readonly running: RunningRow;
  readonly classOf: Uint32Array;
  /** The class for each value of the last axis. */
  readonly classes: Uint32Array;
  /** The sum that the classes were found for. */
  base: number;
}

const undecided = 255;

/** Values of an axis that are evaluated, each for those that no table tells from it. */
interface WalkedAxis {
  /** How many values the axis has in all. */
  readonly total: number;
  readonly values: readonly number[];
  /** For how many values each one stands. */
  readonly weights: readonly number[];
}

/** The axes to walk. Takes the evaluator, and whether values that are alike are taken together. */
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
 * Walks all values of the last axis at once, and counts through the other axes. Where the first gate that stops, and all gates
 * before it, look at the first axes alone, it goes on from those: the combinations between have the same verdict.
 */
class Walk {
  readonly #axes: readonly WalkedAxis[];
  readonly #sizes: readonly number[];
  /** For how many combinations the values before each axis stand. */
  readonly #weights: Float64Array;
  readonly #places: number[];
  readonly #derived: readonly RunningDerived[];
  readonly #gates: readonly RunningTable[];
  readonly #prompts: RunningTable;
  readonly #codes: Uint8Array;
  /** The axis to count on from: what comes after it makes no difference. */
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
   * The codes of the combinations with each value of the last axis, in an array that is used again, and how many blocks of
   * them in a row are alike.
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

  /** For how many values of the last axis one of those that are walked stands. */
  lastWeight(value: number): number {
    return this.#axes.at(-1)?.weights[value] ?? 1;
  }

  /** Goes on to the next value of the axis before the last. Returns false at the end. */
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

  /** Writes what a table says where nothing is decided yet; `passes` decides nothing. Returns how many it decided. */
  #decide(table: RunningTable, passes: number): number {
    const base = this.#baseOf(table.running);
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

  /** The part of a row that is the same for all values of the last axis. */
  #baseOf({ rows, sums }: RunningRow): number {
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

  /** Blocks of the last axis that have these verdicts: those with the same values up to the axis that settles it. */
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

  /** Sums again from an axis on. */
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

/** Finds the classes again where what they depend on has changed. */
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
