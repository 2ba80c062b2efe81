import { afterPendingInput, stopwatch } from './clock.ts';

/** Time after which a long task lets other requests be served, in milliseconds of real time. */
const sliceMs = 10;

/** Steps of a task between two looks at the clock. */
const stepsPerLook = 64;

/**
 * Divides a long task into slices of a few milliseconds, so other requests are served in between. A loop calls
 * `isDue` at each step, and `pause` when it is.
 */
export class TimeSlices {
  readonly #elapsed = stopwatch();
  #startedMs = 0;
  #steps = 0;
  #pauses = 0;

  /** `true` if other tasks can have run since the beginning. */
  get hasPaused(): boolean {
    return this.#pauses > 0;
  }

  /** Counts a step, and returns `true` at the end of a slice. */
  isDue(): boolean {
    this.#steps += 1;
    return this.#steps % stepsPerLook === 0 && this.#elapsed() - this.#startedMs >= sliceMs;
  }

  /** Resolves after the requests that have already arrived were handled. */
  async pause(): Promise<void> {
    this.#pauses += 1;
    await new Promise<void>(afterPendingInput);
    this.#startedMs = this.#elapsed();
  }
}
