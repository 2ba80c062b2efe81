import { targetsUser } from '../membership.ts';
import type { ExcludeTarget, UserFacts } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface ExcludedFacts {
  readonly tenant: { readonly campaign: { readonly excludeTargets: readonly ExcludeTarget[] } };
  readonly user: Pick<UserFacts, 'id'>;
  readonly memberOf: ReadonlySet<string>;
}

/**
 * S2: An exclusion takes precedence over every inclusion, whether direct or inherited from a nested group (A14).
 */
export const excludedRule: Rule<ExcludedFacts> = {
  id: 'S2',
  summary: 'The user is not in any exclude target.',
  source: ['S2', 'A14'],
  appliesTo: 'both',
  reads: ['tenant.campaign.excludeTargets', 'user.id', 'memberOf'],
  reasons: ['excluded'],
  evaluate: ({ tenant, user, memberOf }) => {
    const targets = tenant.campaign.excludeTargets;
    const target = targets.find((candidate) => targetsUser(candidate, user.id, memberOf));
    return target === undefined
      ? met({ excludeTargets: targets.length })
      : stopped('excluded', { target: { targetType: target.targetType, id: target.id } });
  },
};
