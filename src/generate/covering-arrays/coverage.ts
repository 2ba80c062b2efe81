import { type TupleSpace, width } from './tuple-space.ts';

/** Interactions that a change of one parameter affects, as packed lists by number of parameters. */
interface ColumnPlan {
  /** Offsets of the interactions that contain only this parameter. */
  readonly alone: Int32Array;
  /** Offset, own stride, other parameter and its stride, for each interaction. */
  readonly pairs: Int32Array;
  /** Offset, own stride, and three pairs of parameter and stride; a stride of 0 adds nothing. */
  readonly wide: Int32Array;
}

const pairEntry = 4;
const wideEntry = 8;

/**
 * Rows of value indexes with the number of occurrences of each combination. A list contains the uncovered combinations.
 * Counts and rows are updated together, one cell or one row at a time.
 */
export class Coverage {
  readonly space: TupleSpace;
  readonly factors: number;
  size = 0;
  cells: Uint16Array;
  /** Number of interactions examined so far, the unit of counted work. */
  work = 0;
  uncovered = 0;
  readonly #counts: Uint16Array;
  readonly #open: Int32Array;
  readonly #placeOf: Int32Array;
  readonly #plans: readonly ColumnPlan[];

  constructor(space: TupleSpace) {
    this.space = space;
    this.factors = space.levels.length;
    this.cells = new Uint16Array(this.factors * 64);
    this.#counts = new Uint16Array(space.total);
    this.#open = new Int32Array(space.total);
    this.#placeOf = new Int32Array(space.total).fill(-1);
    this.#plans = createPlans(space);
    space.each((tuple) => this.#add(tuple));
    // An intermediate row can contain an impossible combination, so impossible combinations never count as uncovered.
    if (space.impossible !== null) this.#counts.set(space.impossible);
  }

  /** Returns one of the uncovered combinations. */
  openTuple(at: number): number {
    return this.#open[at] ?? 0;
  }

  /** Computes the change in the number of uncovered combinations if one cell changes; negative is better. */
  delta(row: number, factor: number, value: number): number {
    const { alone, pairs, wide } = this.#plans[factor] as ColumnPlan;
    const { cells } = this;
    const counts = this.#counts;
    const base = row * this.factors;
    const old = cells[base + factor] as number;
    let change = 0;
    for (const first of alone) {
      if (counts[first + old] === 1) change += 1;
      if (counts[first + value] === 0) change -= 1;
    }
    for (let at = 0; at < pairs.length; at += pairEntry) {
      const own = pairs[at + 1] as number;
      const first =
        (pairs[at] as number) + (pairs[at + 3] as number) * (cells[base + (pairs[at + 2] as number)] as number);
      if (counts[first + own * old] === 1) change += 1;
      if (counts[first + own * value] === 0) change -= 1;
    }
    for (let at = 0; at < wide.length; at += wideEntry) {
      const own = wide[at + 1] as number;
      const first = this.#wideFirst(wide, at, base);
      if (counts[first + own * old] === 1) change += 1;
      if (counts[first + own * value] === 0) change -= 1;
    }
    this.work += pairs.length / pairEntry + wide.length / (wideEntry / 2) + 1;
    return change;
  }

  /** Changes one cell. */
  set(row: number, factor: number, value: number): void {
    const { alone, pairs, wide } = this.#plans[factor] as ColumnPlan;
    const base = row * this.factors;
    const old = this.cells[base + factor] as number;
    if (old === value) return;
    for (const first of alone) this.#move(first + old, first + value);
    for (let at = 0; at < pairs.length; at += pairEntry) {
      const own = pairs[at + 1] as number;
      const first =
        (pairs[at] as number) + (pairs[at + 3] as number) * (this.cells[base + (pairs[at + 2] as number)] as number);
      this.#move(first + own * old, first + own * value);
    }
    for (let at = 0; at < wide.length; at += wideEntry) {
      const own = wide[at + 1] as number;
      const first = this.#wideFirst(wide, at, base);
      this.#move(first + own * old, first + own * value);
    }
    this.cells[base + factor] = value;
  }

  /** Appends a row. */
  push(row: ArrayLike<number>): void {
    const base = this.size * this.factors;
    if (base + this.factors > this.cells.length) {
      const grown = new Uint16Array(this.cells.length * 2 + this.factors);
      grown.set(this.cells);
      this.cells = grown;
    }
    this.cells.set(row, base);
    this.size += 1;
    this.#visitEach(base, (tuple) => this.#take(tuple));
  }

  /** Removes a row and moves the last row to its index. */
  remove(row: number): void {
    this.#visitEach(row * this.factors, (tuple) => this.#release(tuple));
    const last = this.size - 1;
    this.cells.copyWithin(row * this.factors, last * this.factors, this.size * this.factors);
    this.size = last;
  }

  /** Counts the combinations that only this row covers. */
  only(row: number): number {
    let only = 0;
    this.#visitEach(row * this.factors, (tuple) => {
      if (this.#counts[tuple] === 1) only += 1;
    });
    return only;
  }

  /** Returns a copy of the cells of all rows. */
  rows(): Uint16Array {
    return this.cells.slice(0, this.size * this.factors);
  }

  /** Replaces all rows with cells in the format of `rows`. */
  load(cells: Uint16Array): void {
    const size = cells.length / this.factors;
    while (this.size > size) this.remove(this.size - 1);
    for (let row = 0; row < this.size; row += 1) {
      for (let factor = 0; factor < this.factors; factor += 1) {
        this.set(row, factor, cells[row * this.factors + factor] ?? 0);
      }
    }
    for (let row = this.size; row < size; row += 1) {
      this.push(cells.subarray(row * this.factors, (row + 1) * this.factors));
    }
  }

  #wideFirst(wide: Int32Array, at: number, base: number): number {
    const { cells } = this;
    return (
      (wide[at] as number) +
      (wide[at + 3] as number) * (cells[base + (wide[at + 2] as number)] as number) +
      (wide[at + 5] as number) * (cells[base + (wide[at + 4] as number)] as number) +
      (wide[at + 7] as number) * (cells[base + (wide[at + 6] as number)] as number)
    );
  }

  #visitEach(base: number, visit: (tuple: number) => void): void {
    const { interactions, offsets, places, strides } = this.space;
    this.work += interactions;
    for (let interaction = 0; interaction < interactions; interaction += 1) {
      let tuple = offsets[interaction] as number;
      for (let at = interaction * width; at < interaction * width + width; at += 1) {
        const place = places[at] as number;
        if (place < 0) break;
        tuple += (strides[at] as number) * (this.cells[base + place] as number);
      }
      visit(tuple);
    }
  }

  #move(from: number, to: number): void {
    this.#release(from);
    this.#take(to);
  }

  #take(tuple: number): void {
    const count = this.#counts[tuple] as number;
    this.#counts[tuple] = count + 1;
    if (count > 0) return;
    this.uncovered -= 1;
    const place = this.#placeOf[tuple] as number;
    const last = this.#open[this.uncovered] as number;
    this.#open[place] = last;
    this.#placeOf[last] = place;
    this.#placeOf[tuple] = -1;
  }

  #release(tuple: number): void {
    const count = (this.#counts[tuple] as number) - 1;
    this.#counts[tuple] = count;
    if (count === 0) this.#add(tuple);
  }

  #add(tuple: number): void {
    this.#placeOf[tuple] = this.uncovered;
    this.#open[this.uncovered] = tuple;
    this.uncovered += 1;
  }
}

function createPlans({ interactions, levels, offsets, places, strides }: TupleSpace): readonly ColumnPlan[] {
  const plans = levels.map(() => ({ alone: [] as number[], pairs: [] as number[], wide: [] as number[] }));
  for (let interaction = 0; interaction < interactions; interaction += 1) {
    const offset = offsets[interaction] ?? 0;
    const entries = [0, 1, 2, 3]
      .map((index) => ({
        place: places[interaction * width + index] ?? -1,
        stride: strides[interaction * width + index] ?? 0,
      }))
      .filter(({ place }) => place >= 0);
    for (const { place, stride } of entries) {
      const others = entries.filter((entry) => entry.place !== place).flatMap((entry) => [entry.place, entry.stride]);
      const plan = plans[place];
      if (others.length === 0) plan?.alone.push(offset);
      else if (others.length === 2) plan?.pairs.push(offset, stride, ...others);
      else plan?.wide.push(offset, stride, ...others, ...[0, 0, 0, 0].slice(0, wideEntry - 2 - others.length));
    }
  }
  return plans.map(({ alone, pairs, wide }) => ({
    alone: Int32Array.from(alone),
    pairs: Int32Array.from(pairs),
    wide: Int32Array.from(wide),
  }));
}
