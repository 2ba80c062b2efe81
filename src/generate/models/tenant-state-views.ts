import { type CampaignContext, getEffectiveValues } from '../../../machines/campaign.machine.ts';
import type { EffectivePolicy } from '../../../machines/nudge.machine.ts';
import type { NudgeQuotient } from '../../../machines/nudge-quotient.ts';
import type { EffectiveCampaign } from '../../../machines/vocabulary.ts';
import type { Reading } from '../exploration/product.ts';
import { toQuotient } from './nudge-model.ts';
import type { UserClass } from './user-model.ts';

/** Parts of a user's lifecycle that a sign-in reads. */
export interface NudgeStatusView extends Pick<NudgeQuotient, 'count' | 'daysElapsed' | 'registered'> {
  /** Ids of the open prompts. */
  readonly open: readonly string[];
  /** `true` if one of them has a pending close. */
  readonly left: boolean;
}

/** Count, days, registered method and open prompts of the user's lifecycle. */
export const userNudgeStatus: Reading<NudgeStatusView> = {
  part: 'nudge',
  view: (state) => {
    const { count, daysElapsed, registered, openPrompts } = toQuotient(state as never);
    const open = (state.context.openPrompts as readonly { readonly id: string }[]).map(({ id }) => id);
    return { count, daysElapsed, registered, open, left: openPrompts.some(({ left }) => left) };
  },
};

/** Settings that the rules receive. */
export const tenantOfCampaign: Reading<CampaignContext['tenant']> = {
  part: 'campaign',
  view: ({ context }) => (context as CampaignContext).tenant,
};

/** Effective campaign values, from the tenant or the provider. */
export const campaignInForce: Reading<EffectiveCampaign> = {
  part: 'campaign',
  view: ({ context }) => getEffectiveValues(context as CampaignContext),
};

/** Part of the effective values that the lifecycle receives (A39). */
export const policyOfCampaign: Reading<EffectivePolicy> = {
  part: 'campaign',
  view: ({ context }) => {
    const { limited, snoozeDays } = getEffectiveValues(context as CampaignContext);
    return { limited, snoozeDays };
  },
};

/** Class of the user. */
export const whichUser: Reading<UserClass> = { part: 'user', view: ({ value }) => value as UserClass };
