import { nudgeStateAt } from '../../../machines/snooze.ts';
import type { EffectiveCampaign } from '../../../machines/vocabulary.ts';
import { toInstant } from '../../core/clock.ts';
import { formatCount } from '../../core/format-count.ts';
import type { CampaignModel } from '../model/campaign-model.ts';
import type { Hypothesis } from '../model/hypothesis.ts';

/** Part of the description that is the same for all users in this situation. */
export function describePattern(h: Hypothesis, atMs: number, model: CampaignModel): string {
  const campaign = model.campaignAt(atMs);
  const { snoozeLimit } = model.ruleset.limits;
  const used = h.count > snoozeLimit ? `more than ${snoozeLimit}` : `${h.count}`;
  return `${stateName(h, atMs, model, campaign)}, ${used} ${campaign.limited ? `of ${snoozeLimit} snoozes used` : 'snoozes used'}`;
}

/** Describes the state in which a user may be. */
export function describeState(h: Hypothesis, atMs: number, model: CampaignModel): string {
  const campaign = model.campaignAt(atMs);
  const pattern = describePattern(h, atMs, model);
  const missing = h.missing > 0 ? `, with ${formatCount(h.missing, 'missing event')}` : '';
  if (!h.shape.snoozed || h.shape.prompts.length > 0) return `${pattern}${missing}`;
  const durationMs = campaign.snoozeDays * model.ruleset.limits.dayMs;
  const [from, to] = [h.snoozeLo + durationMs, h.snoozeHi + durationMs].map((endMs) => toShownInstant(endMs));
  return `${pattern}, snooze until ${from === to ? from : `between ${from} and ${to}`}${missing}`;
}

/** Formats an instant; the bounds of what is not known are outside of the calendar. */
export function toShownInstant(atMs: number): string {
  return Math.abs(atMs) > instantMax ? 'an unknown time' : toInstant(atMs);
}

const instantMax = 8_640_000_000_000_000;

function stateName(h: Hypothesis, atMs: number, { ruleset }: CampaignModel, { snoozeDays }: EffectiveCampaign): string {
  const { state, snoozed, prompts } = h.shape;
  const [prompt] = prompts;
  if (prompt !== undefined) {
    const page = { offered: prompt.required ? 'required prompt' : 'prompt', setup: 'setup', error: 'error screen' }[
      prompt.phase
    ];
    return `${page} ${prompt.left ? 'closed' : 'open'}`;
  }
  const record = { snoozedAtMs: snoozed ? h.snoozeHi : null, openPrompts: [] };
  return stateNames[nudgeStateAt(state, record, { nowMs: atMs, snoozeDays }, ruleset.limits)];
}

const stateNames = {
  notPrompted: 'not prompted',
  prompted: 'prompted',
  snoozed: 'snoozed',
  registrationRequired: 'registration required',
  registered: 'registered',
} as const;
