import type { LedgerEntry } from '../../machines/own/ledger.ts';
import type { OwnRuleset } from '../../machines/own/own-ruleset.ts';
import type { TenantFacts } from '../../machines/vocabulary.ts';
import { type KeptUser, OwnCampaignState } from './own-campaign-state.ts';
import type { UserTable } from './user-table.ts';

/** Values of an own campaign in a snapshot, as plain JSON. */
export interface OwnHead {
  readonly startMs: number;
  readonly edition: string | null;
  readonly signIns: number;
  readonly sessions: readonly (readonly [string, string])[];
  readonly clearedBrowsers: readonly (readonly [string, number])[];
}

/** Users and ledgers of an own campaign in a snapshot. */
export interface OwnRecords {
  readonly users: readonly (readonly [string, KeptUser])[];
  readonly ledger: readonly LedgerEntry[];
}

/** Captures the values of an own campaign. */
export function captureHead({ startMs, edition, signIns, sessions, clearedBrowsers }: OwnCampaignState): OwnHead {
  return { startMs, edition, signIns, sessions: [...sessions], clearedBrowsers: [...clearedBrowsers] };
}

/** Captures users and ledgers of an own campaign. Prompts and entries are replaced and never changed. */
export function captureRecords({ users, ledger }: OwnCampaignState): OwnRecords {
  return { users: users.entries(), ledger: [...ledger.values()] };
}

/** Splits users and ledgers in slices of a number of records. */
export function* sliceOwn({ users, ledger }: OwnRecords, size: number): Generator<OwnRecords, void> {
  for (let index = 0; index < users.length; index += size) {
    yield { users: users.slice(index, index + size), ledger: [] };
  }
  for (let index = 0; index < ledger.length; index += size) {
    yield { users: [], ledger: ledger.slice(index, index + size) };
  }
}

/** Creates an own campaign with the values of a snapshot, without its users and ledgers. */
export function beginOwn(
  ruleset: OwnRuleset,
  head: OwnHead | undefined,
  tenant: TenantFacts,
  users: UserTable,
): OwnCampaignState {
  const own = new OwnCampaignState(ruleset, tenant, users, head?.startMs ?? 0);
  if (head !== undefined) {
    own.setValues({ ...head, sessions: new Map(head.sessions), clearedBrowsers: new Map(head.clearedBrowsers) });
  }
  return own;
}
