export { anyState } from '../../machines/statechart.ts';

/** A state of a statechart, as it is drawn. */
export interface ChartState {
  /** Path of the state in its machine, with dots. */
  readonly id: string;
  readonly isInitial: boolean;
  readonly isFinal: boolean;
  /** How often tests were in it. */
  readonly times: number;
}

/** One transition of a statechart. */
export interface ChartTransition {
  /** The state that it leaves; that of the machine itself where it leaves any state. */
  readonly from: string;
  /** Where it leads; the state itself where it names no target. */
  readonly to: string;
  readonly event: string;
  readonly guard: string | null;
  readonly actions: readonly string[];
  /** How often tests took it. */
  readonly times: number;
}

/** A machine as a statechart, with what tests covered of it. */
export interface ChartCoverage {
  readonly machine: string;
  readonly states: readonly ChartState[];
  readonly transitions: readonly ChartTransition[];
}

/** How many combinations of the values of two factors stand in a row. */
export interface PairCoverage {
  readonly parameterA: string;
  readonly parameterB: string;
  readonly possible: number;
  readonly covered: number;
}

/** An array as a grid: rows with their values, and what of each two factors stands in them. */
export interface ArrayCoverage {
  readonly factors: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly pairs: readonly PairCoverage[];
}

/** What a generated suite covers. */
export interface SuiteCoverage {
  readonly title: string;
  /** What is known of its size, a line each. */
  readonly sizeProof: readonly string[];
  readonly complete: boolean;
  readonly unreachable: readonly string[];
  readonly charts: readonly ChartCoverage[];
  readonly array: ArrayCoverage | null;
}
