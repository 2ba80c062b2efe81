import { stopwatch } from '../../core/clock.ts';
import type { RandomSource } from '../../core/random.ts';

/** How many steps of work there are between two looks at the clock. */
const clockEvery = 64;

/** The work that a search may do: counted, so that it ends at the same place on every machine, and cut by the clock. */
export class Effort {
  /** Work done in all, in interactions looked at. */
  done = 0;
  /** Whether the clock cut it. */
  cut = false;
  #limit = 0;
  readonly #budgetMs: number;
  readonly #elapsed = stopwatch();
  #asked = 0;

  /** Takes the time in ms, from here on, after which it is cut. */
  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
  }

  /** Says how much work may be done in all. */
  allow(work: number): void {
    this.#limit = work;
  }

  /** Notes work, and tells whether it is over. */
  spend(work: number): boolean {
    this.done += work;
    this.#asked += 1;
    if (this.#asked % clockEvery === 0) this.look();
    return this.over;
  }

  /** Looks at the clock now. Returns whether it cut the work. */
  look(): boolean {
    if (this.#elapsed() >= this.#budgetMs) this.cut = true;
    return this.cut;
  }

  /** Whether the counted work is done, or the clock cut it. */
  get over(): boolean {
    return this.cut || this.done >= this.#limit;
  }
}

/** A whole number from 0, below a bound, drawn from a source. */
export function drawBelow(draw: RandomSource, bound: number): number {
  return Math.floor(draw() * bound);
}
