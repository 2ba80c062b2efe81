import type { Product, Reading } from '../../generate/exploration/product.ts';
import type { Journey } from '../../generate/journey.ts';
import type { FactScalar } from '../language/formula.ts';

/** Fact of a model that properties can name. */
export interface ModelFact {
  readonly name: string;
  /** All values of an enumeration, reached or not. Absent: properties can name only values that are reached. */
  readonly declared?: readonly FactScalar[];
  readonly reads: readonly Reading[];
  /** Returns the value for the values of the readings, in their order. */
  readonly value: (views: readonly unknown[]) => FactScalar;
}

/** Step of a model as the conditions of properties see it. */
export interface ModelStep {
  readonly action: string;
  /** Events that the action sends in this state. */
  readonly events: readonly { readonly type: string }[];
}

/** What every model has: the names that properties use, and its clock. */
interface NamedModel {
  readonly name: string;
  /** Duration of a step of the clock in milliseconds, and a check for such steps; `null` without a clock. */
  readonly clock: { readonly stepMs: number; readonly advances: (step: ModelStep) => boolean } | null;
  /** Actions that take place even if they send no event, such as a sign-in without a prompt. */
  readonly takenWithoutEvent: ReadonlySet<string>;
}

/** Product of machines with the names that properties use. */
export interface ProductModel extends NamedModel {
  readonly product: Product;
  readonly facts: readonly ModelFact[];
  /** Maximum number of states. Default: that of products. */
  readonly limitStates?: number;
  /** Converts a path of action names to a journey that every driver can run; `null` if the model has no such steps. */
  readonly toJourney: ((name: string, actions: readonly string[]) => Journey) | null;
}

/** Values of one fact: a number for each state, and the value for each number. */
export interface FactColumn {
  readonly name: string;
  readonly numbers: Uint32Array;
  readonly values: readonly FactScalar[];
}

/** Reachable states with their steps. State 0 is the start, and states are numbered in breadth-first order. */
export interface ExploredStates {
  readonly states: number;
  /** Offset of the steps of each state, followed by the total number. */
  readonly offsets: Uint32Array;
  readonly targets: Int32Array;
  /** Number of each step in `steps`. */
  readonly labels: Uint16Array;
  readonly steps: readonly ModelStep[];
}

/** How the scenario of a path is written. */
export interface ScenarioPlace {
  /** Path of the ruleset file, as the scenario names it. */
  readonly rulesetPath: string;
  /** Comment at the start of the file. */
  readonly comment: string;
}

/** Model whose states were explored already, such as one user under an own ruleset. */
export interface ExploredModel extends NamedModel {
  readonly explored: ExploredStates;
  readonly facts: readonly FactColumn[];
  readonly events: readonly string[];
  readonly actions: readonly string[];
  /** Path of the ruleset that the model was explored for; `null` if it has no file. */
  readonly rulesetFile: string | null;
  /** Formats a path of action names as a scenario file with what the model does as its expectations. */
  readonly formatScenario: (name: string, actions: readonly string[], place: ScenarioPlace) => string | null;
}

/** Model that properties are checked on. */
export type PropertyModel = ProductModel | ExploredModel;
