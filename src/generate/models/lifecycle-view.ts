import { type CampaignContext, getEffectiveValues } from '../../../machines/campaign.machine.ts';
import { dayMs, snoozeLimit } from '../../../machines/campaign-limits.ts';
import { maySnooze } from '../../../machines/nudge.machine.ts';
import { nudgeStateAt, snoozeEndsAtMs } from '../../../machines/snooze.ts';
import type { SnapshotFrom } from '../../compiled/model.ts';
import { frozenAtMs, type NudgeMachine, toQuotient } from './nudge-model.ts';

type Parts = ReadonlyMap<string, unknown>;

/** What a user sees: the page of the tab, and on a prompt whether it can be skipped and how many snoozes are left. */
export interface UserView {
  /** `null` without an open prompt: the user is signed in, or was not nudged. */
  readonly page: 'prompt' | 'required' | 'setup' | 'error-screen' | 'closed' | null;
  readonly skippable: boolean | null;
  /** `null` without a limit, and where no prompt says it. */
  readonly snoozesLeft: number | null;
}

/** What the control API tells besides: the nudge status, and when the next prompt may come. */
export interface ControlView extends UserView {
  readonly state: string;
  /** Up to three: more make no difference. */
  readonly snoozes: number;
  /** In whole days from now; `null` when no snooze runs. */
  readonly daysToNextPrompt: number | null;
}

const pages = { offered: 'prompt', setup: 'setup', error: 'error-screen' } as const;

/**
 * What the user can see in a state of the lifecycle product. What the next sign-in will be like is not seen in the state itself
 * but by signing in, which is one of the actions. Takes the states of the parts by name.
 */
export function userView(parts: Parts): UserView {
  const { limited, count, prompt } = readingsOf(parts);
  if (prompt === undefined) return { page: null, skippable: null, snoozesLeft: null };
  if (prompt.left) return { page: 'closed', skippable: null, snoozesLeft: null };
  if (prompt.phase !== 'offered') return { page: pages[prompt.phase], skippable: null, snoozesLeft: null };
  const page = prompt.required ? 'required' : 'prompt';
  return { page, skippable: maySnooze(count, limited), snoozesLeft: limited ? snoozeLimit - count : null };
}

/** What the user and the control API can see in a state of the lifecycle product. Takes the states of the parts by name. */
export function controlView(parts: Parts): ControlView {
  const { limited, count, snoozeDays, state } = readingsOf(parts);
  const { context } = parts.get('nudge') as SnapshotFrom<NudgeMachine>;
  const moment = { nowMs: frozenAtMs, snoozeDays };
  const endsAtMs = snoozeEndsAtMs(context, moment);
  return {
    ...userView(parts),
    snoozesLeft: limited ? snoozeLimit - count : null,
    state: nudgeStateAt(state, context, moment),
    snoozes: count,
    daysToNextPrompt: endsAtMs === null ? null : Math.ceil((endsAtMs - frozenAtMs) / dayMs),
  };
}

function readingsOf(parts: Parts) {
  const nudge = toQuotient(parts.get('nudge') as SnapshotFrom<NudgeMachine>);
  const campaign = parts.get('campaign') as { readonly context: CampaignContext };
  return { ...nudge, ...pick(getEffectiveValues(campaign.context)), prompt: nudge.openPrompts[0] };
}

function pick({ limited, snoozeDays }: { readonly limited: boolean; readonly snoozeDays: number }) {
  return { limited, snoozeDays };
}
