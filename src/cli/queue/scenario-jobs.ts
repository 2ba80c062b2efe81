import type { ScenarioResult } from '../../contract/result.ts';
import type { EvidenceData } from '../../scenario/evidence.ts';
import type { Scenario } from '../../scenario/scenario.ts';

/** The kinds of the jobs that suites are cut into: scenarios that are walked for impossible steps, and scenarios that are run. */
export const walkKindName = 'walk';
export const runKindName = 'run';

/** Scenarios to be walked, packed. */
export interface WalkPayload {
  /** `readonly Scenario[]`. */
  readonly scenarios: string;
}

/** Scenarios to be run, and how. They are plain data and bring everything that they need. */
export interface RunPayload {
  readonly driver: string;
  /** A running server; `null` for one of the worker's own. */
  readonly url: string | null;
  /** Scenarios in progress at once where the driver waits. */
  readonly workers: number;
  /** Whether coverage is measured. */
  readonly coverage: boolean;
  /** How many there are, and the packed `readonly Scenario[]`. */
  readonly count: number;
  readonly scenarios: string;
}

/** What one scenario came to; `evidence` is `null` where it showed nothing that counts. */
export interface RanScenario {
  readonly result: ScenarioResult;
  readonly evidence: EvidenceData | null;
}

/** Scenarios of one job at most, by driver: some tenths of a second of work, so that a lost worker loses little. */
const ofOneJobMax: Readonly<Record<string, number>> = { model: 128, http: 16, browser: 2 };

/** Jobs that a smaller suite is cut into. */
const jobsWanted = 32;

/** Cuts scenarios into the parts that become jobs. Takes them in their order and the name of the driver. */
export function splitScenarios(scenarios: readonly Scenario[], driver: string): readonly (readonly Scenario[])[] {
  const fair = Math.ceil(scenarios.length / jobsWanted);
  const size = Math.min(Math.max(1, fair), ofOneJobMax[driver] ?? 1);
  return Array.from({ length: Math.ceil(scenarios.length / size) }, (_, part) =>
    scenarios.slice(part * size, (part + 1) * size),
  );
}
