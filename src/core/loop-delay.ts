/** Interval between measurements in milliseconds. */
const intervalMs = 100;

/**
 * Measures the delay of the event loop. An overloaded server is late for every task. The timer never keeps the
 * process running.
 */
export class LoopDelay {
  readonly #timer: NodeJS.Timeout;
  #dueMs = performance.now() + intervalMs;
  #latestMs = 0;

  /** Starts the measurement. */
  constructor() {
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      this.#latestMs = Math.max(0, nowMs - this.#dueMs);
      this.#dueMs = nowMs + intervalMs;
    }, intervalMs);
    this.#timer.unref();
  }

  /** Delay of the latest event loop turn, or of the overdue one, in milliseconds. */
  get ms(): number {
    return Math.max(this.#latestMs, performance.now() - this.#dueMs);
  }

  /** Stops the measurement. */
  stop(): void {
    clearInterval(this.#timer);
  }
}
