import type { AdapterPayload as Payload } from 'oidc-provider';
import { afterPendingInput, toInstant } from '../../core/clock.ts';
import { randomId } from '../../core/ids.ts';
import type { SandboxState } from '../../journal/state.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { endSignedIn } from '../identity/signed-in-session.ts';
import { fixtureClient } from './clients.ts';
import { deliverLogoutToken, type LogoutDelivery } from './logout-delivery.ts';
import type { OidcRecordStore } from './oidc-record-store.ts';

/** Part of a session that belongs to one application. */
export interface SessionPart {
  readonly sid?: string | undefined;
  /** Issuer and subject in the ID tokens of the application. */
  readonly iss?: string;
  readonly sub?: string;
  readonly grantId?: string | undefined;
  /** Sign-ins for which the session was used. */
  readonly signInIds?: readonly string[];
}

/** Session that has ended, for all of its applications or some of them. */
export interface EndedSession {
  readonly userId: string;
  readonly parts: Readonly<Record<string, SessionPart>>;
}

/** Logout token in the outbox (OpenID Connect Back-Channel Logout 1.0). */
export interface LogoutNotice {
  readonly clientId: string;
  readonly userId: string;
  readonly uri: string;
  readonly token: string;
  readonly issuedAt: string;
  /** Result of the delivery. `null` if the server does not deliver, or has not finished. */
  delivery: LogoutDelivery | null;
}

/** Lifetime of a logout token in seconds on the virtual clock (CL82). */
const lifetimeSeconds = 120;

/** Maximum number of tokens in the outbox of a sandbox. The next one replaces the oldest. */
const noticesMax = 1_000;

const eventName = 'http://schemas.openid.net/event/backchannel-logout';

interface Outbox {
  /** State that the tokens belong to. A reset or restore replaces it. */
  readonly state: SandboxState;
  readonly notices: LogoutNotice[];
}

/**
 * Outbox of the logout tokens of all sandboxes (CL82). The server sends no requests, so tests deliver the tokens,
 * unless it was started to deliver them. Tokens are kept in memory only: they are never in the journal.
 */
export class LogoutTokens {
  readonly #openRecords: (sandbox: Sandbox) => Promise<OidcRecordStore>;
  readonly #delivers: boolean;
  readonly #outboxes = new WeakMap<Sandbox, Outbox>();

  /**
   * Creates the outbox.
   *
   * @param openRecords - returns the sessions of a sandbox
   * @param delivers - `true` sends each token to its client, if that is on this machine
   */
  constructor(openRecords: (sandbox: Sandbox) => Promise<OidcRecordStore>, delivers: boolean) {
    this.#openRecords = openRecords;
    this.#delivers = delivers;
  }

  /** Delivers the tokens of a sandbox as soon as a user is deleted or the clock is moved. */
  follow(sandbox: Sandbox): void {
    if (!this.#delivers) return;
    sandbox.recorder.listen(({ event: { type } }) => {
      if (type !== 'user.removed' && type !== 'clock.set') return;
      // A failure of the store is reported by the next request that needs it.
      afterPendingInput(() => this.collect(sandbox).catch(() => undefined));
    });
  }

  /** Returns the tokens of a sandbox, oldest first, after adding those of sessions that have ended by themselves. */
  async list(sandbox: Sandbox): Promise<readonly LogoutNotice[]> {
    await this.collect(sandbox);
    return this.#getOutbox(sandbox).notices;
  }

  /**
   * Ends the sessions that have expired or whose user was deleted, and adds their tokens (CL83). Refresh tokens that
   * outlive their session stay valid.
   */
  async collect(sandbox: Sandbox): Promise<void> {
    const nowSeconds = sandbox.clock.nowMs() / 1000;
    const { users } = sandbox.recorder.state();
    await this.#end(sandbox, ({ accountId = '' }) => !users.has(accountId), revokeGrant);
    await this.#end(sandbox, ({ exp }) => (exp ?? nowSeconds + 1) <= nowSeconds);
  }

  /** Ends all sessions of a user with their tokens, and adds the logout tokens. Throws `user-not-found`. */
  async revokeSessions(sandbox: Sandbox, userId: string): Promise<number> {
    const { id } = sandbox.directory.user(userId);
    const ended = await this.#end(sandbox, ({ accountId }) => accountId === id, revokeGrant);
    const records = await this.#openRecords(sandbox);
    // Grants can outlive their session: those of other sessions that ended earlier, and those of devices.
    for (const { jti, accountId } of records.payloads('Grant')) {
      if (accountId === id && typeof jti === 'string') await revokeGrant(sandbox, records, jti);
    }
    const { signIns } = sandbox.recorder.state();
    for (const [signInId, { userId: signedIn }] of signIns) {
      if (signedIn === id) await endSignedIn(sandbox, signInId);
    }
    return ended;
  }

  /** Adds the tokens of a session that has ended. Clients without a URL get none. */
  async issue(sandbox: Sandbox, ended: EndedSession): Promise<void> {
    await this.#deliver(await this.#add(sandbox, ended));
  }

  async #add(sandbox: Sandbox, { userId, parts }: EndedSession): Promise<readonly LogoutNotice[]> {
    const added: LogoutNotice[] = [];
    for (const [clientId, { sid, iss = sandbox.tokens.issuer, sub = userId }] of Object.entries(parts)) {
      const client = fixtureClient(sandbox, clientId);
      const uri = client?.backchannelLogoutUri;
      if (client === null || uri === undefined) continue;
      const { sign } = await sandbox.tokens.keys.key(iss === sandbox.tokens.issuer ? client.signingAlgorithm : 'RS256');
      const nowMs = sandbox.clock.nowMs();
      const iat = Math.floor(nowMs / 1000);
      const token = await sign('logout+jwt', {
        iss,
        aud: clientId,
        iat,
        exp: iat + lifetimeSeconds,
        jti: randomId(),
        sub,
        ...(sid === undefined ? {} : { sid }),
        events: { [eventName]: {} },
      });
      const notice: LogoutNotice = { clientId, userId, uri, token, issuedAt: toInstant(nowMs), delivery: null };
      const { notices } = this.#getOutbox(sandbox);
      notices.push(notice);
      if (notices.length > noticesMax) notices.shift();
      added.push(notice);
    }
    return added;
  }

  /** Sends tokens to their clients at the same time, so one client that does not respond delays no other. */
  async #deliver(notices: readonly LogoutNotice[]): Promise<void> {
    if (!this.#delivers) return;
    await Promise.all(
      notices.map(async (notice) => {
        notice.delivery = await deliverLogoutToken(notice.uri, notice.token);
      }),
    );
  }

  /** Ends sessions and adds their tokens. `revoke` also ends their grants. Returns the number of sessions. */
  async #end(
    sandbox: Sandbox,
    isEnded: (session: Payload) => boolean,
    revoke: typeof revokeGrant = async () => undefined,
  ): Promise<number> {
    const records = await this.#openRecords(sandbox);
    const ended = records.payloads('Session').filter((session) => session.accountId !== undefined && isEnded(session));
    const added: LogoutNotice[] = [];
    for (const session of ended) {
      // A concurrent request can have ended it meanwhile.
      if (records.find('Session', String(session.jti)) === undefined) continue;
      const parts = (session.authorizations ?? {}) as EndedSession['parts'];
      await records.remove('Session', String(session.jti));
      for (const { grantId } of Object.values(parts)) {
        if (grantId !== undefined) await revoke(sandbox, records, grantId);
      }
      added.push(...(await this.#add(sandbox, { userId: String(session.accountId), parts })));
    }
    await this.#deliver(added);
    return ended.length;
  }

  #getOutbox(sandbox: Sandbox): Outbox {
    const state = sandbox.recorder.state();
    const known = this.#outboxes.get(sandbox);
    if (known?.state === state) return known;
    const outbox = { state, notices: [] };
    this.#outboxes.set(sandbox, outbox);
    return outbox;
  }
}

/** Kinds of records that end with their grant. */
const grantedKinds = ['AuthorizationCode', 'RefreshToken', 'DeviceCode'] as const;

async function revokeGrant(sandbox: Sandbox, records: OidcRecordStore, grantId: string): Promise<void> {
  await sandbox.tokens.revokeGrant(grantId);
  for (const kind of grantedKinds) await records.removeOfGrant(kind, grantId);
  await records.remove('Grant', grantId);
}
