import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { toDate } from '../core/clock.ts';
import { NudgeLabError, type Problem } from '../core/errors.ts';
import { unrepeatableId } from '../core/ids.ts';
import { tokenLifetimeDefaultSeconds, tokenLifetimeMaxSeconds, verifiedTokensMax } from '../core/limits.ts';
import type { Recorder } from './recorder.ts';

/** Who asks, as a verified token says it. */
export interface Caller {
  /** Delegated tokens act for a user, app-only tokens for an application. */
  readonly kind: 'delegated' | 'app';
  /** Id of the user or name of the application. */
  readonly subject: string;
  readonly permissions: readonly string[];
  /** Directory roles; they count for delegated tokens. */
  readonly roles: readonly string[];
  readonly tokenId: string;
  readonly expiresAtMs: number;
}

/** What a token is to say. */
export interface TokenRequest {
  readonly user?: string | undefined;
  readonly app?: string | undefined;
  readonly permissions?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly expiresInSeconds?: number | undefined;
}

export interface IssuedToken {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
}

interface SigningKey {
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
}

const algorithm = 'ES256';
const keyName = 'token-signing-key';

/** Issues and verifies the access tokens of one sandbox: JWTs signed with its own ES256 key, timed by its own clock. */
export class TokenDesk {
  readonly #recorder: Recorder;
  /** Made at first use: the cache reserves its whole room at once, and most sandboxes never see a token. */
  #verified: LRUCache<string, Caller> | undefined;
  #key: Promise<SigningKey> | undefined;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** The issuer that its tokens name. */
  get issuer(): string {
    return `urn:nudgelab:sandbox:${this.#recorder.sandboxId}`;
  }

  /** Issues a token; without user and app it is delegated for an administrator. Throws `bad-request`, `user-unknown`. */
  async issue(request: TokenRequest): Promise<IssuedToken> {
    const lifetimeSeconds = request.expiresInSeconds ?? tokenLifetimeDefaultSeconds;
    this.#check(request, lifetimeSeconds);
    const nowSeconds = Math.floor(this.#recorder.nowMs() / 1000);
    const claims =
      request.app === undefined
        ? { scp: (request.permissions ?? []).join(' '), wids: request.roles ?? [] }
        : { roles: request.permissions ?? [] };
    const { privateJwk } = await this.#signingKey();
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, typ: 'at+jwt' })
      .setIssuer(this.issuer)
      .setAudience(this.issuer)
      .setSubject(request.app ?? request.user ?? 'administrator')
      .setJti(unrepeatableId())
      .setIssuedAt(nowSeconds)
      .setExpirationTime(nowSeconds + lifetimeSeconds)
      .sign(await importJWK(privateJwk, algorithm));
    return { access_token: token, token_type: 'Bearer', expires_in: lifetimeSeconds };
  }

  /**
   * Who a token speaks for. A verified token is remembered, bounded; expiry by the virtual clock and revocation are asked
   * anew each time. Throws `unauthenticated`.
   */
  async verify(token: string): Promise<Caller> {
    const caller = this.#verified?.get(token) ?? (await this.#verifyAnew(token));
    if (caller.expiresAtMs <= this.#recorder.nowMs()) throw unauthenticated('The token has expired.');
    if (this.#recorder.state().revokedTokens.has(caller.tokenId)) throw unauthenticated('The token was revoked.');
    return caller;
  }

  /** A remembered caller of a token that is still good, without a promise; `null` when it has to be verified. */
  remembered(token: string): Caller | null {
    const caller = this.#verified?.get(token);
    if (caller === undefined || caller.expiresAtMs <= this.#recorder.nowMs()) return null;
    return this.#recorder.state().revokedTokens.has(caller.tokenId) ? null : caller;
  }

  /** Revokes a token for good. Takes the token itself. Throws `unauthenticated` when it is none of this sandbox. */
  async revoke(token: string): Promise<void> {
    const { tokenId } = await this.verify(token);
    await this.#recorder.record({ type: 'token.revoked', tokenId });
  }

  #check({ user, app }: TokenRequest, lifetimeSeconds: number): void {
    const problems: Problem[] = [];
    if (user !== undefined && app !== undefined) problems.push({ place: 'app', message: 'give user or app, not both' });
    if (!Number.isInteger(lifetimeSeconds) || lifetimeSeconds < 1 || lifetimeSeconds > tokenLifetimeMaxSeconds) {
      problems.push({
        place: 'expiresInSeconds',
        message: `${lifetimeSeconds} is not a whole number from 1 to ${tokenLifetimeMaxSeconds}`,
      });
    }
    if (problems.length > 0) throw new NudgeLabError('bad-request', { problems });
    if (user !== undefined && !this.#recorder.state().users.has(user)) {
      throw new NudgeLabError('user-unknown', { message: `This sandbox holds no user "${user}".` });
    }
  }

  async #verifyAnew(token: string): Promise<Caller> {
    const { publicJwk } = await this.#signingKey();
    try {
      const { payload } = await jwtVerify(token, await importJWK(publicJwk, algorithm), {
        algorithms: [algorithm],
        issuer: this.issuer,
        audience: this.issuer,
        typ: 'at+jwt',
        currentDate: toDate(this.#recorder.nowMs()),
      });
      const caller = callerOf(payload);
      this.#verified ??= new LRUCache({ max: verifiedTokensMax });
      this.#verified.set(token, caller);
      return caller;
    } catch (cause) {
      throw unauthenticated('The token is not one of this sandbox, or has expired.', cause);
    }
  }

  #signingKey(): Promise<SigningKey> {
    this.#key ??= this.#loadKey();
    return this.#key;
  }

  async #loadKey(): Promise<SigningKey> {
    const { store, sandboxId } = this.#recorder;
    const kept = await store.kept(sandboxId, keyName);
    if (kept !== null) return JSON.parse(kept) as SigningKey;
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
    const key = { privateJwk: await exportJWK(privateKey), publicJwk: await exportJWK(publicKey) };
    await store.keep(sandboxId, keyName, JSON.stringify(key));
    return key;
  }
}

function callerOf(payload: JWTPayload): Caller {
  const scopes = typeof payload['scp'] === 'string' ? payload['scp'].split(' ').filter((scope) => scope !== '') : null;
  return {
    kind: scopes === null ? 'app' : 'delegated',
    subject: payload.sub ?? '',
    permissions: scopes ?? stringsOf(payload['roles']),
    roles: scopes === null ? [] : stringsOf(payload['wids']),
    tokenId: payload.jti ?? '',
    expiresAtMs: (payload.exp ?? 0) * 1000,
  };
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function unauthenticated(message: string, cause?: unknown): NudgeLabError {
  return new NudgeLabError('unauthenticated', { message, headers: { 'WWW-Authenticate': 'Bearer' }, cause });
}
