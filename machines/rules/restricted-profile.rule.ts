import { findPasskeyProfiles, isEligible, isRestricted } from '../passkey-profiles.ts';
import type { EffectiveCampaign, PasskeyPolicy, UserFacts } from '../vocabulary.ts';
import { met, notApplicable, type Rule, stopped } from './rule.ts';

interface RestrictedProfileFacts {
  readonly tenant: {
    readonly methodsPolicy: { readonly fido2: Pick<PasskeyPolicy, 'includeTargets' | 'profiles'> };
  };
  readonly user: Pick<UserFacts, 'id'>;
  readonly campaign: Pick<EffectiveCampaign, 'state'>;
  readonly memberOf: ReadonlySet<string>;
}

/**
 * R11.7: Under provider management, a restricted passkey profile stops the prompt, or several profiles if all are
 * restricted (A29). A ruleset that treats profiles as eligibility stops the prompt if none of them is eligible
 * (A30).
 */
export const restrictedProfileRule: Rule<RestrictedProfileFacts> = {
  id: 'R11.7',
  summary: 'Passkey, provider managed: a passkey profile of the user allows the prompt.',
  source: ['R11.7', 'A28', 'A29', 'A30'],
  appliesTo: 'fido2',
  reads: [
    'tenant.methodsPolicy.fido2.includeTargets',
    'tenant.methodsPolicy.fido2.profiles',
    'user.id',
    'campaign.state',
    'memberOf',
  ],
  reasons: ['restricted-profile'],
  evaluate: ({ tenant, user, campaign, memberOf }, ruleset) => {
    if (campaign.state !== 'providerManaged') return notApplicable({ state: campaign.state });
    const profiles = findPasskeyProfiles(tenant.methodsPolicy.fido2, user.id, memberOf);
    const passes =
      ruleset.profiles === 'eligibility' ? isEligible : (profile: (typeof profiles)[number]) => !isRestricted(profile);
    const saw = { profiles: profiles.map((profile) => ({ id: profile.id, passes: passes(profile) })) };
    return profiles.some(passes) ? met(saw) : stopped('restricted-profile', saw);
  },
};
