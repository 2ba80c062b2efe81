/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Parameter of a covering array with its possible values, which must differ as JSON. */
export interface Parameter {
  readonly name: string;
  readonly values: readonly Json[];
}

/** Row of a covering array: a value for each parameter, by parameter name. */
export type TestRow = Readonly<Record<string, Json>>;

/** Constraint on rows: a predicate over some parameters. It must be deterministic. */
export interface Constraint {
  /** Description of the constraint for messages. */
  readonly name: string;
  readonly factors: readonly string[];
  /** Predicate on the values of the constraint's parameters, by name. */
  readonly holds: (values: TestRow) => boolean;
}

/** Parameters that are covered at another strength than the rest. */
export interface VariableStrength {
  readonly factors: readonly string[];
  readonly strength: number;
}

/** Options of a covering array. */
export interface CoveringArrayOptions {
  readonly factors: readonly Parameter[];
  /** Strength from 1 to 4; strength 1 covers each single value. Default: 2. */
  readonly strength?: number | undefined;
  readonly mixed?: readonly VariableStrength[] | undefined;
  readonly constraints?: readonly Constraint[] | undefined;
  /** Combinations that must not occur together in a row. */
  readonly forbidden?: readonly TestRow[] | undefined;
  /** Required rows, in this order; open values are filled in. */
  readonly seeds?: readonly TestRow[] | undefined;
  /**
   * `fast` returns the first array that covers all combinations. `optimal` continues until the size reaches the lower
   * bound or the work limit is reached. Default: `fast`.
   */
  readonly mode?: 'fast' | 'optimal' | undefined;
  /**
   * Time limit in milliseconds, after which the best array so far is returned. The search also ends after a fixed
   * amount of counted work, so the result depends on the clock only if this limit is reached. Default: 60,000.
   */
  readonly budgetMs?: number | undefined;
  /** Random seed. Default: 1. */
  readonly seed?: number | undefined;
  /** Called for each array that is smaller than the previous one. */
  readonly onProgress?: ((progress: { readonly size: number; readonly lowerBound: number }) => void) | undefined;
}

/** Combination of values, by parameter name. */
export type ValueCombination = TestRow;

/** Covering array with its size bounds and coverage. */
export interface CoveringArray {
  readonly rows: readonly TestRow[];
  readonly size: number;
  /** Lower bound on the number of rows, computed from the possible combinations. */
  readonly lowerBound: number;
  /** `true` if the size equals the lower bound. */
  readonly optimal: boolean;
  /** `true` if every possible combination is covered; `false` only if the time limit ended the search. */
  readonly complete: boolean;
  /** Number of possible combinations, and number of those that are covered. */
  readonly tuples: number;
  readonly covered: number;
  /** Combinations that the constraints exclude from every row, in parameter order. */
  readonly impossible: readonly ValueCombination[];
  /** Possible combinations that no row covers. */
  readonly uncovered: readonly ValueCombination[];
  /** Reason the search ended: the lower bound, the limit of counted work, or the time limit. */
  readonly endedBy: 'bound' | 'work' | 'clock';
}
