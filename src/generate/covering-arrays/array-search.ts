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

/** Steps without improvement after which the search for a first array adds a row. */
const firstPatience = 150;
/** Initial number of steps without improvement after which a size is tried from other rows. */
const patienceMin = 4_000;
/** Maximum number of steps in one search for a difference array. */
const differenceSteps = 60_000;
/** Minimum number of values for which searching for difference arrays pays off. */
const differenceValuesMin = 4;

/** Inputs of a search. */
export interface SearchTask {
  readonly problem: CoveringProblem;
  readonly space: TupleSpace;
  readonly rules: ConstraintSolver;
  readonly lowerBound: number;
  readonly seed: number;
  readonly effort: Effort;
  /** Called for each smaller array. */
  readonly onBetter: (size: number) => void;
}

/** Searches for covering arrays of one problem and stores the cells of the smallest one. */
export class ArraySearch {
  readonly #task: SearchTask;
  readonly #coverage: Coverage;
  readonly #search: RowSearch;
  readonly #draw: () => number;
  /** Cells of the smallest array that covers everything; `null` if none has been found yet. */
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

  /** Number of rows in the smallest covering array. */
  get size(): number {
    return this.best === null ? Number.POSITIVE_INFINITY : this.best.length / this.#coverage.factors;
  }

  /** Cells of the smallest covering array, or of the last rows if none covers everything. */
  get cells(): Uint16Array {
    return this.best ?? this.#coverage.rows();
  }

  /**
   * Builds a first covering array quickly, from each initial construction and then row by row. `patience` is the number
   * of steps without improvement before a row is added.
   */
  first(patience = firstPatience): void {
    const starts = algebraicStarts(this.#task.problem);
    for (const start of starts.length > 0 ? starts : [this.#widestRows()]) {
      if (this.#isDone()) return;
      this.#begin(start);
      this.#grow(patience);
    }
  }

  /** Shrinks the best covering array until its size reaches the lower bound or the work is used up. */
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

  /**
   * Starts from the given rows, required rows first. Open cells get random values and then the values that cover most.
   */
  #begin(rows: OpenRows): void {
    const { problem, rules } = this.#task;
    this.#coverage.load(new Uint16Array(0));
    for (const open of [...problem.seeds, ...rows]) {
      const row = rules.complete(open, (factor) => drawBelow(this.#draw, problem.levels[factor] ?? 1));
      if (row === null) throw new RangeError('A row that can be completed was not completed.');
      this.#coverage.push(row);
      const fixed = open.map((value) => value >= 0);
      if (fixed.includes(false)) this.#search.climb(this.#coverage.size - 1, fixed);
      if (this.#task.effort.spend(problem.levels.length)) return;
    }
  }

  /** Builds one row for each possible combination of the parameters that have the most combinations. */
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

  /** Searches, and adds a row whenever the search fails. After the counted work is used up, it only adds rows. */
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

  /** Loads the best rows without the row whose loss leaves the fewest combinations uncovered. */
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

  /** Tries shifts of difference arrays, with fewer rows each time; requires strength 2 and parameters of equal size. */
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
