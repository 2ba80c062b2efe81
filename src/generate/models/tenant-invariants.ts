import type { NudgeEvent } from '../../../machines/nudge.machine.ts';
import type { EffectiveCampaign } from '../../../machines/vocabulary.ts';
import type { ProductInvariant, Reading } from '../exploration/product.ts';
import { campaignInForce, type NudgeStatusView, userNudgeStatus, whichUser } from './tenant-state-views.ts';
import type { UserClass } from './user-model.ts';

type PromptShown = Extract<NudgeEvent, { type: 'prompt.shown' }>;

/** Creates an invariant over every prompt that a sign-in shows. */
function ofPrompts(
  id: string,
  sentence: string,
  reads: readonly Reading[],
  holds: (prompt: PromptShown, views: readonly unknown[]) => boolean,
): ProductInvariant {
  return {
    id,
    sentence,
    actions: ['signs in'],
    reads,
    holds: (views, sent) => {
      const event = sent.get('nudge') as NudgeEvent | undefined;
      return event?.type !== 'prompt.shown' || holds(event, views);
    },
  };
}

/** Invariants of every sign-in for all settings, users and snooze states, written without the rules. */
export const tenantInvariants: readonly ProductInvariant[] = [
  ofPrompts(
    'tenant.no-prompt-while-snoozed',
    'No prompt is newly shown inside the current snooze window (R5, A6).',
    [userNudgeStatus, campaignInForce],
    (_, [nudgeStatus, campaign]) => {
      const { daysElapsed } = nudgeStatus as NudgeStatusView;
      return daysElapsed === null || daysElapsed >= (campaign as EffectiveCampaign).snoozeDays;
    },
  ),
  ofPrompts(
    'tenant.excluded-never-prompted',
    'An excluded user is never prompted (S2).',
    [whichUser],
    (_, [user]) => (user as UserClass) !== 'excluded',
  ),
  ofPrompts(
    'tenant.disabled-never-prompts',
    'No user is prompted while the campaign is disabled (C1, R14).',
    [campaignInForce],
    (_, [campaign]) => (campaign as EffectiveCampaign).state !== 'disabled',
  ),
  ofPrompts(
    'tenant.required-by-limit',
    'A prompt is required exactly when the limit is on and three snoozes are used (R6, A2).',
    [userNudgeStatus, campaignInForce],
    ({ required }, [nudgeStatus, campaign]) =>
      required === ((campaign as EffectiveCampaign).limited && (nudgeStatus as NudgeStatusView).count >= 3),
  ),
  ofPrompts(
    'tenant.registered-not-prompted',
    'A user who registered the targeted method is not prompted for it (R10.1, R11.3).',
    [userNudgeStatus],
    ({ method }, [nudgeStatus]) => (nudgeStatus as NudgeStatusView).registered !== method,
  ),
];
