import type { OwnVerdict } from '../../../machines/own/evaluate-own.ts';
import type { NudgeStatus } from '../../contract/control-responses.schema.ts';
import type { PageName } from '../../contract/step-names.ts';
import type { OwnStep } from './own-scenario.ts';

/** What a step led to. */
export interface OwnObservation {
  readonly page?: PageName;
  readonly verdict?: OwnVerdict;
  readonly status?: number;
}

/** Nudge status of a user as scenarios can expect it. */
export type OwnUserStatus = Pick<NudgeStatus, 'state' | 'snoozes' | 'snoozesLeft' | 'nextPromptAt'>;

/** Scenario of a ruleset file in progress. */
export interface OwnRun {
  /** Performs a step. Throws a `NudgeLabError` if it is impossible. */
  perform(step: OwnStep): Promise<OwnObservation>;
  /** Returns the nudge status of a user now. */
  status(userId: string): Promise<OwnUserStatus>;
  /** Time on the virtual clock in milliseconds. */
  readonly nowMs: number;
  /** User of the latest step, or `null` before the first one. */
  readonly userId: string | null;
  /** Stores evidence after a step has failed. Returns the files for the report. */
  keepEvidence?(): Promise<readonly string[]>;
  close?(): Promise<void>;
}
