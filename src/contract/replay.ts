import type { JourneyHead } from './journey.schema.ts';

/** Difference between a replay and its journey file. */
export interface JourneyDifference {
  /** Line number in the file. */
  readonly line: number;
  /** Step of the journey. `null` if the difference concerns the initial or final state. */
  readonly step: number | null;
  readonly key: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Result of replaying a journey file. */
export interface ReplayReport
  extends Pick<JourneyHead, 'sandbox' | 'ruleset' | 'rulesetDigest' | 'seed' | 'at' | 'slice'> {
  /** Notices, such as another version of the ruleset than that of the journey (OC35); absent if there are none. */
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
  /** Format version of the file. */
  readonly version: number;
  readonly users: number;
  readonly steps: number;
  readonly verdicts: number;
  /** `true` if verdicts and states are identical, byte for byte. */
  readonly same: boolean;
  readonly differenceCount: number;
  /** First differences, up to a limit. */
  readonly differences: readonly JourneyDifference[];
  /** Number of events that are not part of a journey, by type, including events of other users. */
  readonly omitted: Readonly<Record<string, number>>;
  readonly otherUsersEvents: number;
}
