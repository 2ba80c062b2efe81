import type { JourneyHead } from './journey.schema.ts';

/** One thing that a replay saw otherwise than the journey says. */
export interface JourneyDifference {
  /** Line of the file. */
  readonly line: number;
  /** Step of the journey; `null` where it is about the beginning or the end. */
  readonly step: number | null;
  readonly key: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** What a replay found. */
export interface ReplayReport extends Pick<JourneyHead, 'sandbox' | 'ruleset' | 'seed' | 'at' | 'slice'> {
  /** Version of the format that the file has. */
  readonly version: number;
  readonly users: number;
  readonly steps: number;
  readonly verdicts: number;
  /** Whether everything was the same, verdicts and bytes. */
  readonly same: boolean;
  readonly differenceCount: number;
  /** The first of them. */
  readonly differences: readonly JourneyDifference[];
  /** Inputs of the journal that are no part of a journey, by type, and those of other users. */
  readonly omitted: Readonly<Record<string, number>>;
  readonly otherUsersEvents: number;
}
