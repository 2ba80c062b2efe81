import type { RuleResult, TargetedMethod } from '../../machines/vocabulary.ts';
import type { ExpectationKey } from './scenario.schema.ts';
import type { FactorScreen, PageName, StepKind } from './step-names.ts';

/** Expectation that failed. */
export interface Mismatch {
  readonly key: ExpectationKey | 'agreement' | 'step';
  readonly expected: unknown;
  readonly actual: unknown;
  readonly message?: string;
}

/** Result of one scenario step. */
export interface StepResult {
  readonly kind: StepKind;
  /** Line number of the step in its file. */
  readonly line: number;
  readonly status: 'passed' | 'failed' | 'not-run';
  /** Number of checked expectations. */
  readonly checked: number;
  readonly mismatches: readonly Mismatch[];
  /** Final page of the step, if the driver observed a page. */
  readonly page?: PageName;
  /** Screens for name, password, and second factor that the driver observed during the sign-in. */
  readonly signInScreens?: readonly FactorScreen[];
  /** Intermediate pages that a scenario can expect, in order. Absent if there were none. */
  readonly visitedPages?: readonly PageName[];
  /** Method that the prompt targets, if the step ended at the prompt or in its setup. */
  readonly method?: TargetedMethod;
  /** Reason of the verdict if the step was evaluated or failed. `null` if no rule stopped the prompt. */
  readonly reason?: string | null;
  /** Gates of the verdict in order, present if the step failed. */
  readonly rules?: readonly RuleResult[];
}

/** Result of one scenario on one driver. */
export interface ScenarioResult {
  /** File, followed by the example row (from 1) if there are examples: `scenarios/snooze/days.yaml#2`. */
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly driver: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly durationMs: number;
  readonly steps: readonly StepResult[];
  /** Reason why the scenario was skipped, or failed outside a step. */
  readonly message?: string;
  /** Rules and assumptions that the scenario claims but the run did not confirm. */
  readonly unconfirmedClaims: readonly string[];
  readonly tags: readonly string[];
  /** Evidence files for a failure, relative to the report folder: trace, screenshot, journal, verdicts. */
  readonly evidence?: readonly string[];
  /** Command that repeats the scenario. */
  readonly command: string;
}

/** Coverage of one rule: how often a gate was met, stopped as the primary reason, or was not applicable. */
export interface RuleCoverage {
  readonly id: string;
  readonly summary: string;
  readonly kind: 'gate' | 'permission' | 'lifecycle' | 'validation' | 'lookup' | 'document';
  readonly met: number;
  readonly stopped: number;
  readonly notApplicable: number;
  /** Number of observations for a rule that is not a gate, such as transitions or policy API responses. */
  readonly observed: number;
}

export interface AssumptionCoverage {
  readonly id: string;
  readonly question: string;
  /** Coverage state: confirmed in a run, only claimed by a scenario because it is not observable, or neither. */
  readonly state: 'confirmed' | 'claimedOnly' | 'uncovered';
}

/** Rules and assumptions that a test run covered. */
export interface CoverageReport {
  readonly rules: readonly RuleCoverage[];
  readonly assumptions: readonly AssumptionCoverage[];
  /** Number of rule outcomes that occurred, out of `outcomesTotal` possible ones. */
  readonly outcomesCovered: number;
  readonly outcomesTotal: number;
}

/** Report of a test run, printed by `run --json`. */
export interface RunReport {
  readonly summary: {
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
    readonly durationMs: number;
  };
  readonly results: readonly ScenarioResult[];
  readonly coverage: CoverageReport;
}
