import { targetsUser } from '../membership.ts';
import type { EffectiveCampaign, IncludeTarget, UserFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface IncludedFacts {
  readonly tenant: { readonly campaign: { readonly includeTargets: readonly IncludeTarget[] } };
  readonly user: Pick<UserFacts, 'id'>;
  readonly campaign: Pick<EffectiveCampaign, 'state'>;
  readonly memberOf: ReadonlySet<string>;
}

/**
 * S1: The user is in an include target, directly or through nested groups (A14). Without include targets no one is
 * in scope (A15), except under provider management, where the provider's own targeting (S3) decides (A33).
 */
export const includedRule: Rule<IncludedFacts> = {
  id: 'S1',
  summary: 'The user is in an include target.',
  source: ['S1', 'A14', 'A15', 'A33'],
  appliesTo: 'both',
  reads: ['tenant.campaign.includeTargets', 'user.id', 'campaign.state', 'memberOf'],
  reasons: ['not-included'],
  evaluate: ({ tenant, user, campaign, memberOf }) => {
    const targets = tenant.campaign.includeTargets;
    if (targets.length === 0 && campaign.state === 'providerManaged') {
      return met({ state: campaign.state, includeTargets: 0 });
    }
    const target = targets.find((candidate) => targetsUser(candidate, user.id, memberOf));
    return target === undefined
      ? stopped('not-included', { includeTargets: targets.length })
      : met({ target: { targetType: target.targetType, id: target.id } });
  },
};
