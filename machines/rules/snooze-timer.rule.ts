import { snoozeElapsedMs, snoozeEndsAtMs } from '../snooze.ts';
import type { AttemptFacts, EffectiveCampaign, SnoozeRecord } from '../vocabulary.ts';
import { met, notApplicable, type Rule, stopped } from './rule.ts';

interface SnoozeTimerFacts {
  readonly user: { readonly snooze: Pick<SnoozeRecord, 'snoozedAtMs'> };
  readonly attempt: Pick<AttemptFacts, 'nowMs'>;
  readonly campaign: Pick<EffectiveCampaign, 'snoozeDays'>;
}

/**
 * R5: A user is prompted again at the first MFA after the snooze duration. A day is 24 hours on the virtual clock,
 * and the snooze is over at exactly its end (A6). The current duration applies to the stored time (A7). The elapsed
 * time is never negative, even if the clock was set back.
 */
export const snoozeTimerRule: Rule<SnoozeTimerFacts> = {
  id: 'R5',
  summary: 'The snooze duration has elapsed.',
  source: ['R5', 'R8', 'A5', 'A6', 'A7', 'A8'],
  appliesTo: 'both',
  reads: ['user.snooze.snoozedAtMs', 'attempt.nowMs', 'campaign.snoozeDays'],
  reasons: ['snoozed'],
  evaluate: ({ user, attempt, campaign }, { limits }) => {
    const { snoozedAtMs } = user.snooze;
    if (snoozedAtMs === null) return notApplicable({ snoozedAtMs });
    const { nowMs } = attempt;
    const { snoozeDays } = campaign;
    const saw = { snoozedAtMs, elapsedMs: snoozeElapsedMs({ snoozedAtMs }, nowMs), snoozeDays };
    const isOver = snoozeEndsAtMs({ snoozedAtMs }, { nowMs, snoozeDays }, limits) === null;
    return isOver ? met(saw) : stopped('snoozed', saw);
  },
};
