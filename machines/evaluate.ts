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

/** Finds the gate of an id. */
export type GateLookup = (id: GateId) => Rule;

/** A fact that is derived once for all gates, and the paths that it may be derived from. */
interface DerivedFact<T> {
  /** A test fails when `derive` reads another path. */
  readonly reads: readonly string[];
  readonly derive: (facts: Facts, ruleset: Ruleset) => T;
}

/** What is derived before the gates evaluate: effective campaign, nested groups and platform. */
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

/** Paths that `getPromptOutcome` and `findWarnings` may read; a test fails when they read another. */
export const promptFactPaths: readonly string[] = ['campaign.limited', 'user.snooze.count'];
export const warningFactPaths: readonly string[] = ['campaign.state', 'tenant.campaign.includeTargets'];

/** The gates of each ruleset in its order, looked up once. */
const gatesByRuleset = new WeakMap<Ruleset, readonly Rule[]>();

/**
 * Evaluates one sign-in attempt: would this user be asked, on this device, now, and if not, why.
 * Takes the facts of tenant, user and attempt and a ruleset. Returns the verdict with every gate's outcome in the ruleset's
 * order and what it looked at; the first gate that stopped is the reason. Pure: time is the fact `attempt.nowMs`.
 */
export function evaluate(facts: Facts, ruleset: Ruleset): Verdict {
  return evaluateGates(getGates(ruleset), facts, ruleset);
}

/** An evaluator whose gates are found by the caller, as for a changed rule. Takes how they are found; evaluates as `evaluate` does. */
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
 * The facts that gates see: the given ones with effective campaign, nested groups and platform derived once.
 * Takes the facts and the ruleset whose provider-managed values apply.
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

/** Evaluates one gate; a gate about the other method, or about a method when none is targeted, is not applicable. */
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

/** R6, A2: with the limit on and three snoozes used, the next prompt has no skip. */
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

/** A15: an enabled campaign without include targets reaches no one and says so. */
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
      message: 'The campaign is enabled without include targets, so no one is in scope (A15).',
    },
  ];
}
