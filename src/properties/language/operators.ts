import { comparisons } from './formula.ts';

/** Keys of an operator in a file. The first one names the operator. */
export interface Operator {
  readonly keys: readonly string[];
  /** Keys of which exactly one is needed in addition. */
  readonly oneOf?: readonly string[];
  readonly optional?: readonly string[];
}

/** Operators in the order in which their keys are searched. */
export const operators: readonly Operator[] = [
  { keys: ['when', 'then'] },
  { keys: ['hold'], oneOf: ['until', 'unless'], optional: ['within'] },
  { keys: ['first', 'before'] },
  { keys: ['times', 'atMost', 'between'] },
  { keys: ['fact'], oneOf: comparisons },
  { keys: ['state'] },
  { keys: ['page'] },
  { keys: ['rises'] },
  { keys: ['falls'] },
  { keys: ['changes'] },
  { keys: ['event'], optional: ['with'] },
  { keys: ['action'] },
  { keys: ['time'] },
  { keys: ['previously'] },
  { keys: ['not'] },
  { keys: ['all'] },
  { keys: ['any'] },
  { keys: ['next'] },
  { keys: ['always'], optional: ['for'] },
  { keys: ['never'], optional: ['for'] },
  { keys: ['eventually'], optional: ['within'] },
];
