import type { RandomSource } from '../../core/random.ts';
import type { ConstraintSolver } from './constraint-solver.ts';
import type { Coverage } from './coverage.ts';
import type { CoveringProblem } from './covering-problem.ts';
import { drawBelow, type Effort } from './effort.ts';

/** Minimum number of steps before a changed cell can change again; a random number of up to as many steps is added. */
const tenure = 4;
/** Maximum number of rows tried if no single-cell change covers a combination. */
const rewrittenRowsMax = 6;
/** Maximum number of single-cell changes that one step compares. */
const changesMax = 96;

/** Single-cell change that covers a combination. */
interface Change {
  readonly row: number;
  readonly factor: number;
  readonly value: number;
  readonly delta: number;
}

/**
 * Changes rows one cell at a time until every combination is covered, by tabu search. Each step selects an open
 * combination and the change that covers it and leaves the fewest open. A changed cell stays fixed for some steps.
 */
export class RowSearch {
  readonly coverage: Coverage;
  readonly #rules: ConstraintSolver;
  readonly #seeds: CoveringProblem['seeds'];
  readonly #draw: RandomSource;
  readonly #effort: Effort;
  #heldUntil = new Int32Array(0);
  /** Changes since the best rows, as alternating cell index and previous value. */
  readonly #sinceBest: number[] = [];
  /** Combination to cover: its parameters, and the value of each. */
  readonly #factors: number[] = [];
  readonly #wanted: Int32Array;
  #step = 0;

  constructor(
    coverage: Coverage,
    rules: ConstraintSolver,
    seeds: CoveringProblem['seeds'],
    { draw, effort }: { readonly draw: RandomSource; readonly effort: Effort },
  ) {
    this.coverage = coverage;
    this.#rules = rules;
    this.#seeds = seeds;
    this.#draw = draw;
    this.#effort = effort;
    this.#wanted = new Int32Array(coverage.factors);
  }

  /**
   * Searches until everything is covered, `patience` steps pass without improvement, or the work is used up. Returns
   * `true` if everything is covered; otherwise the rows are the best ones found.
   */
  cover(patience: number): boolean {
    const { coverage } = this;
    this.#heldUntil = new Int32Array(coverage.size * coverage.factors);
    this.#step = 0;
    this.#sinceBest.length = 0;
    let best = coverage.uncovered;
    let idle = 0;
    while (coverage.uncovered > 0 && idle < patience) {
      const before = coverage.work;
      this.#step += 1;
      idle += 1;
      this.#makeOne(best);
      if (coverage.uncovered < best) {
        best = coverage.uncovered;
        this.#sinceBest.length = 0;
        idle = 0;
      }
      if (this.#effort.spend(coverage.work - before + coverage.size)) break;
    }
    if (coverage.uncovered > best) this.#goBack();
    return coverage.uncovered === 0;
  }

  /** Appends a row with an open combination, and improves its cells to cover as many others as possible. */
  addRow(): void {
    const { coverage } = this;
    const before = coverage.work;
    const part = coverage.space.levels.map(() => -1);
    coverage.space.write(coverage.openTuple(drawBelow(this.#draw, coverage.uncovered)), part);
    const fixed = part.map((value) => value >= 0);
    const row = this.#rules.complete(part, (factor) => this.#anyValue(factor));
    if (row === null) throw new RangeError('A possible combination is not in any row.');
    coverage.push(row);
    this.climb(coverage.size - 1, fixed);
    this.#effort.spend(coverage.work - before);
  }

  /**
   * Sets the cells of a row, in random order, to the values that cover most. `fixed` marks parameters that stay
   * unchanged.
   */
  climb(row: number, fixed: readonly boolean[]): void {
    const { coverage } = this;
    const order = shuffled(
      fixed.flatMap((stays, factor) => (stays ? [] : [factor])),
      this.#draw,
    );
    for (const factor of order) {
      let best = 0;
      let to = -1;
      const levels = coverage.space.levels[factor] ?? 1;
      const first = drawBelow(this.#draw, levels);
      for (let step = 0; step < levels; step += 1) {
        const value = (first + step) % levels;
        if (!this.#mayBe(row, factor, value)) continue;
        const delta = coverage.delta(row, factor, value);
        if (delta < best) {
          best = delta;
          to = value;
        }
      }
      if (to >= 0) coverage.set(row, factor, to);
    }
  }

  /** Removes redundant rows, the last ones first. */
  dropIdle(): void {
    const { coverage } = this;
    for (let row = coverage.size - 1; row >= this.#seeds.length; row -= 1) {
      if (coverage.only(row) === 0) coverage.remove(row);
    }
  }

  /** Returns a random value of a parameter. */
  #anyValue(factor: number): number {
    return drawBelow(this.#draw, this.coverage.space.levels[factor] ?? 1);
  }

  /** Changes the rows to cover an open combination. */
  #makeOne(best: number): void {
    const { coverage } = this;
    const tuple = coverage.openTuple(drawBelow(this.#draw, coverage.uncovered));
    const interaction = coverage.space.write(tuple, this.#wanted);
    coverage.space.collectFactors(interaction, this.#factors);
    const change = this.#bestChange(best);
    if (change === null) {
      this.#force();
      return;
    }
    this.#set(change.row, change.factor, change.value);
    this.#hold(change.row, change.factor);
  }

  #set(row: number, factor: number, value: number): void {
    const cell = row * this.coverage.factors + factor;
    this.#sinceBest.push(cell, this.coverage.cells[cell] ?? 0);
    this.coverage.set(row, factor, value);
  }

  /** Reverts the changes since the best rows. */
  #goBack(): void {
    const { coverage } = this;
    for (let at = this.#sinceBest.length - 2; at >= 0; at -= 2) {
      const cell = this.#sinceBest[at] ?? 0;
      const factor = cell % coverage.factors;
      coverage.set((cell - factor) / coverage.factors, factor, this.#sinceBest[at + 1] ?? 0);
    }
    this.#sinceBest.length = 0;
  }

  #hold(row: number, factor: number): void {
    this.#heldUntil[row * this.coverage.factors + factor] = this.#step + tenure + drawBelow(this.#draw, tenure);
  }

  /** Finds the best allowed single-cell change that covers a combination; `null` if there is none. */
  #bestChange(best: number): Change | null {
    const { coverage } = this;
    let found: Change | null = null;
    let ties = 0;
    let compared = 0;
    const first = drawBelow(this.#draw, coverage.size);
    for (let at = 0; at < coverage.size && compared < changesMax; at += 1) {
      const row = first + at < coverage.size ? first + at : first + at - coverage.size;
      const factor = this.#oneMissing(row);
      const value = this.#wanted[factor] as number;
      if (factor < 0 || !this.#mayBe(row, factor, value)) continue;
      compared += 1;
      const delta = coverage.delta(row, factor, value);
      const isHeld = (this.#heldUntil[row * coverage.factors + factor] as number) > this.#step;
      if (isHeld && coverage.uncovered + delta >= best) continue;
      const least: number = found?.delta ?? Number.POSITIVE_INFINITY;
      if (delta > least) continue;
      ties = delta === least ? ties + 1 : 1;
      if (ties === 1 || drawBelow(this.#draw, ties) === 0) found = { row, factor, value, delta };
    }
    return found;
  }

  /** Returns the only parameter in which a row differs from the combination; -1 if more than one differs. */
  #oneMissing(row: number): number {
    const { cells } = this.coverage;
    const factors = this.#factors;
    const base = row * this.coverage.factors;
    let missing = -1;
    for (const factor of factors) {
      if (cells[base + factor] === this.#wanted[factor]) continue;
      if (missing >= 0) return -1;
      missing = factor;
    }
    return missing;
  }

  /** Checks whether a cell can have a value: no required row sets the cell, and the constraints allow the value. */
  #mayBe(row: number, factor: number, value: number): boolean {
    const seed = this.#seeds[row];
    if (seed !== undefined && (seed[factor] ?? -1) >= 0) return false;
    const { cells, factors } = this.coverage;
    return this.#rules.allowsChange(cells, row * factors, factor, value);
  }

  /** Writes a combination into several rows, completes each with as few changes as possible, and keeps the best one. */
  #force(): void {
    const { coverage } = this;
    let best: { readonly row: number; readonly cells: readonly number[]; readonly uncovered: number } | null = null;
    for (let tried = 0; tried < rewrittenRowsMax; tried += 1) {
      const row = drawBelow(this.#draw, coverage.size);
      const base = row * coverage.factors;
      const old = [...coverage.cells.subarray(base, base + coverage.factors)];
      const seed = this.#seeds[row];
      const part = old.map((_, factor) =>
        this.#factors.includes(factor) ? (this.#wanted[factor] ?? 0) : (seed?.[factor] ?? -1),
      );
      if (seed?.some((value, factor) => value >= 0 && value !== part[factor])) continue;
      const cells = this.#rules.complete(part, (factor) => old[factor] ?? 0);
      if (cells === null) continue;
      this.#tryRow(row, cells);
      if (best === null || coverage.uncovered < best.uncovered) best = { row, cells, uncovered: coverage.uncovered };
      this.#tryRow(row, old);
    }
    if (best === null) return;
    for (const [factor, value] of best.cells.entries()) this.#set(best.row, factor, value);
    for (const factor of this.#factors) this.#hold(best.row, factor);
  }

  #tryRow(row: number, cells: readonly number[]): void {
    for (const [factor, value] of cells.entries()) this.coverage.set(row, factor, value);
    this.coverage.work += this.coverage.factors;
  }
}

/** Returns the items in random order. */
function shuffled<T>(items: readonly T[], draw: RandomSource): readonly T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = drawBelow(draw, last + 1);
    const item = order[last] as T;
    order[last] = order[other] as T;
    order[other] = item;
  }
  return order;
}
