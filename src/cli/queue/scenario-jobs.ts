import type { PageLanguage } from '../../contract/page-controls.ts';
import type { ScenarioResult } from '../../contract/result.schema.ts';
import type { EvidenceData } from '../../scenario/evidence.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { SentScenarios } from './sent-scenarios.ts';

/** Names of the job types for suites: validating scenarios for unsupported steps, and running scenarios. */
export const walkKindName = 'walk';
export const runKindName = 'run';

/** Payload of a job that validates scenarios. */
export type WalkPayload = SentScenarios;

/** Payload of a job that runs scenarios. It is plain data and contains everything that the scenarios need. */
export interface RunPayload extends SentScenarios {
  readonly driver: string;
  /** URL of a running server; `null` if each worker starts its own. */
  readonly url: string | null;
  /** Number of concurrent scenarios on a driver that waits for responses. */
  readonly workers: number;
  /** Language that drivers request for pages; the tenant's language if it is missing. */
  readonly language?: PageLanguage;
  /** True if coverage is measured. */
  readonly coverage: boolean;
  readonly count: number;
}

/** Result of one scenario. `evidence` is `null` if the scenario covered nothing. */
export interface RanScenario {
  readonly result: ScenarioResult;
  readonly evidence: EvidenceData | null;
  /** What the scenario covered of its own ruleset; `null` without one. */
  readonly rulesetItems: readonly string[] | null;
}

/**
 * Maximum number of scenarios per job by driver. A job takes some tenths of a second, so a lost worker loses little
 * work.
 */
const ofOneJobMax: Readonly<Record<string, number>> = { model: 128, http: 16, browser: 2 };

/** Number of jobs for a smaller suite. */
const jobsWanted = 32;

/** Splits scenarios into jobs for a driver, with at most `most` scenarios each, and keeps their order. */
export function splitScenarios(
  scenarios: readonly Scenario[],
  driver: string,
  most: number = ofOneJobMax[driver] ?? 1,
): readonly (readonly Scenario[])[] {
  const fair = Math.ceil(scenarios.length / jobsWanted);
  const size = Math.min(Math.max(1, fair), most);
  return Array.from({ length: Math.ceil(scenarios.length / size) }, (_, part) =>
    scenarios.slice(part * size, (part + 1) * size),
  );
}
