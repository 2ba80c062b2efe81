import type { InvariantViolation } from './bound-action.ts';

/**
 * Effects of a group of actions that read and move the same parts. A row represents one state of each moved part and
 * one class of each part that is only read. It contains the steps to other states as differences of the packed code.
 * Actions that lead to the same state share one step, and actions that stay have none, so a search does no work twice.
 */
export interface PackedTable {
  readonly axes: readonly Axis[];
  /** Offset of the first step of each row, followed by the total number. */
  readonly offsets: Uint32Array;
  readonly deltas: Int32Array;
  /** Number of the first action that takes each step. */
  readonly actions: Uint16Array;
  /**
   * Violations per row: 0 if all invariants are met, otherwise the index in `breaches` plus 1. `null` if there are no
   * invariants.
   */
  readonly flags: Uint16Array | null;
  readonly breaches: readonly (readonly InvariantViolation[])[];
}

/** Dimension of the rows in a table. */
export interface Axis {
  /** Number of the part. */
  readonly part: number;
  /** Increment of the row number for each state of the part. */
  readonly rowOf: Uint32Array;
}
