import type { EffectiveCampaign } from '../vocabulary.ts';
import { met, type Rule, stopped } from './rule.ts';

interface CampaignStateFacts {
  readonly campaign: Pick<EffectiveCampaign, 'state'>;
}

/**
 * C1 with R14: A campaign has no end date and runs until an administrator disables it, so this rule does not use
 * the clock.
 */
export const campaignStateRule: Rule<CampaignStateFacts> = {
  id: 'C1',
  summary: 'The campaign is enabled, or rolled out by the provider in the default state.',
  source: ['C1', 'R14', 'A17'],
  appliesTo: 'both',
  reads: ['campaign.state'],
  reasons: ['campaign-disabled'],
  evaluate: ({ campaign }) => {
    const saw = { state: campaign.state };
    return campaign.state === 'disabled' ? stopped('campaign-disabled', saw) : met(saw);
  },
};
