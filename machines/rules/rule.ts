import type {
  EffectiveCampaign,
  EvaluatedFacts,
  Facts,
  GateOutcome,
  Platform,
  Reason,
  RuleId,
  Ruleset,
  TargetedMethod,
} from '../vocabulary.ts';

/** Facts for the gates: the given facts and those derived once for all gates. */
export interface GateFacts extends Facts {
  readonly campaign: EffectiveCampaign;
  /** Normalized ids of all groups of the user, including nested groups (A14). */
  readonly memberOf: ReadonlySet<string>;
  readonly platform: Platform;
}

/** Gate of the catalog. `Reads` is the part of the facts that `evaluate` may read. */
export interface Rule<Reads = GateFacts> {
  readonly id: RuleId;
  readonly summary: string;
  /** Sources of the rule: ids of the specification's rules and of the assumptions that it depends on. */
  readonly source: readonly string[];
  /** Targeted method of the rule. The rule is not applicable to campaigns for the other method. */
  readonly appliesTo: 'both' | TargetedMethod;
  /** Fact paths that `evaluate` may read. A test fails if it reads any other path. */
  readonly reads: readonly string[];
  /** Reason codes with which the rule can stop a prompt. */
  readonly reasons: readonly Reason[];
  evaluate(facts: Reads, ruleset: Ruleset): GateOutcome;
}

/** Returns the outcome of a gate that passed. */
export function met(saw: EvaluatedFacts): GateOutcome {
  return { outcome: 'met', saw };
}

/** Returns the outcome of a gate that stopped the prompt, with its reason code. */
export function stopped(reason: Reason, saw: EvaluatedFacts): GateOutcome {
  return { outcome: 'stopped', reason, saw };
}

/** Returns the outcome of a gate that does not apply to the attempt. */
export function notApplicable(saw: EvaluatedFacts): GateOutcome {
  return { outcome: 'not-applicable', saw };
}
