import type { LedgerEntry } from '../../../machines/own/ledger.ts';
import type { OwnState } from '../../../machines/own/own-state.ts';

/** Instants that an entry of the ledger has. */
export const ledgerTimes = ['snoozedAtMs', 'answeredAtMs', 'firstShownAtMs', 'lastShownAtMs', 'doneAtMs'] as const;

/** Lists the entries of a ledger in the order of their keys. */
export function sortEntries({ ledger }: OwnState): readonly LedgerEntry[] {
  return [...ledger.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** Caps a count that only matters modulo a period above its cap. */
export function capPeriodic(value: number, cap: number, period: number): number {
  return value <= cap ? value : cap + ((value - cap) % period);
}

/** Keeps at most some passkeys of each type, in the order of their types. */
export function capPasskeys<T extends { readonly type: string }>(passkeys: readonly T[], most: number): readonly T[] {
  const sorted = passkeys.toSorted((a, b) => (a.type < b.type ? -1 : a.type > b.type ? 1 : 0));
  return sorted.filter((one, index) => sorted.slice(0, index).filter(({ type }) => type === one.type).length < most);
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
