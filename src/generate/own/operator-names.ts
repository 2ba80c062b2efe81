import type { Written } from './written-ruleset.ts';

/** Operators of mutants of a ruleset (OC54), with what they change. */
export const rulesetOperators = {
  RM1: 'gate left out',
  RM2: 'neighboring gates swapped',
  RM3: 'condition of a gate negated',
  RM4: 'comparison left out',
  RM5: 'all and any swapped',
  RM6: 'result for an unknown value swapped',
  RM7: 'operator at its edge',
  RM8: 'another value',
  RM9: 'another duration',
  RM10: 'boundary swapped',
  RM11: 'another anchor',
  RM12: 'measure swapped',
  RM13: 'limit by one, or of another count',
  RM14: 'another effect of the limit',
  RM15: 'deadline moved, or its phases swapped',
  RM16: 'another effect of an answer',
  RM17: 'setup stores by itself, or not',
  RM18: 'answers at required prompts swapped',
  RM19: 'other keys of the ledger',
  RM20: 'cell of the matrix flipped',
  RM21: 'done always, or never',
  RM22: 'fact not set by the completion',
  RM23: 'reset left out, or one part of it',
  RM24: 'other effect of a failure',
  RM25: 'another rollout',
  RM26: 'edition moved, or left out',
  RM27: 'labels of two buttons swapped',
} as const;
export type RulesetOperator = keyof typeof rulesetOperators;

/** Mutant before it is checked. */
export interface WrittenMutant {
  readonly operator: RulesetOperator;
  /** Key that is changed, such as `gates.0.when`. */
  readonly place: string;
  /** Change in words. */
  readonly change: string;
  readonly data: Written;
}
