import { logoutTokensMax } from '../../core/limits.ts';
import type { LogoutDelivery } from './logout-delivery.ts';
import type { OidcRecordStore } from './oidc-record-store.ts';

/** Logout token in the outbox (OpenID Connect Back-Channel Logout 1.0). */
export interface LogoutNotice {
  readonly clientId: string;
  readonly userId: string;
  readonly uri: string;
  readonly token: string;
  readonly issuedAt: string;
  /** Virtual time in milliseconds at which the token expires. */
  readonly expiresAtMs: number;
  /** `true` while the server has the token to deliver. A restart in between delivers it too. */
  readonly pending: boolean;
  /** Result of the delivery. `null` if the server does not deliver, or has not finished. */
  readonly delivery: LogoutDelivery | null;
}

/** Kind of the records in the store. */
const kind = 'LogoutToken';

/**
 * Outbox of one sandbox. Tokens and the results of their delivery are stored beside the journal like sessions, so they
 * survive a restart and are visible to other processes, and a restore of an earlier state removes them.
 */
export class LogoutOutbox {
  readonly #records: OidcRecordStore;

  constructor(records: OidcRecordStore) {
    this.#records = records;
  }

  /** Returns the tokens, oldest first. */
  list(): readonly LogoutNotice[] {
    return this.#records.payloads(kind) as readonly unknown[] as readonly LogoutNotice[];
  }

  /** Returns the ids of the tokens that the server still has to deliver. */
  listPending(): readonly string[] {
    return this.#records.ids(kind).filter((id) => this.find(id)?.pending === true);
  }

  /** Finds a token by its id. `undefined` if newer ones have replaced it. */
  find(id: string): LogoutNotice | undefined {
    return this.#records.find(kind, id) as LogoutNotice | undefined;
  }

  /**
   * Adds a token, replacing the oldest one if there are as many as `logoutTokensMax` or the one with the same id.
   * Resolves when the store has it.
   */
  async add(id: string, notice: LogoutNotice): Promise<void> {
    await this.#records.put(kind, id, { ...notice }, logoutTokensMax);
  }

  /** Stores the result of a delivery. Resolves when the store has it. */
  async finish(id: string, delivery: LogoutDelivery): Promise<void> {
    const notice = this.find(id);
    if (notice !== undefined) await this.#records.update(kind, id, { ...notice, pending: false, delivery });
  }
}
