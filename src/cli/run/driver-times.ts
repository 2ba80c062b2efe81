import type { ScenarioResult } from '../../contract/result.schema.ts';
import type { DriverTimes } from '../../report/summary-text.ts';

/** Measures the time of each driver. Drivers run one after the other, so each starts when the previous one ends. */
export class DriverStopwatch {
  readonly #elapsedMs: () => number;
  readonly #endedMs = new Map<string, number>();

  /** Creates a stopwatch from a function that returns the milliseconds since the start of the run. */
  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /** Records the end of a scenario. */
  note({ driver }: ScenarioResult): void {
    this.#endedMs.set(driver, this.#elapsedMs());
  }

  /** Returns the time of each driver so far, in milliseconds. */
  times(): DriverTimes {
    let beganMs = 0;
    return new Map(
      [...this.#endedMs].map(([driver, endedMs]) => {
        const spentMs = endedMs - beganMs;
        beganMs = endedMs;
        return [driver, spentMs];
      }),
    );
  }
}
