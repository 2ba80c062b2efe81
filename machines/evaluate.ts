import { listFactPaths, readingsFrom } from './campaign-facts.ts';
import { effectiveCampaign } from './effective-campaign.ts';
import { transitiveGroups } from './membership.ts';
import { holds } from './own/condition.ts';
import type { Condition } from './own/condition-data.ts';
import { getPlatform } from './platform.ts';
import type { GateFacts, Rule } from './rules/rule.ts';
import { createGates, type GateLookup, getGates, rulesInForce } from './ruleset-gates.ts';
import type {
  EffectiveCampaign,
  Facts,
  GateOutcome,
  MfaMethod,
  Reason,
  RuleResult,
  Ruleset,
  RulesetExtension,
  TenantFacts,
  UserFacts,
  Verdict,
  VerdictOutcome,
  Warning,
} from './vocabulary.ts';

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

/** Returns the fact paths that a derived fact depends on under a ruleset. */
export function listDerivedReads(name: keyof typeof derivedFacts, { extension }: Ruleset): readonly string[] {
  const { reads } = derivedFacts[name];
  if (name !== 'campaign' || extension === undefined) return reads;
  return withConditions(reads, extension.campaign, extension);
}

/** Returns the fact paths that `getPromptOutcome` may read under a ruleset. */
export function listPromptReads({ extension }: Ruleset): readonly string[] {
  if (extension === undefined) return promptFactPaths;
  const { required, blocked } = extension.requirement;
  return withConditions(promptFactPaths, [{ when: required }, { when: blocked }], extension);
}

/** Returns the fact paths that `findWarnings` may read under a ruleset. */
export function listWarningReads({ extension }: Ruleset): readonly string[] {
  if (extension === undefined || extension.unusable.length === 0) return warningFactPaths;
  const reads = [...warningFactPaths, 'attempt.mfa.completed', 'attempt.mfa.method', 'attempt.mfa.provider'];
  return withConditions(reads, extension.unusable, extension);
}

function withConditions(
  reads: readonly string[],
  parts: readonly { readonly when: Condition | null }[],
  extension: RulesetExtension,
): readonly string[] {
  return [
    ...new Set([...reads, ...parts.flatMap(({ when }) => (when === null ? [] : listFactPaths(when, extension)))]),
  ];
}

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
  const rules = rulesInForce(ruleset, facts.attempt.nowMs);
  return evaluateGates(getGates(rules), facts, rules);
}

/**
 * Creates a function that works like `evaluate` with gates from a custom lookup, such as a modified rule.
 *
 * @param gateOf - lookup that returns the gate for an id
 */
export function createEvaluator(gateOf: GateLookup): (facts: Facts, ruleset: Ruleset) => Verdict {
  return (facts, ruleset) => {
    const rules = rulesInForce(ruleset, facts.attempt.nowMs);
    return evaluateGates(createGates(rules, gateOf), facts, rules);
  };
}

function evaluateGates(gates: readonly Rule[], facts: Facts, ruleset: Ruleset): Verdict {
  const gateFacts = deriveGateFacts(facts, ruleset);
  const rules: RuleResult[] = [];
  let reason: Reason | null = null;
  for (const rule of gates) {
    const result = evaluateGate(rule, gateFacts, ruleset);
    if (result.outcome === 'stopped') reason ??= result.reason;
    rules.push({ id: rule.id, ...result });
  }
  return {
    ruleset: ruleset.id,
    ...(ruleset.edition === undefined ? {} : { edition: ruleset.edition }),
    outcome: reason === null ? getPromptOutcome(gateFacts, ruleset) : 'none',
    reason,
    rules,
    warnings: findWarnings(gateFacts, ruleset),
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

/** What a ruleset demands of a user regardless of earlier snoozes (OC23), or `null`. */
export function findDemand(facts: Partial<GateFacts>, { extension }: Ruleset): 'required' | 'blocked' | null {
  if (extension === undefined) return null;
  const readings = readingsFrom(facts, extension);
  const { required, blocked } = extension.requirement;
  if (blocked !== null && holds(blocked, readings)) return 'blocked';
  return required !== null && holds(required, readings) ? 'required' : null;
}

/**
 * Returns the outcome of a verdict without a stop. R6, A2: the next prompt is required once the snooze limit is
 * reached, or if the ruleset demands it.
 */
export function getPromptOutcome(facts: PromptFacts, ruleset: Ruleset): VerdictOutcome {
  const demand = findDemand(facts as Partial<GateFacts>, ruleset);
  if (demand !== null) return demand;
  const { user, campaign } = facts;
  return campaign.limited && user.snooze.count >= ruleset.limits.snoozeLimit ? 'required' : 'skippable';
}

interface PromptFacts {
  readonly user: { readonly snooze: Pick<UserFacts['snooze'], 'count'> };
  readonly campaign: Pick<EffectiveCampaign, 'limited'>;
}

interface WarningFacts {
  readonly tenant: { readonly campaign: Pick<TenantFacts['campaign'], 'includeTargets'> };
  readonly campaign: Pick<EffectiveCampaign, 'state'>;
}

/**
 * Returns the warnings of a verdict. A15: an enabled campaign without include targets prompts no one. OC18: a second
 * factor that the pages do not offer was used.
 */
export function findWarnings(facts: WarningFacts, ruleset: Ruleset): readonly Warning[] {
  const { tenant, campaign } = facts;
  const warnings = ruleset.extension === undefined ? [] : findUnusableFactor(facts as Partial<GateFacts>, ruleset);
  if (campaign.state !== 'enabled' || tenant.campaign.includeTargets.length > 0) return warnings;
  return [
    {
      code: 'include-targets-empty',
      message: 'The campaign is enabled without include targets, so no users are in scope (A15).',
    },
    ...warnings,
  ];
}

function findUnusableFactor(facts: Partial<GateFacts>, ruleset: Ruleset): readonly Warning[] {
  const unusable = listUnusableFactors(facts, ruleset);
  if (unusable.length === 0) return [];
  const { completed = false, provider, method = null } = facts.attempt?.mfa ?? {};
  if (!completed || provider !== 'service' || method === null || !unusable.includes(method)) return [];
  return [
    {
      code: 'unusable-factor',
      message: `The second factor of this sign-in was ${method}, which the ruleset no longer offers to this user.`,
    },
  ];
}

/**
 * Returns the second factors that a ruleset does not offer to a user (OC18).
 *
 * @param facts - facts of the tenant, the user and, if conditions read it, the attempt
 * @param ruleset - rules in force
 */
export function listUnusableFactors(facts: Partial<GateFacts>, { extension }: Ruleset): readonly MfaMethod[] {
  if (extension === undefined) return [];
  const readings = readingsFrom(facts, extension);
  return extension.unusable.flatMap(({ when, methods }) => (when === null || holds(when, readings) ? methods : []));
}
