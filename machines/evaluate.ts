import { effectiveCampaign } from './effective-campaign.ts';
import { transitiveGroups } from './membership.ts';
import { getPlatform } from './platform.ts';
import type { GateFacts, Rule } from './rules/rule.ts';
import { getRule } from './rules/rule-registry.ts';
import type {
  EffectiveCampaign,
  Facts,
  GateId,
  GateOutcome,
  ReasonCode,
  RuleResult,
  Ruleset,
  TenantFacts,
  UserFacts,
  Verdict,
  VerdictOutcome,
  Warning,
} from './vocabulary.ts';

/** Function that finds a gate by its id. */
export type GateLookup = (id: GateId) => Rule;

/** Fact that is derived once for all gates, with the fact paths that it depends on. */
interface DerivedFact<T> {
  /** Fact paths that `derive` may read. A test fails if it reads any other path. */
  readonly reads: readonly string[];
  readonly derive: (facts: Facts, ruleset: Ruleset) => T;
}

/** Facts derived before the gates are evaluated: the effective campaign, the nested groups and the platform. */
export const derivedFacts: { readonly [K in Exclude<keyof GateFacts, keyof Facts>]: DerivedFact<GateFacts[K]> } = {
  campaign: {
    reads: [
      'tenant.campaign.state',
      'tenant.campaign.includeTargets',
      'tenant.campaign.snoozeDurationInDays',
      'tenant.campaign.enforceRegistrationAfterAllowedSnoozes',
      'tenant.rollout',
      'tenant.subscription',
      'tenant.methodsPolicy.fido2.keyRestrictions',
    ],
    derive: ({ tenant }, ruleset) => effectiveCampaign(tenant, ruleset),
  },
  memberOf: {
    reads: ['tenant.groups', 'user.groups'],
    derive: ({ tenant, user }) => transitiveGroups(tenant.groups, user.groups),
  },
  platform: { reads: ['attempt.os', 'attempt.browser'], derive: ({ attempt }) => getPlatform(attempt) },
};

/** Fact paths that `getPromptOutcome` and `findWarnings` may read. A test fails if they read any other path. */
export const promptFactPaths: readonly string[] = ['campaign.limited', 'user.snooze.count'];
export const warningFactPaths: readonly string[] = ['campaign.state', 'tenant.campaign.includeTargets'];

/** Gates of each ruleset in evaluation order, cached after the first lookup. */
const gatesByRuleset = new WeakMap<Ruleset, readonly Rule[]>();

/**
 * Evaluates one sign-in attempt: whether the user would be prompted on this device now, and the reason if not. The
 * evaluation is pure, because the current time is the fact `attempt.nowMs`.
 *
 * @param facts - facts of the tenant, the user and the attempt
 * @param ruleset - ruleset to evaluate
 * @returns the verdict with the outcome and evaluated facts of every gate in ruleset order. The first gate that
 *   stopped is the reason.
 */
export function evaluate(facts: Facts, ruleset: Ruleset): Verdict {
  return evaluateGates(getGates(ruleset), facts, ruleset);
}

/**
 * Creates a function that works like `evaluate` with gates from a custom lookup, such as a modified rule.
 *
 * @param gateOf - lookup that returns the gate for an id
 */
export function createEvaluator(gateOf: GateLookup): (facts: Facts, ruleset: Ruleset) => Verdict {
  return (facts, ruleset) => evaluateGates(ruleset.order.map(gateOf), facts, ruleset);
}

function evaluateGates(gates: readonly Rule[], facts: Facts, ruleset: Ruleset): Verdict {
  const gateFacts = deriveGateFacts(facts, ruleset);
  const rules: RuleResult[] = [];
  let reason: ReasonCode | null = null;
  for (const rule of gates) {
    const result = evaluateGate(rule, gateFacts, ruleset);
    if (result.outcome === 'stopped') reason ??= result.reason;
    rules.push({ id: rule.id, ...result });
  }
  return {
    ruleset: ruleset.id,
    outcome: reason === null ? getPromptOutcome(gateFacts, ruleset) : 'none',
    reason,
    rules,
    warnings: findWarnings(gateFacts),
    campaign: gateFacts.campaign,
  };
}

/**
 * Derives the facts for the gates: the given facts with the effective campaign, the nested groups and the platform.
 *
 * @param facts - facts of the tenant, the user and the attempt
 * @param ruleset - ruleset that supplies the provider-managed values
 */
export function deriveGateFacts(facts: Facts, ruleset: Ruleset): GateFacts {
  return {
    tenant: facts.tenant,
    user: facts.user,
    attempt: facts.attempt,
    campaign: derivedFacts.campaign.derive(facts, ruleset),
    memberOf: derivedFacts.memberOf.derive(facts, ruleset),
    platform: derivedFacts.platform.derive(facts, ruleset),
  };
}

/**
 * Evaluates one gate. A gate is not applicable if it belongs to the other method, or to any method while none is
 * targeted.
 */
export function evaluateGate(rule: Rule, facts: GateFacts, ruleset: Ruleset): GateOutcome {
  if (rule.appliesTo !== 'both' && rule.appliesTo !== facts.campaign.method) {
    return { outcome: 'not-applicable', saw: { targetedMethod: facts.campaign.method } };
  }
  return rule.evaluate(facts, ruleset);
}

function getGates(ruleset: Ruleset): readonly Rule[] {
  const known = gatesByRuleset.get(ruleset);
  if (known !== undefined) return known;
  const gates = ruleset.order.map(getRule);
  gatesByRuleset.set(ruleset, gates);
  return gates;
}

/**
 * Returns the outcome of a verdict without a stop. R6, A2: the next prompt is required once the snooze limit is
 * reached.
 */
export function getPromptOutcome(
  {
    user,
    campaign,
  }: {
    readonly user: { readonly snooze: Pick<UserFacts['snooze'], 'count'> };
    readonly campaign: Pick<EffectiveCampaign, 'limited'>;
  },
  { limits }: Pick<Ruleset, 'limits'>,
): VerdictOutcome {
  return campaign.limited && user.snooze.count >= limits.snoozeLimit ? 'required' : 'skippable';
}

/** Returns the warnings of a verdict. A15: an enabled campaign without include targets prompts no one. */
export function findWarnings({
  tenant,
  campaign,
}: {
  readonly tenant: { readonly campaign: Pick<TenantFacts['campaign'], 'includeTargets'> };
  readonly campaign: Pick<EffectiveCampaign, 'state'>;
}): readonly Warning[] {
  if (campaign.state !== 'enabled' || tenant.campaign.includeTargets.length > 0) return [];
  return [
    {
      code: 'include-targets-empty',
      message: 'The campaign is enabled without include targets, so no users are in scope (A15).',
    },
  ];
}
