import { type CampaignContext, getEffectiveValues } from '../../../machines/campaign.machine.ts';
import { dayMs, snoozeLimit } from '../../../machines/campaign-limits.ts';
import { maySnooze } from '../../../machines/nudge.machine.ts';
import { nudgeStateAt, snoozeEndsAtMs } from '../../../machines/snooze.ts';
import type { SnapshotFrom } from '../../compiled/model.ts';
import { frozenAtMs, type NudgeMachine, toQuotient } from './nudge-model.ts';

type Parts = ReadonlyMap<string, unknown>;

/**
 * State from the user's view: the page of the tab and, on a prompt, whether it can be skipped and how many snoozes are
 * left.
 */
export interface UserView {
  /** Page of the tab; `null` if no prompt is open, because the user is signed in or was not prompted. */
  readonly page: 'prompt' | 'required' | 'setup' | 'error-screen' | 'closed' | null;
  readonly skippable: boolean | null;
  /** Snoozes left; `null` if snoozes are unlimited or no prompt shows the number. */
  readonly snoozesLeft: number | null;
}

/** Additional values from the control API: the nudge status, and the earliest time of the next prompt. */
export interface ControlView extends UserView {
  readonly state: string;
  /** Snooze count up to three; higher counts make no difference. */
  readonly snoozes: number;
  /** Whole days from now until the next prompt; `null` if no snooze is running. */
  readonly daysToNextPrompt: number | null;
}

const pages = { offered: 'prompt', setup: 'setup', error: 'error-screen' } as const;

/**
 * Returns the user's view of a lifecycle product state. The view excludes the result of the next sign-in, which becomes
 * visible only through the sign-in action.
 * @param parts - part states by name
 */
export function userView(parts: Parts): UserView {
  const { limited, count, prompt } = createReadings(parts);
  if (prompt === undefined) return { page: null, skippable: null, snoozesLeft: null };
  if (prompt.left) return { page: 'closed', skippable: null, snoozesLeft: null };
  if (prompt.phase !== 'offered') return { page: pages[prompt.phase], skippable: null, snoozesLeft: null };
  const page = prompt.required ? 'required' : 'prompt';
  return { page, skippable: maySnooze(count, limited), snoozesLeft: limited ? snoozeLimit - count : null };
}

/**
 * Returns the view of the user and the control API of a lifecycle product state.
 * @param parts - part states by name
 */
export function controlView(parts: Parts): ControlView {
  const { limited, count, snoozeDays, state } = createReadings(parts);
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

function createReadings(parts: Parts) {
  const nudge = toQuotient(parts.get('nudge') as SnapshotFrom<NudgeMachine>);
  const campaign = parts.get('campaign') as { readonly context: CampaignContext };
  return { ...nudge, ...pick(getEffectiveValues(campaign.context)), prompt: nudge.openPrompts[0] };
}

function pick({ limited, snoozeDays }: { readonly limited: boolean; readonly snoozeDays: number }) {
  return { limited, snoozeDays };
}
