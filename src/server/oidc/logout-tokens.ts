import { hash } from 'node:crypto';
import type { AdapterPayload as Payload } from 'oidc-provider';
import { afterPendingInput, toInstant } from '../../core/clock.ts';
import { randomId } from '../../core/ids.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { endSignedIn } from '../identity/signed-in-session.ts';
import { fixtureClient } from './clients.ts';
import { deliverLogoutToken, notDelivered } from './logout-delivery.ts';
import { type LogoutNotice, LogoutOutbox } from './logout-outbox.ts';
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

/** Lifetime of a logout token in seconds on the virtual clock (CL82). */
const lifetimeSeconds = 120;

const eventName = 'http://schemas.openid.net/event/backchannel-logout';

/** Session that has ended, with the name by which its tokens are stored once. */
type NamedSession = EndedSession & { readonly name: string };

/**
 * Issues the logout tokens of all sandboxes to their outboxes (CL82). The server sends no requests, so tests deliver the
 * tokens, unless it was started to deliver them. Tokens are never in the journal.
 */
export class LogoutTokens {
  readonly #openRecords: (sandbox: Sandbox) => Promise<OidcRecordStore>;
  readonly #delivers: boolean;
  /** Last collection of each sandbox. The next one follows it, so no session is ended twice. */
  readonly #collected = new WeakMap<Sandbox, Promise<unknown>>();

  /**
   * Creates the issuer of logout tokens.
   *
   * @param openRecords - returns the sessions of a sandbox, and its outbox
   * @param delivers - `true` sends each token to its client, if that is on this machine
   */
  constructor(openRecords: (sandbox: Sandbox) => Promise<OidcRecordStore>, delivers: boolean) {
    this.#openRecords = openRecords;
    this.#delivers = delivers;
  }

  /**
   * Delivers the tokens of a sandbox as soon as a user is deleted or the clock is moved, and those that an earlier
   * process could not deliver any more.
   */
  follow(sandbox: Sandbox): void {
    if (!this.#delivers) return;
    // A failure of the store is reported by the next request that needs it.
    const inBackground = (task: () => Promise<void>) => afterPendingInput(() => task().catch(() => undefined));
    sandbox.recorder.listen(({ event: { type } }) => {
      if (type === 'user.removed' || type === 'clock.set') inBackground(() => this.collect(sandbox));
    });
    inBackground(() => this.#deliverPending(sandbox));
  }

  /** Returns the tokens of a sandbox, oldest first, after adding those of sessions that have ended by themselves. */
  async list(sandbox: Sandbox): Promise<readonly LogoutNotice[]> {
    await this.collect(sandbox);
    return (await this.#openOutbox(sandbox)).list();
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
    await this.#deliver(sandbox, await this.#add(sandbox, { ...ended, name: randomId() }));
  }

  /** Adds the tokens of a session and returns their ids. */
  async #add(sandbox: Sandbox, { userId, parts, name }: NamedSession): Promise<readonly string[]> {
    const added: string[] = [];
    const outbox = await this.#openOutbox(sandbox);
    for (const [clientId, { sid, iss = sandbox.tokens.issuer, sub = userId }] of Object.entries(parts)) {
      const client = fixtureClient(sandbox, clientId);
      const uri = client?.backchannelLogoutUri;
      if (client === null || uri === undefined) continue;
      const { sign } = await sandbox.tokens.keys.key(
        sandbox.tokens.isPlainIssuer(iss) ? client.signingAlgorithm : 'RS256',
      );
      const nowMs = sandbox.clock.nowMs();
      const iat = Math.floor(nowMs / 1000);
      const exp = iat + lifetimeSeconds;
      const token = await sign('logout+jwt', {
        iss,
        aud: clientId,
        iat,
        exp,
        jti: randomId(),
        sub,
        ...(sid === undefined ? {} : { sid }),
        events: { [eventName]: {} },
      });
      const issued = { token, issuedAt: toInstant(nowMs), expiresAtMs: exp * 1000 };
      const id = hash('sha256', JSON.stringify([name, clientId]), 'base64url');
      await outbox.add(id, { clientId, userId, uri, ...issued, pending: this.#delivers, delivery: null });
      added.push(id);
    }
    return added;
  }

  /** Sends tokens to their clients at the same time, so one client that does not respond delays no other. */
  async #deliver(sandbox: Sandbox, ids: readonly string[]): Promise<void> {
    if (!this.#delivers) return;
    const outbox = await this.#openOutbox(sandbox);
    await Promise.all(
      ids.map(async (id) => {
        const notice = outbox.find(id);
        if (notice === undefined) return;
        const isExpired = notice.expiresAtMs <= sandbox.clock.nowMs();
        await outbox.finish(id, await (isExpired ? notDelivered() : deliverLogoutToken(notice.uri, notice.token)));
      }),
    );
  }

  async #deliverPending(sandbox: Sandbox): Promise<void> {
    await this.#deliver(sandbox, (await this.#openOutbox(sandbox)).listPending());
    await this.collect(sandbox);
  }

  /**
   * Ends sessions and adds their tokens. `revoke` also ends their grants. Returns the number of sessions. Tokens are
   * stored before their session ends, so none is missing if the process stops in between.
   */
  async #end(
    sandbox: Sandbox,
    isEnded: (session: Payload) => boolean,
    revoke: typeof revokeGrant = async () => undefined,
  ): Promise<number> {
    const earlier = this.#collected.get(sandbox) ?? Promise.resolve();
    const own = earlier.then(() => this.#endSessions(sandbox, isEnded, revoke));
    this.#collected.set(
      sandbox,
      own.catch(() => undefined),
    );
    const { count, added } = await own;
    await this.#deliver(sandbox, added);
    return count;
  }

  async #endSessions(
    sandbox: Sandbox,
    isEnded: (session: Payload) => boolean,
    revoke: typeof revokeGrant,
  ): Promise<{ readonly count: number; readonly added: readonly string[] }> {
    const records = await this.#openRecords(sandbox);
    const ended = records.payloads('Session').filter((session) => session.accountId !== undefined && isEnded(session));
    const added: string[] = [];
    for (const session of ended) {
      const name = String(session.jti);
      // A concurrent request can have ended it meanwhile.
      if (records.find('Session', name) === undefined) continue;
      const parts = (session.authorizations ?? {}) as EndedSession['parts'];
      added.push(...(await this.#add(sandbox, { userId: String(session.accountId), parts, name })));
      for (const { grantId } of Object.values(parts)) {
        if (grantId !== undefined) await revoke(sandbox, records, grantId);
      }
      await records.remove('Session', name);
    }
    return { count: ended.length, added };
  }

  async #openOutbox(sandbox: Sandbox): Promise<LogoutOutbox> {
    return new LogoutOutbox(await this.#openRecords(sandbox));
  }
}

/** Kinds of records that end with their grant. */
const grantedKinds = ['AuthorizationCode', 'RefreshToken', 'DeviceCode'] as const;

async function revokeGrant(sandbox: Sandbox, records: OidcRecordStore, grantId: string): Promise<void> {
  await sandbox.tokens.revokeGrant(grantId);
  for (const kind of grantedKinds) await records.removeOfGrant(kind, grantId);
  await records.remove('Grant', grantId);
}
