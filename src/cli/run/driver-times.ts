import type { ScenarioResult } from '../../contract/result.ts';
import type { DriverTimes } from '../../report/summary-text.ts';

/** Measures how long each driver takes: drivers run in turn, so one ends where the next begins. */
export class DriverStopwatch {
  readonly #elapsedMs: () => number;
  readonly #endedMs = new Map<string, number>();

  /** Takes a stopwatch that was started with the run. */
  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /** Notes that a scenario has ended. */
  note({ driver }: ScenarioResult): void {
    this.#endedMs.set(driver, this.#elapsedMs());
  }

  /** The time of each driver so far, in ms. */
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
