import { emptyEntry } from '../../machines/own/ledger.ts';
import type { OwnStatus } from '../../machines/own/own-campaign.ts';
import type { SnoozeRecord } from '../../machines/vocabulary.ts';
import type { OwnCampaignState } from './own-campaign-state.ts';

/** Takes over the snooze of a user's facts who has no ledger yet. */
export function seedLedger(own: OwnCampaignState, userId: string, { count, snoozedAtMs }: SnoozeRecord): void {
  const key = `user=${userId}`;
  if (!own.hasUserLedger || own.ledger.has(key) || (count === 0 && snoozedAtMs === null)) return;
  own.ledger.set(key, { ...emptyEntry({ key, parts: ['user'] }), count, snoozedAtMs });
}

/** Returns the nudge status of a user at a time, or `null` for a user who has not signed in yet. */
export function findOwnStatus(own: OwnCampaignState, userId: string, nowMs: number): OwnStatus | null {
  return own.users.has(userId) ? own.campaign.status(userId, nowMs) : null;
}
