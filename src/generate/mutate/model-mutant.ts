import type { GateLookup } from '../../../machines/evaluate.ts';
import type { ModelParts } from '../../sandbox/sandbox.ts';
import { type MachineOperator, machineOperators } from './machine-mutant.ts';

/** What the operators of rules and their data do. */
export const ruleOperators = {
  'outcome-flipped': 'a gate stops where it lets pass, and lets pass where it stops',
  'gate-always-met': 'a gate never stops',
  'gate-always-stops': 'a gate stops whatever it sees',
  'gate-of-both-methods': 'a gate about one method applies to the other one too',
  'reason-changed': 'a gate stops with another of its reasons',
  'gate-removed': 'a ruleset leaves a gate out',
  'gates-swapped': 'a ruleset asks two gates in the other order',
  'boundary-shifted': 'a gate reads a number as one more or one less than it is',
  'fact-negated': 'a gate reads a yes as a no',
  'list-emptied': 'a gate reads a list as empty',
  'cell-flipped': 'a cell of the matrix says the opposite',
  'value-changed': 'a value of a ruleset is another one',
  'limit-shifted': 'a limit is one more or one less',
} as const;
export type RuleOperator = keyof typeof ruleOperators;

export type ModelOperator = RuleOperator | MachineOperator;

/** What every operator does, by its name. */
export const modelOperators: Readonly<Record<ModelOperator, string>> = { ...ruleOperators, ...machineOperators };

/** The part of a model that a fault is in: nothing else of the model behaves otherwise. */
export type FaultyPart = 'evaluator' | 'nudge' | 'signIn' | 'campaign' | 'ruleset' | 'limits';

/** The model with one fault. */
export interface ModelMutant {
  /** Names the fault; the same at every run. */
  readonly id: string;
  readonly operator: ModelOperator;
  readonly place: string;
  readonly part: FaultyPart;
  /** Ids of the rules and assumptions that it is about. */
  readonly rules: readonly string[];
  readonly parts: ModelParts;
  /** How gates are found, where the fault is in one of them. */
  readonly gateOf?: GateLookup;
}
