import type { EffectiveCampaign, RegisteredMethod, Rollout, UserFacts } from '../vocabulary.ts';
import { met, notApplicable, type Rule, stopped } from './rule.ts';

interface ProviderTargetingFacts {
  readonly tenant: { readonly rollout: Pick<Rollout, 'targeting'> };
  readonly user: Pick<UserFacts, 'methods' | 'mfaCapable'>;
  readonly campaign: Pick<EffectiveCampaign, 'state'>;
}

const voiceOrSms: readonly RegisteredMethod[] = ['voice', 'sms'];

/**
 * S3: Under provider management, the campaign targets users with a voice-call or text-message method before the
 * targeting rollout (A34), and all MFA-capable users after it.
 */
export const providerTargetingRule: Rule<ProviderTargetingFacts> = {
  id: 'S3',
  summary:
    'Provider managed: users with voice call or text message; after the targeting rollout, all MFA-capable users.',
  source: ['S3', 'A34'],
  appliesTo: 'both',
  reads: ['tenant.rollout.targeting', 'user.methods', 'user.mfaCapable', 'campaign.state'],
  reasons: ['not-voice-or-sms', 'not-mfa-capable'],
  evaluate: ({ tenant, user, campaign }) => {
    if (campaign.state !== 'providerManaged') return notApplicable({ state: campaign.state });
    if (tenant.rollout.targeting) {
      const saw = { targetingRolledOut: true, mfaCapable: user.mfaCapable };
      return user.mfaCapable ? met(saw) : stopped('not-mfa-capable', saw);
    }
    const saw = { targetingRolledOut: false, methods: user.methods };
    return user.methods.some((method) => voiceOrSms.includes(method)) ? met(saw) : stopped('not-voice-or-sms', saw);
  },
};
