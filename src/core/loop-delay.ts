/** How often the delay is measured, in ms. */
const intervalMs = 100;

/**
 * Measures how late the turns of the event loop are: a server that has more to do than it can is late for everything. It never
 * keeps the process alive.
 */
export class LoopDelay {
  readonly #timer: NodeJS.Timeout;
  #dueMs = performance.now() + intervalMs;
  #latestMs = 0;

  /** Begins to measure. */
  constructor() {
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      this.#latestMs = Math.max(0, nowMs - this.#dueMs);
      this.#dueMs = nowMs + intervalMs;
    }, intervalMs);
    this.#timer.unref();
  }

  /** How late the latest turn was, or the one that is due is by now, in ms. */
  get ms(): number {
    return Math.max(this.#latestMs, performance.now() - this.#dueMs);
  }

  /** Ends the measuring. */
  stop(): void {
    clearInterval(this.#timer);
  }
}
