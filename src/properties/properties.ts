/**
 * Temporal properties: `nudgelab/properties`. A property is built from formulas and checked on every infinite path of a
 * model.
 *
 * ```ts
 * import { always, checkProperties, createBuiltInModel, defineProperty, state, when } from 'nudgelab/properties';
 * ```
 */

export {
  type CheckOptions,
  type Counterexample,
  type CounterexampleStep,
  checkProperties,
  type PropertyResult,
} from './check/check-properties.ts';
export type { Comparison, Condition, FactScalar, Formula, Property, RightSide } from './language/formula.ts';
export {
  action,
  all,
  always,
  any,
  atMostTimes,
  defineProperty,
  event,
  eventually,
  type FactComparison,
  type FactReference,
  fact,
  never,
  next,
  not,
  type PropertyDefinition,
  page,
  precedes,
  previously,
  state,
  type TimeBound,
  timePasses,
  unless,
  until,
  when,
} from './language/formula-builder.ts';
export { readPropertiesFile, readPropertiesText } from './language/read-properties.ts';
export { createBuiltInModel, type ModelSettings } from './models/built-in-models.ts';
export { type MachineClock, machinePropertyModel } from './models/machine-model.ts';
export { modelNames } from './models/model-names.ts';
export type { ExploredModel, ModelFact, ModelStep, ProductModel, PropertyModel } from './models/property-model.ts';
export { openRulesetModel, type RulesetModel } from './own/open-ruleset-model.ts';
