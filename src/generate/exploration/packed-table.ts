import type { InvariantViolation } from './bound-action.ts';

/**
 * What a group of actions does that look at and move the same parts. A row stands for one state of each part that is moved
 * and one class of each that is only looked at; it holds the steps to other states as differences of the packed code. Actions
 * that lead to the same state are one step, and those that stay are none; so a search does no work twice.
 */
export interface PackedTable {
  readonly axes: readonly Axis[];
  /** Where the steps of each row begin; one more than there are rows. */
  readonly offsets: Uint32Array;
  readonly deltas: Int32Array;
  /** The number of the first action that takes the step. */
  readonly actions: Uint16Array;
  /** Rows where an invariant does not hold: 0 where all do, else one more than the place in `breaches`. */
  readonly flags: Uint16Array | null;
  readonly breaches: readonly (readonly InvariantViolation[])[];
}

/** One part of the rows of a table. */
export interface Axis {
  /** Number of the part. */
  readonly part: number;
  /** What each state of the part adds to the row. */
  readonly rowOf: Uint32Array;
}
