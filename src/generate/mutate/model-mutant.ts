import type { GateLookup } from '../../../machines/ruleset-gates.ts';
import type { ModelParts } from '../../sandbox/sandbox.ts';
import { type MachineOperator, machineOperators } from './machine-mutant.ts';

/** Mutation operators for rules and their data, with descriptions. */
export const ruleOperators = {
  'outcome-flipped': 'a gate stops where it should pass, and passes where it should stop',
  'gate-always-met': 'a gate never stops',
  'gate-always-stops': 'a gate always stops',
  'gate-of-both-methods': 'a gate for one method also applies to the other method',
  'reason-changed': 'a gate stops with another of its reasons',
  'gate-removed': 'a ruleset omits a gate',
  'gates-swapped': 'a ruleset evaluates two gates in reverse order',
  'boundary-shifted': 'a gate reads a number as one more or one less',
  'fact-negated': 'a gate reads true as false',
  'list-emptied': 'a gate reads a list as empty',
  'cell-flipped': 'a cell of the suppression matrix is inverted',
  'value-changed': 'a value of a ruleset is different',
  'limit-shifted': 'a limit is one more or one less',
} as const;
export type RuleOperator = keyof typeof ruleOperators;

export type ModelOperator = RuleOperator | MachineOperator;

/** Description of every mutation operator, by name. */
export const modelOperators: Readonly<Record<ModelOperator, string>> = { ...ruleOperators, ...machineOperators };

/** Part of a model that contains a fault; the rest of the model behaves the same. */
export type FaultyPart = 'evaluator' | 'nudge' | 'signIn' | 'campaign' | 'ruleset' | 'limits';

/** Model with one fault. */
export interface ModelMutant {
  /** Identifier of the fault, stable across runs. */
  readonly id: string;
  readonly operator: ModelOperator;
  readonly place: string;
  readonly part: FaultyPart;
  /** Ids of the affected rules and assumptions. */
  readonly rules: readonly string[];
  readonly parts: ModelParts;
  /** Gate lookup, if the fault is in a gate. */
  readonly gateOf?: GateLookup;
}
