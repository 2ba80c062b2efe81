/** A plain value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One thing that varies, with the values it may take; no two values of a factor may be the same JSON. */
export interface Parameter {
  readonly name: string;
  readonly values: readonly Json[];
}

/** One row of an array: a value for each factor, by its name. */
export type TestRow = Readonly<Record<string, Json>>;

/** What rows must fulfil: a predicate over some factors. It must answer the same for the same values, always. */
export interface Constraint {
  /** What it says, for messages. */
  readonly name: string;
  readonly factors: readonly string[];
  /** Takes the values of its factors, by name. */
  readonly holds: (values: TestRow) => boolean;
}

/** Some factors whose combinations are wanted at another strength than the rest. */
export interface VariableStrength {
  readonly factors: readonly string[];
  readonly strength: number;
}

/** What a covering array is made for. */
export interface CoveringArrayOptions {
  readonly factors: readonly Parameter[];
  /** How many factors are combined fully: 2, 3 or 4; 1 asks for every value once. Default: 2. */
  readonly strength?: number | undefined;
  readonly mixed?: readonly VariableStrength[] | undefined;
  readonly constraints?: readonly Constraint[] | undefined;
  /** Values that cannot stand in one row, each a part of a row. */
  readonly forbidden?: readonly TestRow[] | undefined;
  /** Rows that must be there, in this order; what a row leaves open is filled. */
  readonly seeds?: readonly TestRow[] | undefined;
  /** `fast` takes the first array that covers; `optimal` works on until the bound or the end of its work. Default: `fast`. */
  readonly mode?: 'fast' | 'optimal' | undefined;
  /**
   * Time in ms after which the best so far is taken. The work is counted, and ends by itself, so that the result does not depend
   * on the clock unless this is reached; default: 60,000.
   */
  readonly budgetMs?: number | undefined;
  /** Seed of all draws; default: 1. */
  readonly seed?: number | undefined;
  /** Told of every array that is better than the one before. */
  readonly onProgress?: ((progress: { readonly size: number; readonly lowerBound: number }) => void) | undefined;
}

/** A combination of values, by the names of their factors. */
export type ValueCombination = TestRow;

/** A covering array with what is known about it. */
export interface CoveringArray {
  readonly rows: readonly TestRow[];
  readonly size: number;
  /** No array for this has fewer rows: counted over combinations that can occur. */
  readonly lowerBound: number;
  /** Whether the size is the lower bound. */
  readonly optimal: boolean;
  /** Whether every combination that can occur stands in a row; false only when the clock ended the work. */
  readonly complete: boolean;
  /** Combinations that can occur, and those of them that stand in a row. */
  readonly tuples: number;
  readonly covered: number;
  /** Combinations that no row can have under the constraints, in the order of the factors. */
  readonly impossible: readonly ValueCombination[];
  /** Combinations that can occur and stand in no row. */
  readonly uncovered: readonly ValueCombination[];
  /** Why the work ended: the bound was reached, the counted work was done, or the clock cut it. */
  readonly endedBy: 'bound' | 'work' | 'clock';
}
