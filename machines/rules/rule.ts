import type {
  EffectiveCampaign,
  EvaluatedFacts,
  Facts,
  GateId,
  GateOutcome,
  Platform,
  ReasonCode,
  Ruleset,
  TargetedMethod,
} from '../vocabulary.ts';

/** Facts as the gates see them: the given ones and those derived once for all gates. */
export interface GateFacts extends Facts {
  readonly campaign: EffectiveCampaign;
  /** Comparable ids of all groups of the user, nested ones included (A14). */
  readonly memberOf: ReadonlySet<string>;
  readonly platform: Platform;
}

/** One gate of the catalogue. `Reads` is the part of the facts that its `evaluate` may look at. */
export interface Rule<Reads = GateFacts> {
  readonly id: GateId;
  readonly summary: string;
  /** Where the rule stands: ids of the specification's rules and of the decisions it leans on. */
  readonly source: readonly string[];
  /** The targeted method the rule is about; under another one it is not applicable. */
  readonly appliesTo: 'both' | TargetedMethod;
  /** Paths into the facts that `evaluate` may read; a test fails when it reads another. */
  readonly reads: readonly string[];
  /** The reason codes with which the rule may stop. */
  readonly reasons: readonly ReasonCode[];
  evaluate(facts: Reads, ruleset: Ruleset): GateOutcome;
}

/** The gate lets the nudge pass. */
export function met(saw: EvaluatedFacts): GateOutcome {
  return { outcome: 'met', saw };
}

/** The gate stops the nudge with its reason code. */
export function stopped(reason: ReasonCode, saw: EvaluatedFacts): GateOutcome {
  return { outcome: 'stopped', reason, saw };
}

/** The gate has nothing to say about this attempt. */
export function notApplicable(saw: EvaluatedFacts): GateOutcome {
  return { outcome: 'not-applicable', saw };
}
