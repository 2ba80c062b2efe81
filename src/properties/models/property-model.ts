import type { Product, Reading } from '../../generate/exploration/product.ts';
import type { Journey } from '../../generate/journey.ts';
import type { FactScalar } from '../language/formula.ts';

/** Fact of a model that properties can name. */
export interface ModelFact {
  readonly name: string;
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

/** Product of machines with the names that properties use. */
export interface PropertyModel {
  readonly name: string;
  readonly product: Product;
  readonly facts: readonly ModelFact[];
  /** Duration of a step of the clock in milliseconds, and a check for such steps; `null` without a clock. */
  readonly clock: { readonly stepMs: number; readonly advances: (step: ModelStep) => boolean } | null;
  /** Actions that take place even if they send no event, such as a sign-in without a prompt. */
  readonly takenWithoutEvent: ReadonlySet<string>;
  /** Maximum number of states. Default: that of products. */
  readonly limitStates?: number;
  /** Converts a path of action names to a journey that every driver can run; `null` if the model has no such steps. */
  readonly toJourney: ((name: string, actions: readonly string[]) => Journey) | null;
}
