import type { RuleResult, TargetedMethod } from '../../machines/vocabulary.ts';
import type { ExpectationKey } from './scenario.schema.ts';
import type { FactorScreen, PageName, StepKind } from './step-names.ts';

/** One expectation that did not hold. */
export interface Mismatch {
  readonly key: ExpectationKey | 'agreement' | 'step';
  readonly expected: unknown;
  readonly actual: unknown;
  readonly message?: string;
}

/** The result of one step of a scenario. */
export interface StepResult {
  readonly kind: StepKind;
  /** Line of the step in its file. */
  readonly line: number;
  readonly status: 'passed' | 'failed' | 'not-run';
  /** Expectations that were checked. */
  readonly checked: number;
  readonly mismatches: readonly Mismatch[];
  /** Where the step ended, as far as the driver saw a page. */
  readonly page?: PageName;
  /** Screens of name, password and second factor that the sign-in went through, as far as the driver saw them. */
  readonly signInScreens?: readonly FactorScreen[];
  /** The screens on the way there that a scenario may expect, in order; left out where there was none. */
  readonly visitedPages?: readonly PageName[];
  /** What the prompt of the sign-in asks for, where the step ended at it or in its setup. */
  readonly method?: TargetedMethod;
  /** The verdict's reason where the step was evaluated, or did not pass; `null` when nothing spoke against the prompt. */
  readonly reason?: string | null;
  /** The verdict's gates in order, where the step did not pass. */
  readonly rules?: readonly RuleResult[];
}

/** The result of one scenario on one driver. */
export interface ScenarioResult {
  /** File and, with examples, the row from 1: `scenarios/snooze/days.yaml#2`. */
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly driver: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly durationMs: number;
  readonly steps: readonly StepResult[];
  /** Why it was skipped, or failed outside a step. */
  readonly message?: string;
  /** Rules and assumptions that it claims and the run did not confirm. */
  readonly unconfirmedClaims: readonly string[];
  readonly tags: readonly string[];
  /** Files that explain a failure, below the folder of reports: trace, picture, journal, verdicts. */
  readonly evidence?: readonly string[];
  /** The one command that repeats it. */
  readonly command: string;
}

/** How often a gate was met, stopped as the primary reason, or was not applicable; or a lifecycle rule was seen. */
export interface RuleCoverage {
  readonly id: string;
  readonly summary: string;
  readonly kind: 'gate' | 'permission' | 'lifecycle' | 'validation' | 'lookup' | 'document';
  readonly met: number;
  readonly stopped: number;
  readonly notApplicable: number;
  /** Named transitions or policy answers that showed a rule which is no gate. */
  readonly observed: number;
}

export interface AssumptionCoverage {
  readonly id: string;
  readonly question: string;
  /** Seen in a run, claimed by a scenario without an observable point, or neither. */
  readonly state: 'confirmed' | 'claimedOnly' | 'uncovered';
}

/** The rules and assumptions that a test run covered. */
export interface CoverageReport {
  readonly rules: readonly RuleCoverage[];
  readonly assumptions: readonly AssumptionCoverage[];
  /** Rule outcomes that occurred of those that can occur. */
  readonly outcomesCovered: number;
  readonly outcomesTotal: number;
}

/** What a run ends in; `run --json` prints it. */
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
