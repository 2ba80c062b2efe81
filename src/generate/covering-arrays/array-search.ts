import { randomSource } from '../../core/random.ts';
import { algebraicStarts, type OpenRows } from './algebraic-starts.ts';
import type { ConstraintSolver } from './constraint-solver.ts';
import { Coverage } from './coverage.ts';
import type { CoveringProblem } from './covering-problem.ts';
import { DifferenceArray } from './difference-array.ts';
import { drawBelow, type Effort } from './effort.ts';
import { widestInteraction } from './lower-bound.ts';
import { RowSearch } from './row-search.ts';
import type { TupleSpace } from './tuple-space.ts';

/** Steps without a better state after which a first array takes another row. */
const firstPatience = 150;
/** Steps without a better state before a size is tried from other rows, at first. */
const patienceMin = 4_000;
/** Steps of one search for a difference array. */
const differenceSteps = 60_000;
/** Values from which on difference arrays are worth their search. */
const differenceValuesMin = 4;

/** What a search needs to know. */
export interface SearchTask {
  readonly problem: CoveringProblem;
  readonly space: TupleSpace;
  readonly rules: ConstraintSolver;
  readonly lowerBound: number;
  readonly seed: number;
  readonly effort: Effort;
  /** Told of every better array. */
  readonly onBetter: (size: number) => void;
}

/** Searches for arrays of one problem; the best so far is kept as cells. */
export class ArraySearch {
  readonly #task: SearchTask;
  readonly #coverage: Coverage;
  readonly #search: RowSearch;
  readonly #draw: () => number;
  /** The best rows that cover everything; `null` before there are any. */
  best: Uint16Array | null = null;

  constructor(task: SearchTask) {
    this.#task = task;
    this.#draw = randomSource(task.seed);
    this.#coverage = new Coverage(task.space);
    this.#search = new RowSearch(this.#coverage, task.rules, task.problem.seeds, {
      draw: this.#draw,
      effort: task.effort,
    });
  }

  /** Rows of the best array. */
  get size(): number {
    return this.best === null ? Number.POSITIVE_INFINITY : this.best.length / this.#coverage.factors;
  }

  /** How many rows there are, and which: the best that cover, else those that the work ended with. */
  get cells(): Uint16Array {
    return this.best ?? this.#coverage.rows();
  }

  /** Makes an array as soon as can be: from each start, and then row by row. Takes how often a size is tried. */
  first(patience = firstPatience): void {
    const starts = algebraicStarts(this.#task.problem);
    for (const start of starts.length > 0 ? starts : [this.#widestRows()]) {
      if (this.#isDone()) return;
      this.#begin(start);
      this.#grow(patience);
    }
  }

  /** Makes the best array smaller, until the bound is reached or the work is over. */
  improve(): void {
    this.#byDifferences();
    let patience = patienceMin;
    let again = false;
    while (!this.#isDone() && this.best !== null) {
      const size = this.size;
      if (again) this.#drawRows(size - 1);
      else this.#withoutOne(this.best);
      if (this.#search.cover(patience)) this.#keep();
      if (this.size < size) {
        patience = Math.max(patienceMin, patience >> 1);
        again = false;
      } else {
        patience += patience >> 1;
        again = !again;
      }
    }
  }

  #isDone(): boolean {
    return this.#task.effort.over || this.size <= this.#task.lowerBound;
  }

  /** Begins with some rows, those that must be there first; what is open is drawn and then set to what covers most. */
  #begin(rows: OpenRows): void {
    const { problem, rules } = this.#task;
    this.#coverage.load(new Uint16Array(0));
    for (const open of [...problem.seeds, ...rows]) {
      const row = rules.complete(open, (factor) => drawBelow(this.#draw, problem.levels[factor] ?? 1));
      if (row === null) throw new RangeError('A row that can be completed cannot be completed.');
      this.#coverage.push(row);
      const fixed = open.map((value) => value >= 0);
      if (fixed.includes(false)) this.#search.climb(this.#coverage.size - 1, fixed);
      if (this.#task.effort.spend(problem.levels.length)) return;
    }
  }

  /** A row for each possible combination of the factors that have the most of them. */
  #widestRows(): OpenRows {
    const { space, problem } = this.#task;
    const widest = widestInteraction(space);
    const rows: number[][] = [];
    const missing = Math.max(0, this.#task.lowerBound - problem.seeds.length);
    for (let tuple = space.offsets[widest] ?? 0; tuple < (space.offsets[widest + 1] ?? 0); tuple += 1) {
      if (space.impossible?.[tuple] === 1 || rows.length >= missing) continue;
      const row = problem.levels.map(() => -1);
      space.write(tuple, row);
      rows.push(row);
    }
    return rows;
  }

  /** Searches, and takes more rows as long as that does not do. The counted work over, rows are added alone. */
  #grow(patience: number): void {
    const { effort, space } = this.#task;
    while (this.#coverage.uncovered > 0 && !effort.cut) {
      if (this.#coverage.size > 0 && !effort.over && this.#search.cover(patience)) break;
      const rows = Math.max(1, Math.floor(this.#coverage.uncovered / (space.interactions * 2)));
      for (let added = 0; added < rows && this.#coverage.uncovered > 0 && !effort.cut; added += 1)
        this.#search.addRow();
    }
    if (this.#coverage.uncovered > 0) return;
    this.#search.dropIdle();
    this.#keep();
  }

  #keep(): void {
    if (this.#coverage.size >= this.size) return;
    this.best = this.#coverage.rows();
    this.#task.onBetter(this.size);
  }

  /** The best rows but the one whose combinations are missed least. */
  #withoutOne(best: Uint16Array): void {
    this.#coverage.load(best);
    let least = Number.POSITIVE_INFINITY;
    let worst = this.#coverage.size - 1;
    for (let row = this.#task.problem.seeds.length; row < this.#coverage.size; row += 1) {
      const only = this.#coverage.only(row);
      if (only < least) {
        least = only;
        worst = row;
      }
    }
    this.#coverage.remove(worst);
  }

  #drawRows(size: number): void {
    const { problem } = this.#task;
    const open = problem.levels.map(() => -1);
    this.#begin(Array.from({ length: Math.max(0, size - problem.seeds.length) }, () => open));
  }

  /** Shifts of difference arrays, for factors of equal size and strength two: with fewer and fewer rows, as long as it goes. */
  #byDifferences(): void {
    const { problem, effort } = this.#task;
    const [values = 0] = problem.levels;
    const fits =
      values >= differenceValuesMin &&
      values <= 128 &&
      problem.levels.length > values + 1 &&
      problem.levels.every((level) => level === values) &&
      problem.interactions.every((one) => one.length === 2) &&
      problem.restrictions.length + problem.seeds.length === 0;
    if (!fits) return;
    const order = values - 1;
    for (let rows = Math.floor((this.size - 2) / order); rows > order && !this.#isDone(); rows -= 1) {
      const array = new DifferenceArray(problem.levels.length, rows, order, this.#draw);
      array.search(effort, differenceSteps);
      const before = this.size;
      this.#begin(array.shifted());
      this.#grow(patienceMin);
      if (this.size >= before) return;
    }
  }
}
