import { stopwatch } from '../../core/clock.ts';
import type { RandomSource } from '../../core/random.ts';

/** Number of work steps between two checks of the clock. */
const clockEvery = 64;

/** Work limit of a search: counted, so the search ends at the same step on every machine, with a time limit. */
export class Effort {
  /** Total work so far, in examined interactions. */
  done = 0;
  /** `true` if the time limit ended the work. */
  cut = false;
  #limit = 0;
  readonly #budgetMs: number;
  readonly #elapsed = stopwatch();
  #checks = 0;

  /** Starts the time limit of `budgetMs` milliseconds. */
  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
  }

  /** Sets the limit of total work. */
  allow(work: number): void {
    this.#limit = work;
  }

  /** Adds work and returns `true` if the limit is reached. */
  spend(work: number): boolean {
    this.done += work;
    this.#checks += 1;
    if (this.#checks % clockEvery === 0) this.look();
    return this.over;
  }

  /** Checks the clock now. Returns `true` if the time limit has ended the work. */
  look(): boolean {
    if (this.#elapsed() >= this.#budgetMs) this.cut = true;
    return this.cut;
  }

  /** `true` if the counted work is used up or the time limit was reached. */
  get over(): boolean {
    return this.cut || this.done >= this.#limit;
  }
}

/** Draws a whole number from 0 to below the bound. */
export function drawBelow(draw: RandomSource, bound: number): number {
  return Math.floor(draw() * bound);
}
