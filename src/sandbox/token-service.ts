import type { JWTPayload } from 'jose';
import { bearerRefused } from '../contract/policy-caller.ts';
import { toDate } from '../core/clock.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { randomId } from '../core/ids.ts';
import { tokenLifetimeDefaultSeconds, tokenLifetimeMaxSeconds, verifiedTokensMax } from '../core/limits.ts';
import { LruMap } from '../core/lru-map.ts';
import type { Recorder } from './recorder.ts';
import { SigningKeys } from './signing-keys.ts';

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
  /** The grant of the authorization that the token stands on; `null` where no one was asked. */
  readonly grantId: string | null;
  readonly expiresAtMs: number;
  /** Before this time the token holds nowhere: that of its issue, or what it says itself. */
  readonly beginsAtMs: number;
  /** All that the token says. */
  readonly claims: JWTPayload;
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

/** Access tokens are always signed so, whatever a client wants for its ID tokens. */
const algorithm = 'ES256';

/** The client that tokens of the control API name. */
export const controlClientId = 'nudgelab-control';

/** The claim of a delegated token that names its grant, so that all tokens of a grant are revoked at once. */
export const grantClaim = 'nl_grant';

/** Issues and verifies the access tokens of one sandbox: JWTs signed with its own ES256 key, timed by its own clock. */
export class TokenService {
  readonly #recorder: Recorder;
  /** Made at first use: the cache reserves its whole room at once, and most sandboxes never see a token. */
  #verified: LruMap<string, Caller> | undefined;
  readonly keys: SigningKeys;
  #issuer: string;
  /** Issuers whose tokens are its own: itself under every address that it answers at. */
  #accepted: readonly string[];

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
    this.keys = new SigningKeys(recorder);
    this.#issuer = `urn:nudgelab:sandbox:${recorder.sandboxId}`;
    this.#accepted = [this.#issuer];
  }

  /** The issuer that its tokens name: the base address of the sandbox once a server answers there, before that a name. */
  get issuer(): string {
    return this.#issuer;
  }

  /**
   * Says at which address the sandbox answers, and at which others other processes answer for it. Tokens that name an issuer
   * besides these are none of its own from then on.
   */
  issueAs(issuer: string, others: readonly string[] = []): void {
    const accepted = [...new Set([issuer, ...others])];
    if (accepted.join() === this.#accepted.join()) return;
    this.#issuer = issuer;
    this.#accepted = accepted;
    this.#verified?.clear();
  }

  /** Issues a token; without user and app it is delegated for an administrator. Throws `bad-request`, `user-not-found`. */
  async issue(request: TokenRequest): Promise<IssuedToken> {
    const lifetimeSeconds = request.expiresInSeconds ?? tokenLifetimeDefaultSeconds;
    this.#check(request, lifetimeSeconds);
    const nowSeconds = Math.floor(this.#recorder.nowMs() / 1000);
    const claims =
      request.app === undefined
        ? { scp: (request.permissions ?? []).join(' '), wids: request.roles ?? [] }
        : { roles: request.permissions ?? [] };
    const token = await this.sign({
      ...claims,
      iss: this.issuer,
      aud: this.issuer,
      sub: request.app ?? request.user ?? 'administrator',
      client_id: request.app ?? controlClientId,
      jti: randomId(),
      iat: nowSeconds,
      exp: nowSeconds + lifetimeSeconds,
    });
    return { access_token: token, token_type: 'Bearer', expires_in: lifetimeSeconds };
  }

  /** Signs an access token (RFC 9068). Takes all its claims. */
  async sign(claims: JWTPayload): Promise<string> {
    const { sign } = await this.keys.key(algorithm);
    return sign('at+jwt', claims);
  }

  /**
   * Who a token speaks for. A verified token is remembered, bounded; what the virtual clock says of it and revocation
   * are asked again each time: a clock that was set back has not yet come to when the token was issued. Throws `unauthenticated`.
   */
  async verify(token: string): Promise<Caller> {
    const caller = this.#verified?.get(token) ?? (await this.#verifyAnew(token));
    const nowMs = this.#recorder.nowMs();
    if (caller.expiresAtMs <= nowMs) throw unauthenticated('The token has expired.');
    if (caller.beginsAtMs > nowMs) throw unauthenticated('The token is not yet valid.');
    if (this.#isRevoked(caller)) throw unauthenticated('The token was revoked.');
    return caller;
  }

  /** A remembered caller of a token that is still good, without a promise; `null` when it has to be verified. */
  remembered(token: string): Caller | null {
    const caller = this.#verified?.get(token);
    const nowMs = this.#recorder.nowMs();
    if (caller === undefined || caller.expiresAtMs <= nowMs || caller.beginsAtMs > nowMs) return null;
    return this.#isRevoked(caller) ? null : caller;
  }

  /** Revokes a token for good. Takes the token itself. Throws `unauthenticated` when it is none of this sandbox. */
  async revoke(token: string): Promise<void> {
    const { tokenId } = await this.verify(token);
    await this.#recorder.record({ type: 'token.revoked', tokenId });
  }

  /** Revokes every token of a grant, those included that are issued for it later. Takes the id of the grant. */
  async revokeGrant(grantId: string): Promise<void> {
    if (this.#recorder.state().revokedTokens.has(grantId)) return;
    await this.#recorder.record({ type: 'token.revoked', tokenId: grantId });
  }

  /** Ends a session of a page before its time, as one more revoked token. Takes the name of the session. */
  async endSession(name: string): Promise<void> {
    if (this.hasEnded(name)) return;
    await this.#recorder.record({ type: 'token.revoked', tokenId: name });
  }

  /** Checks whether a session of a page was ended before its time. */
  hasEnded(name: string): boolean {
    return this.#recorder.state().revokedTokens.has(name);
  }

  #isRevoked({ tokenId, grantId }: Caller): boolean {
    const { revokedTokens } = this.#recorder.state();
    return revokedTokens.has(tokenId) || (grantId !== null && revokedTokens.has(grantId));
  }

  #check({ user, app }: TokenRequest, lifetimeSeconds: number): void {
    const problems: ValidationProblem[] = [];
    if (user !== undefined && app !== undefined)
      problems.push({ location: 'app', message: 'give user or app, not both' });
    if (!Number.isInteger(lifetimeSeconds) || lifetimeSeconds < 1 || lifetimeSeconds > tokenLifetimeMaxSeconds) {
      problems.push({
        location: 'expiresInSeconds',
        message: `${lifetimeSeconds} is not a whole number from 1 to ${tokenLifetimeMaxSeconds}`,
      });
    }
    if (problems.length > 0) throw new NudgeLabError('bad-request', { problems });
    if (user !== undefined && !this.#recorder.state().users.has(user)) {
      throw new NudgeLabError('user-not-found', { message: `This sandbox holds no user "${user}".` });
    }
  }

  async #verifyAnew(token: string): Promise<Caller> {
    const { publicKey } = await this.keys.key(algorithm);
    try {
      const { jwtVerify } = await import('jose');
      const { payload } = await jwtVerify(token, publicKey, {
        algorithms: [algorithm],
        issuer: [...this.#accepted],
        audience: [...this.#accepted],
        typ: 'at+jwt',
        currentDate: toDate(this.#recorder.nowMs()),
      });
      const caller = callerOf(payload);
      this.#verified ??= new LruMap({ max: verifiedTokensMax });
      this.#verified.set(token, caller);
      return caller;
    } catch (cause) {
      throw unauthenticated('The token is not one of this sandbox, or has expired.', cause);
    }
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
    grantId: typeof payload[grantClaim] === 'string' ? payload[grantClaim] : null,
    expiresAtMs: (payload.exp ?? 0) * 1000,
    beginsAtMs: Math.max(payload.iat ?? 0, payload.nbf ?? 0) * 1000,
    claims: payload,
  };
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function unauthenticated(message: string, cause?: unknown): NudgeLabError {
  return new NudgeLabError('unauthenticated', { message, headers: { 'WWW-Authenticate': bearerRefused }, cause });
}
