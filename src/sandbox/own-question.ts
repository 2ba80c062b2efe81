import type { OwnInput } from '../../machines/own/evaluate-own.ts';
import type { LedgerEntry } from '../../machines/own/ledger.ts';
import { emptyEntry, ledgerKeys } from '../../machines/own/ledger.ts';
import { OwnCampaign } from '../../machines/own/own-campaign.ts';
import type { OwnAttempt, OwnTenant, OwnUser } from '../../machines/own/own-facts.ts';
import type { OwnRuleset } from '../../machines/own/own-ruleset.ts';
import { collectInput, getOwnUser, type OwnState, type OwnUserState } from '../../machines/own/own-state.ts';
import type { SnoozeRecord, UserFacts } from '../../machines/vocabulary.ts';
import { toOwnUser } from '../journal/own-campaign-facts.ts';
import type { OwnCampaignState } from '../journal/own-campaign-state.ts';

/** Hypothetical sign-in of a user of an own campaign, with all that its verdict can depend on. */
export interface OwnQuestion {
  readonly ruleset: OwnRuleset;
  readonly tenant: OwnTenant;
  readonly attempt: OwnAttempt;
  readonly user: OwnUser;
  readonly owner: Omit<OwnUserState, 'user'>;
  readonly ledger: OwnCampaignState['ledger'];
  readonly edition: string | null;
  /** Snooze of the facts of a user who has no ledger yet; `null` for a ruleset without a ledger of users. */
  readonly snooze: SnoozeRecord | null;
}

/** Returns a sign-in of an own campaign, with the state that it begins in. */
export function createQuestion(own: OwnCampaignState, facts: UserFacts, attempt: OwnAttempt): OwnQuestion {
  const { createdAtMs, signInTimesMs, prompts, status, lastAttempt } = getOwnUser(own, facts.id);
  return {
    ruleset: own.ruleset,
    tenant: own.tenant,
    attempt,
    user: toOwnUser(facts, own.ruleset),
    owner: { createdAtMs, signInTimesMs, prompts, ended: new Map(), status, lastAttempt },
    ledger: own.ledger,
    edition: own.edition,
    snooze: own.hasUserLedger ? facts.snooze : null,
  };
}

/** Time and facts of a question that differ from those of the sign-in. */
export interface ChangedQuestion {
  readonly nowMs: number;
  readonly tenant: OwnTenant;
  readonly user: OwnUser;
  readonly attempt: OwnAttempt;
}

/**
 * Returns what a sign-in would be evaluated on: the prompts of the user that were closed, or that expire by its time, are
 * settled first (A40, A41). Nothing of the sandbox changes.
 *
 * @param question - the sign-in
 * @param changed - its time and facts
 */
export function settleQuestion(
  question: OwnQuestion,
  { nowMs, tenant, user, attempt: given }: ChangedQuestion,
): OwnInput {
  const { ruleset, owner, edition } = question;
  const attempt = { ...given, nowMs };
  const copy: OwnUserState = { ...owner, user, signInTimesMs: [...owner.signInTimesMs], ended: new Map() };
  const users = new Map([[user.id, copy]]);
  const ledger = copyLedger(question, { tenant, user, attempt });
  const state: OwnState = { ruleset, tenant, users, ledger, edition };
  new OwnCampaign(state).settlePendingCloses(user.id, nowMs);
  const { facts, entries } = collectInput(state, copy, attempt);
  return { facts, entries };
}

/** Returns the entries that the sign-in can read, in any edition, and those that its open prompts can change. */
function copyLedger(
  { ruleset, owner, ledger, snooze }: OwnQuestion,
  facts: Pick<ChangedQuestion, 'tenant' | 'user' | 'attempt'>,
): Map<string, LedgerEntry> {
  const all = [ruleset.first, ...ruleset.editions.map(({ rules }) => rules)];
  const keys = [...all.flatMap((rules) => ledgerKeys(facts, rules)), ...owner.prompts.flatMap((prompt) => prompt.keys)];
  const copy = new Map<string, LedgerEntry>();
  for (const { key } of keys) {
    const entry = ledger.get(key);
    if (entry !== undefined) copy.set(key, entry);
  }
  const key = `user=${facts.user.id}`;
  if (snooze !== null && !ledger.has(key) && (snooze.count > 0 || snooze.snoozedAtMs !== null)) {
    copy.set(key, { ...emptyEntry({ key, parts: ['user'] }), ...snooze });
  }
  return copy;
}
