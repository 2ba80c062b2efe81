import type { RandomSource } from '../../core/random.ts';
import { drawBelow, type Effort } from './effort.ts';

/**
 * Minimum number of steps before a cell can return to a previous value; a random number of up to as many steps is
 * added.
 */
const tenure = 4;

/** Change of one cell, with the resulting change in the number of uncovered differences. */
interface Change {
  readonly row: number;
  readonly factor: number;
  readonly value: number;
  readonly delta: number;
}

/**
 * Searches for a difference array by tabu search. Its rows use the numbers below an order and one fixed symbol, and
 * their shifts by every number form a covering array of strength 2. There are fewer differences than pairs, by a factor
 * equal to the number of shifts.
 */
export class DifferenceArray {
  readonly #factors: number;
  readonly #rows: number;
  /** Modulus of the additions; the fixed symbol has this number. */
  readonly #order: number;
  readonly #cells: Uint8Array;
  readonly #counts: Uint16Array;
  /** Index of the difference of two symbols within a pair; -1 for two fixed symbols, which one row covers. */
  readonly #differences: Int16Array;
  readonly #draw: RandomSource;
  #open: number;
  #best: Uint8Array;

  constructor(factors: number, rows: number, order: number, draw: RandomSource) {
    this.#factors = factors;
    this.#rows = rows;
    this.#order = order;
    this.#draw = draw;
    this.#cells = Uint8Array.from({ length: rows * factors }, () => drawBelow(draw, order + 1));
    this.#best = this.#cells.slice();
    this.#differences = createDifferences(order);
    const pairs = (factors * (factors - 1)) / 2;
    this.#counts = new Uint16Array(pairs * (order + 2));
    this.#open = this.#counts.length;
    for (let row = 0; row < rows; row += 1) {
      for (let factor = 0; factor < factors; factor += 1) this.#count(row, factor, 1, true);
    }
  }

  /**
   * Searches until every difference is covered or the work is used up. Returns how many the best rows leave uncovered.
   */
  search(effort: Effort, stepsMax: number): number {
    const heldUntil = new Int32Array(this.#cells.length * (this.#order + 1));
    let best = this.#open;
    for (let step = 1; step <= stepsMax && this.#open > 0; step += 1) {
      const change = this.#bestChange(heldUntil, step, best);
      if (change !== null) {
        const cell = change.row * this.#factors + change.factor;
        heldUntil[cell * (this.#order + 1) + (this.#cells[cell] ?? 0)] = step + tenure + drawBelow(this.#draw, tenure);
        this.#set(change.row, change.factor, change.value);
      }
      if (this.#open < best) {
        best = this.#open;
        this.#best = this.#cells.slice();
      }
      if (effort.spend(this.#factors * this.#rows)) break;
    }
    return best;
  }

  /** Returns the rows of the covering array: every shift of the best rows, and one row of only the fixed symbol. */
  shifted(): number[][] {
    const rows: number[][] = [];
    for (let row = 0; row < this.#rows; row += 1) {
      const signs = [...this.#best.subarray(row * this.#factors, (row + 1) * this.#factors)];
      for (let by = 0; by < this.#order; by += 1) {
        rows.push(signs.map((sign) => (sign === this.#order ? sign : (sign + by) % this.#order)));
      }
    }
    return [...rows, Array.from({ length: this.#factors }, () => this.#order)];
  }

  /** Finds a change that covers one open difference and leaves the fewest uncovered; `null` if all changes are tabu. */
  #bestChange(heldUntil: Int32Array, step: number, best: number): Change | null {
    let found: Change | null = null;
    let ties = 0;
    for (const { row, factor, value } of this.#changes()) {
      const cell = row * this.#factors + factor;
      const delta = this.#delta(row, factor, value);
      if ((heldUntil[cell * (this.#order + 1) + value] ?? 0) > step && this.#open + delta >= best) continue;
      if (found !== null && delta > found.delta) continue;
      ties = found !== null && delta === found.delta ? ties + 1 : 1;
      if (ties === 1 || drawBelow(this.#draw, ties) === 0) found = { row, factor, value, delta };
    }
    return found;
  }

  /** Lists the single-cell changes that cover a randomly chosen open difference. */
  #changes(): readonly Omit<Change, 'delta'>[] {
    const { one, other, difference } = this.#openDifference();
    return Array.from({ length: this.#rows }, (_, row) =>
      this.#making(row, one, other, difference).map(([factor, value]) => ({ row, factor, value })),
    )
      .flat()
      .filter(({ row, factor, value }) => this.#cells[row * this.#factors + factor] !== value);
  }

  /** Returns an uncovered difference, searching from a random index. */
  #openDifference(): { one: number; other: number; difference: number } {
    let at = drawBelow(this.#draw, this.#counts.length);
    while (this.#counts[at] !== 0) at = at + 1 === this.#counts.length ? 0 : at + 1;
    const each = this.#order + 2;
    let pair = Math.floor(at / each);
    let one = 0;
    while (pair >= this.#factors - 1 - one) {
      pair -= this.#factors - 1 - one;
      one += 1;
    }
    return { one, other: one + 1 + pair, difference: at % each };
  }

  /** Lists the single-cell changes in a row that produce a difference between two parameters. */
  #making(row: number, one: number, other: number, difference: number): readonly (readonly [number, number])[] {
    const order = this.#order;
    const left = this.#cells[row * this.#factors + one] ?? 0;
    const right = this.#cells[row * this.#factors + other] ?? 0;
    const drawn = drawBelow(this.#draw, order);
    if (difference < order) {
      return [
        ...(right < order ? [[one, (right + difference) % order] as const] : []),
        ...(left < order ? [[other, (left - difference + order) % order] as const] : []),
      ];
    }
    if (difference === order) {
      return [...(right < order ? [[one, order] as const] : []), ...(left === order ? [[other, drawn] as const] : [])];
    }
    return [...(left < order ? [[other, order] as const] : []), ...(right === order ? [[one, drawn] as const] : [])];
  }

  #delta(row: number, factor: number, value: number): number {
    const old = this.#cells[row * this.#factors + factor] ?? 0;
    let delta = 0;
    for (let other = 0; other < this.#factors; other += 1) {
      if (other === factor) continue;
      const from = this.#place(row, factor, other, old);
      const to = this.#place(row, factor, other, value);
      if (from === to) continue;
      if (from >= 0 && this.#counts[from] === 1) delta += 1;
      if (to >= 0 && this.#counts[to] === 0) delta -= 1;
    }
    return delta;
  }

  #set(row: number, factor: number, value: number): void {
    this.#count(row, factor, -1, false);
    this.#cells[row * this.#factors + factor] = value;
    this.#count(row, factor, 1, false);
  }

  /** Counts the differences between a cell and the other cells of its row, or only the cells before it. */
  #count(row: number, factor: number, by: 1 | -1, beforeAlone: boolean): void {
    const value = this.#cells[row * this.#factors + factor] ?? 0;
    for (let other = 0; other < (beforeAlone ? factor : this.#factors); other += 1) {
      const place = other === factor ? -1 : this.#place(row, factor, other, value);
      if (place < 0) continue;
      const count = (this.#counts[place] ?? 0) + by;
      this.#counts[place] = count;
      if (count === 0) this.#open += 1;
      else if (count === 1 && by === 1) this.#open -= 1;
    }
  }

  /**
   * Returns the index of the difference between a parameter with a value and another parameter; -1 if it is not
   * counted.
   */
  #place(row: number, factor: number, other: number, value: number): number {
    const held = this.#cells[row * this.#factors + other] as number;
    const first = factor < other ? factor : other;
    const second = factor < other ? other : factor;
    const signs = this.#order + 1;
    const difference = this.#differences[factor < other ? value * signs + held : held * signs + value] as number;
    if (difference < 0) return -1;
    const pair = first * this.#factors - (first * (first + 1)) / 2 + second - first - 1;
    return pair * (this.#order + 2) + difference;
  }
}

/** Maps pairs of symbols to differences. A fixed symbol before or after a number gives two additional differences. */
function createDifferences(order: number): Int16Array {
  const signs = order + 1;
  return Int16Array.from({ length: signs * signs }, (_, at) => {
    const left = Math.floor(at / signs);
    const right = at % signs;
    if (left < order && right < order) return (left - right + order) % order;
    if (left === order && right === order) return -1;
    return left === order ? order : order + 1;
  });
}
