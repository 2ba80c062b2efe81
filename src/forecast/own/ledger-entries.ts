import type { LedgerEntry } from '../../../machines/own/ledger.ts';
import type { EarlierTimes, OpenOwnPrompt, OwnState } from '../../../machines/own/own-state.ts';
import { earlierRoles, type OwnTimes, type Role } from './own-times.ts';

/** Instants that an entry of the ledger has. */
export const ledgerTimes = ['snoozedAtMs', 'answeredAtMs', 'firstShownAtMs', 'lastShownAtMs', 'doneAtMs'] as const;

/** Lists the entries of a ledger in the order of their keys. */
export function sortEntries({ ledger }: OwnState): readonly LedgerEntry[] {
  return [...ledger.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** Caps a count that only matters modulo a period above its cap. */
function capPeriodic(value: number, cap: number, period: number): number {
  return value <= cap ? value : cap + ((value - cap) % period);
}

/** Keeps at most some passkeys of each type, in the order of their types. */
export function capPasskeys<T extends { readonly type: string }>(passkeys: readonly T[], most: number): readonly T[] {
  const sorted = passkeys.toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0));
  return sorted.filter((one, index) => sorted.slice(0, index).filter(({ type }) => type === one.type).length < most);
}

/** Instant of an open prompt that a rule can read when the prompt is answered. */
interface EarlierTime {
  readonly at: string;
  readonly field: keyof EarlierTimes;
  readonly role: Role;
}

/** Lists the times before a prompt that a rule reads when the prompt is answered. */
export function listEarlier({ id }: Pick<OpenOwnPrompt, 'id'>, { atAnswers }: OwnTimes): readonly EarlierTime[] {
  return (Object.keys(earlierRoles) as (keyof EarlierTimes)[]).flatMap((field) => {
    const role = earlierRoles[field];
    return atAnswers.has(role) ? [{ at: `prompt ${id}|${field}`, field, role }] : [];
  });
}

/** Returns the times before a prompt without those that no rule reads when it is answered. */
export function reduceEarlier(prompt: OpenOwnPrompt, times: OwnTimes): EarlierTimes {
  const read = new Set(listEarlier(prompt, times).map(({ field }) => field));
  const kept = Object.entries(prompt.earlier).map(([field, atMs]) => [
    field,
    read.has(field as keyof EarlierTimes) ? atMs : null,
  ]);
  return { ...prompt.earlier, ...Object.fromEntries(kept) };
}

/**
 * Returns an entry without what no rule depends on.
 *
 * @param entry - entry of a ledger
 * @param times - what the rules compare
 * @param live - sessions in which the user can sign in again
 */
export function reduceEntry(entry: LedgerEntry, times: OwnTimes, live: ReadonlySet<string>): LedgerEntry {
  const { caps, qualifyingPeriod } = times;
  const sessions = entry.sessions.slice(entry.sessions.findIndex((one) => live.has(one)));
  const kept: LedgerEntry = {
    ...entry,
    count: Math.min(entry.count, caps.count),
    shown: Math.min(entry.shown, caps.shown),
    qualifying: capPeriodic(entry.qualifying, caps.qualifying, qualifyingPeriod),
    ...Object.fromEntries(ledgerTimes.map((role) => [role, times.uses(role) ? entry[role] : null])),
    sessions: sessions.some((one) => live.has(one)) ? sessions : [],
  };
  return { ...kept, snoozedBy: kept.snoozedAtMs === null ? null : kept.snoozedBy };
}

/** Checks whether an entry has nothing that a rule could read. */
export function isBlank({ count, never, sessions, shown, qualifying, ...times }: LedgerEntry): boolean {
  return (
    count === 0 &&
    !never &&
    sessions.length === 0 &&
    shown === 0 &&
    qualifying === 0 &&
    ledgerTimes.every((role) => times[role as keyof typeof times] === null)
  );
}
