import { dayMs, snoozeLimit } from '../../../machines/campaign-limits.ts';
import { maySnooze } from '../../../machines/nudge.machine.ts';
import type { NudgeQuotient } from '../../../machines/nudge-quotient.ts';
import { nudgeStateAt } from '../../../machines/snooze.ts';
import { type EffectiveCampaign, nudgeStates } from '../../../machines/vocabulary.ts';
import type { Reading } from '../../generate/exploration/product.ts';
import { frozenAtMs, toQuotient } from '../../generate/models/nudge-model.ts';
import { campaignInForce, whichUser } from '../../generate/models/tenant-state-views.ts';
import type { FactScalar } from '../language/formula.ts';
import type { ModelFact } from './property-model.ts';

const lifecycle: Reading<NudgeQuotient> = { part: 'nudge', view: (state) => toQuotient(state as never) };

interface Views {
  readonly nudge: NudgeQuotient;
  readonly campaign: EffectiveCampaign;
}

const pages = { offered: 'prompt', setup: 'setup', error: 'error-screen' } as const;
const pageNames = [...Object.values(pages), 'required', 'closed'];

function define(name: string, value: (views: Views) => FactScalar): ModelFact {
  return {
    name,
    reads: [lifecycle, campaignInForce],
    value: ([nudge, campaign]) => value({ nudge: nudge as NudgeQuotient, campaign: campaign as EffectiveCampaign }),
  };
}

function isRunning({ nudge: { daysElapsed }, campaign: { snoozeDays } }: Views): boolean {
  return daysElapsed !== null && daysElapsed < snoozeDays;
}

function getPage({ nudge: { openPrompts } }: Views): string | null {
  const [prompt] = openPrompts;
  if (prompt === undefined) return null;
  if (prompt.left) return 'closed';
  return prompt.phase === 'offered' && prompt.required ? 'required' : pages[prompt.phase];
}

function getState({ nudge, campaign: { snoozeDays } }: Views): string {
  const snoozedAtMs = nudge.daysElapsed === null ? null : frozenAtMs - nudge.daysElapsed * dayMs;
  return nudgeStateAt(nudge.state, { snoozedAtMs, openPrompts: nudge.openPrompts }, { nowMs: frozenAtMs, snoozeDays });
}

/** Facts of a user's lifecycle under a campaign. */
export const lifecycleFacts: readonly ModelFact[] = [
  { ...define('state', getState), declared: nudgeStates },
  { ...define('page', getPage), declared: pageNames },
  define('skippable', (views) =>
    getPage(views) === 'prompt' ? maySnooze(views.nudge.count, views.campaign.limited) : null,
  ),
  // Counts above three make no difference.
  define('snoozes', ({ nudge }) => nudge.count),
  define('snoozesLeft', ({ nudge, campaign }) => (campaign.limited ? snoozeLimit - nudge.count : null)),
  define('snoozeRunning', isRunning),
  define('daysSinceSnooze', ({ nudge }) => nudge.daysElapsed),
  define('snoozeDays', ({ campaign }) => campaign.snoozeDays),
  define('limited', ({ campaign }) => campaign.limited),
  define('campaign', ({ campaign }) => campaign.state),
  define('targetedMethod', ({ campaign }) => campaign.method),
  define('registered', ({ nudge }) => nudge.registered),
  define('promptRequired', ({ nudge }) => nudge.openPrompts[0]?.required ?? null),
  { name: 'user', reads: [whichUser], value: ([user]) => user as string },
];
