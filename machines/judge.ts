import { effectiveCampaign } from './effective-campaign.ts';
import { transitiveGroups } from './membership.ts';
import { platformOf } from './platform.ts';
import { ruleOf } from './rules/register.ts';
import type { GateFacts, Rule } from './rules/rule.ts';
import type {
  EffectiveCampaign,
  Facts,
  GateId,
  GateOutcome,
  ReasonCode,
  Ruleset,
  RuleTrace,
  TenantFacts,
  UserFacts,
  Verdict,
  VerdictOutcome,
  Warning,
} from './vocabulary.ts';

/** Finds the gate of an id. */
export type GateOf = (id: GateId) => Rule;

/** A fact that is derived once for all gates, and the paths that it may be derived from. */
interface DerivedFact<T> {
  /** A test fails when `of` reads another path. */
  readonly reads: readonly string[];
  readonly of: (facts: Facts, ruleset: Ruleset) => T;
}

/** What is derived before the gates judge: effective campaign, nested groups and platform. */
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
    of: ({ tenant }, ruleset) => effectiveCampaign(tenant, ruleset),
  },
  memberOf: {
    reads: ['tenant.groups', 'user.groups'],
    of: ({ tenant, user }) => transitiveGroups(tenant.groups, user.groups),
  },
  platform: { reads: ['attempt.os', 'attempt.browser'], of: ({ attempt }) => platformOf(attempt) },
};

/** Paths that `promptFor` and `warningsOf` may read; a test fails when they read another. */
export const promptReads: readonly string[] = ['campaign.limited', 'user.snooze.count'];
export const warningReads: readonly string[] = ['campaign.state', 'tenant.campaign.includeTargets'];

/** The gates of each ruleset in its order, looked up once. */
const gatesByRuleset = new WeakMap<Ruleset, readonly Rule[]>();

/**
 * Judges one sign-in attempt: would this user be asked, on this device, now, and if not, why.
 * Takes the facts of tenant, user and attempt and a ruleset. Returns the verdict with every gate's outcome in the ruleset's
 * order and what it looked at; the first gate that stopped is the reason. Pure: time is the fact `attempt.nowMs`.
 */
export function judge(facts: Facts, ruleset: Ruleset): Verdict {
  return judgeBy(gatesOf(ruleset), facts, ruleset);
}

/** A judge whose gates are found by the caller, as for a changed rule. Takes how they are found; judges as `judge` does. */
export function judgeWith(gateOf: GateOf): (facts: Facts, ruleset: Ruleset) => Verdict {
  return (facts, ruleset) => judgeBy(ruleset.order.map(gateOf), facts, ruleset);
}

function judgeBy(gates: readonly Rule[], facts: Facts, ruleset: Ruleset): Verdict {
  const gateFacts = gateFactsOf(facts, ruleset);
  const rules: RuleTrace[] = [];
  let reason: ReasonCode | null = null;
  for (const rule of gates) {
    const result = evaluate(rule, gateFacts, ruleset);
    if (result.outcome === 'stopped') reason ??= result.reason;
    rules.push({ id: rule.id, ...result });
  }
  return {
    ruleset: ruleset.id,
    outcome: reason === null ? promptFor(gateFacts, ruleset) : 'none',
    reason,
    rules,
    warnings: warningsOf(gateFacts),
    campaign: gateFacts.campaign,
  };
}

/**
 * The facts that gates see: the given ones with effective campaign, nested groups and platform derived once.
 * Takes the facts and the ruleset whose provider-managed values apply.
 */
export function gateFactsOf(facts: Facts, ruleset: Ruleset): GateFacts {
  return {
    tenant: facts.tenant,
    user: facts.user,
    attempt: facts.attempt,
    campaign: derivedFacts.campaign.of(facts, ruleset),
    memberOf: derivedFacts.memberOf.of(facts, ruleset),
    platform: derivedFacts.platform.of(facts, ruleset),
  };
}

/** Evaluates one gate; a gate about the other method, or about a method when none is targeted, is not applicable. */
export function evaluate(rule: Rule, facts: GateFacts, ruleset: Ruleset): GateOutcome {
  if (rule.appliesTo !== 'both' && rule.appliesTo !== facts.campaign.method) {
    return { outcome: 'not-applicable', saw: { targetedMethod: facts.campaign.method } };
  }
  return rule.judge(facts, ruleset);
}

function gatesOf(ruleset: Ruleset): readonly Rule[] {
  const known = gatesByRuleset.get(ruleset);
  if (known !== undefined) return known;
  const gates = ruleset.order.map(ruleOf);
  gatesByRuleset.set(ruleset, gates);
  return gates;
}

/** R6, A2: with the limit on and three snoozes used, the next prompt has no skip. */
export function promptFor(
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

/** A15: an enabled campaign without include targets reaches nobody and says so. */
export function warningsOf({
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
      message: 'The campaign is enabled without include targets, so nobody is in scope (A15).',
    },
  ];
}
