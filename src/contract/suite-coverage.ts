export { anyState } from '../../machines/statechart.ts';

/** State of a statechart. */
export interface ChartState {
  /** Dot-separated path of the state in its machine. */
  readonly id: string;
  readonly isInitial: boolean;
  readonly isFinal: boolean;
  /** Number of times that tests reached the state. */
  readonly times: number;
}

/** Transition of a statechart. */
export interface ChartTransition {
  /** Source state, or the machine itself if the transition leaves any state. */
  readonly from: string;
  /** Target state, or the source state if the transition has no target. */
  readonly to: string;
  readonly event: string;
  readonly guard: string | null;
  readonly actions: readonly string[];
  /** Number of times that tests executed the transition. */
  readonly times: number;
}

/** Statechart of a machine with its test coverage. */
export interface ChartCoverage {
  readonly machine: string;
  readonly states: readonly ChartState[];
  readonly transitions: readonly ChartTransition[];
}

/** Number of value combinations of two parameters, possible and covered by rows. */
export interface PairCoverage {
  readonly parameterA: string;
  readonly parameterB: string;
  readonly possible: number;
  readonly covered: number;
}

/** Covering array as a grid: its rows, and the coverage of each pair of parameters. */
export interface ArrayCoverage {
  readonly factors: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly pairs: readonly PairCoverage[];
}

/** Coverage of a generated suite. */
export interface SuiteCoverage {
  readonly title: string;
  /** Statements about the size of the suite, one per line. */
  readonly sizeProof: readonly string[];
  readonly complete: boolean;
  readonly unreachable: readonly string[];
  readonly charts: readonly ChartCoverage[];
  readonly array: ArrayCoverage | null;
}
