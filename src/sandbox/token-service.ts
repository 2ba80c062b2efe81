import type { CryptoKey, JWTPayload } from 'jose';
import { type AccessTokenType, accessTokenTypes } from '../contract/client.schema.ts';
import { bearerRefused } from '../contract/policy-caller.ts';
import { type SigningAlgorithm, signingAlgorithms } from '../contract/signing-algorithms.ts';
import { toDate } from '../core/clock.ts';
import { defaultSandboxId } from '../core/default-sandbox.ts';
import { NudgeLabError, type ValidationProblem } from '../core/errors.ts';
import { randomId } from '../core/ids.ts';
import { tokenLifetimeDefaultSeconds, tokenLifetimeMaxSeconds, verifiedTokensMax } from '../core/limits.ts';
import { LruMap } from '../core/lru-map.ts';
import { findServedAddress } from '../core/served-address.ts';
import { listFixedClaims } from './fixed-claims.ts';
import type { Recorder } from './recorder.ts';
import { SigningKeys } from './signing-keys.ts';
import { getServerUrl, getTenantIssuer } from './tenant-identity.ts';
import { dpopAlgorithms, findBinding } from './token-binding.ts';
import { listResources } from './token-resources.ts';

/** Caller as identified by a verified token. */
export interface Caller {
  /** Token type. Delegated tokens act for a user, and app-only tokens act for an application. */
  readonly kind: 'delegated' | 'app';
  /** Id of the user, or name of the application. */
  readonly subject: string;
  readonly permissions: readonly string[];
  /** Directory roles, which have an effect only in delegated tokens. */
  readonly roles: readonly string[];
  readonly tokenId: string;
  /** Id of the authorization grant behind the token, or `null` if no user was involved. */
  readonly grantId: string | null;
  /** `true` for tokens of the built-in APIs, `false` for those of an application's API. */
  readonly isForBuiltIn: boolean;
  readonly expiresAtMs: number;
  /** Time before which the token is not valid: the time of issue, or the time in the token itself. */
  readonly beginsAtMs: number;
  /** All claims of the token. */
  readonly claims: JWTPayload;
}

/** Contents of a token to issue. */
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

/** Format of an access token: the type in its header, and the algorithm that signs it. */
export interface TokenFormat {
  readonly typ: AccessTokenType;
  readonly alg: SigningAlgorithm;
}

/** Format of access tokens in the plain form, independent of the algorithm that a client selects for its ID tokens. */
export const plainFormat: TokenFormat = { typ: 'at+jwt', alg: 'ES256' };

const longLivedSeconds = 86_400;

/** Format of access tokens in the tenant form. */
export const tenantFormat: TokenFormat = { typ: 'JWT', alg: 'RS256' };

/** Client id in tokens that the control API issues. */
export const controlClientId = 'nudgelab-control';

/** Claim of a delegated token that names its grant, so all tokens of a grant can be revoked together. */
export const grantClaim = 'nl_grant';

/** Claim with the id of the user or client in the facts, if the subject of the token is another one. */
export const subjectClaim = 'nl_subject';

/**
 * Issues and verifies the access tokens of one sandbox: JWTs signed with its own keys and timed by its virtual clock.
 */
export class TokenService {
  readonly #recorder: Recorder;
  /**
   * Cache of verified tokens, created at first use because it reserves its whole memory and most sandboxes never use
   * tokens.
   */
  #verified: LruMap<string, Caller> | undefined;
  readonly keys: SigningKeys;
  #issuer: string;
  /** Accepted issuers: this sandbox under each of its URLs. */
  #accepted: readonly string[];

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
    this.keys = new SigningKeys(recorder);
    this.#issuer = `urn:nudgelab:sandbox:${recorder.sandboxId}`;
    this.#accepted = [this.#issuer];
  }

  /**
   * Returns the issuer named in tokens: the base URL of the sandbox once a server runs, and a name before that. During a
   * request to the sandbox's own port, it is the URL of that port.
   */
  get issuer(): string {
    return findServedAddress(this.#recorder.sandboxId) ?? this.#issuer;
  }

  /** Returns the base URL of the sandbox on the main port, whatever port the current request reached. */
  get mainIssuer(): string {
    return this.#issuer;
  }

  /** Returns `true` if the sandbox is at the root of a port of its own, in this process or in another one. */
  get hasOwnPort(): boolean {
    const { sandboxId } = this.#recorder;
    return (
      sandboxId !== defaultSandboxId && this.#accepted.some((baseUrl) => getServerUrl(sandboxId, baseUrl) === baseUrl)
    );
  }

  /** Returns `true` for an issuer of the plain form: the sandbox under any of its URLs. */
  isPlainIssuer(issuer: string): boolean {
    return this.#accepted.includes(issuer);
  }

  /** Returns the issuer named in tokens of the tenant form. */
  get tenantIssuer(): string {
    return getTenantIssuer(this.#recorder.sandboxId, this.#recorder.state(), this.issuer);
  }

  /**
   * Sets the base URL of the sandbox, and its base URLs at other processes and at its own ports. From then on, tokens of
   * any other issuer are rejected.
   */
  issueAs(issuer: string, others: readonly string[] = []): void {
    const accepted = [...new Set([issuer, ...others])];
    if (accepted.join() === this.#accepted.join()) return;
    this.#issuer = issuer;
    this.#accepted = accepted;
    this.#verified?.clear();
  }

  /**
   * Issues a token. By default it is a delegated token for an administrator. Throws `bad-request` or
   * `user-not-found`.
   */
  async issue(request: TokenRequest): Promise<IssuedToken> {
    const lifetimeSeconds = request.expiresInSeconds ?? tokenLifetimeDefaultSeconds;
    this.#check(request, lifetimeSeconds);
    const nowSeconds = Math.floor(this.#recorder.nowMs() / 1000);
    const claims =
      request.app === undefined
        ? { scp: (request.permissions ?? []).join(' '), wids: request.roles ?? [] }
        : { roles: request.permissions ?? [] };
    if (lifetimeSeconds > longLivedSeconds) {
      await this.keys.publishUntil(plainFormat.alg, (nowSeconds + lifetimeSeconds) * 1000);
    }
    // An application can be a client, whose tokens have its fixed claims (CL70).
    const client = this.#recorder.state().clients.find(({ id }) => id === request.app);
    const token = await this.sign({
      ...listFixedClaims(client?.claims?.accessToken),
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

  /** Signs an access token with the given claims. The default format is that of RFC 9068. */
  async sign(claims: JWTPayload, { typ, alg } = plainFormat, further: Record<string, string> = {}): Promise<string> {
    const { sign } = await this.keys.key(alg);
    return sign(typ, claims, further);
  }

  /** Replaces the signing keys, or that of one algorithm. Earlier tokens stay valid. */
  async rotateKeys(alg?: SigningAlgorithm): Promise<void> {
    await this.#recorder.record({ type: 'keys.rotated', ...(alg === undefined ? {} : { alg }) });
  }

  #listIssuers(): string[] {
    const { sandboxId } = this.#recorder;
    const state = this.#recorder.state();
    return this.#accepted.flatMap((baseUrl) => [baseUrl, getTenantIssuer(sandboxId, state, baseUrl)]);
  }

  /**
   * Verifies a token of the built-in APIs and returns its caller. Throws `unauthenticated`, also for a token of an
   * application's API.
   *
   * @param thumbprint - thumbprint of the key that the sender has proven to possess, `null` if there is no proof
   */
  async verify(token: string, thumbprint: string | null = null): Promise<Caller> {
    const caller = await this.read(token);
    if (!caller.isForBuiltIn) throw unauthenticated(`The token is for the resource ${String(caller.claims.aud)}.`);
    if (findBinding(caller.claims) !== thumbprint) throw notBound(thumbprint);
    return caller;
  }

  /**
   * Verifies a token for any resource, without its binding to a key, and returns its caller. Verified tokens are cached up to a limit. The virtual
   * clock and revocation are checked on each call, because a clock that was set back can be before the time of issue.
   * Throws `unauthenticated`.
   */
  async read(token: string): Promise<Caller> {
    const caller = this.#verified?.get(token) ?? (await this.#verifyUncached(token));
    const nowMs = this.#recorder.nowMs();
    if (caller.expiresAtMs <= nowMs) throw unauthenticated('The token has expired.');
    if (caller.beginsAtMs > nowMs) throw unauthenticated('The token is not yet valid.');
    if (this.#isRevoked(caller)) throw unauthenticated('The token was revoked.');
    return caller;
  }

  /**
   * Returns the cached caller of a token that is still valid and not bound to a key, synchronously. Returns `null` if
   * the token must be verified.
   */
  remembered(token: string): Caller | null {
    const caller = this.#verified?.get(token);
    const nowMs = this.#recorder.nowMs();
    if (caller === undefined || !caller.isForBuiltIn || caller.expiresAtMs <= nowMs || caller.beginsAtMs > nowMs)
      return null;
    if (findBinding(caller.claims) !== null) return null;
    return this.#isRevoked(caller) ? null : caller;
  }

  /**
   * Revokes a token permanently, for any resource and without a proof of its key. Throws `unauthenticated` if the token
   * does not belong to this sandbox.
   */
  async revoke(token: string): Promise<void> {
    const { tokenId } = await this.read(token);
    await this.#recorder.record({ type: 'token.revoked', tokenId });
  }

  /** Revokes all tokens of a grant, including tokens that are issued for it later. */
  async revokeGrant(grantId: string): Promise<void> {
    if (this.#recorder.state().revokedTokens.has(grantId)) return;
    await this.#recorder.record({ type: 'token.revoked', tokenId: grantId });
  }

  /** Ends a page session early by revoking it like a token. */
  async endSession(name: string): Promise<void> {
    if (this.hasEnded(name)) return;
    await this.#recorder.record({ type: 'token.revoked', tokenId: name });
  }

  /** Returns true if a page session was ended early. */
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
      problems.push({ location: 'app', message: 'user and app cannot be combined' });
    if (!Number.isInteger(lifetimeSeconds) || lifetimeSeconds < 1 || lifetimeSeconds > tokenLifetimeMaxSeconds) {
      problems.push({
        location: 'expiresInSeconds',
        message: `${lifetimeSeconds} is not a whole number from 1 to ${tokenLifetimeMaxSeconds}`,
      });
    }
    if (problems.length > 0) throw new NudgeLabError('bad-request', { problems });
    if (user !== undefined && !this.#recorder.state().users.has(user)) {
      throw new NudgeLabError('user-not-found', { message: `User "${user}" does not exist in this sandbox.` });
    }
  }

  async #findKey({ kid = '', alg }: { readonly kid?: string; readonly alg?: string }): Promise<CryptoKey> {
    const key = await this.keys.find(kid);
    if (key === null || key.algorithm !== alg) throw new TypeError(`The sandbox has no key ${kid} for ${alg}.`);
    return key.publicKey;
  }

  async #verifyUncached(token: string): Promise<Caller> {
    const state = this.#recorder.state();
    const resources = this.#accepted.flatMap((baseUrl) => listResources(state, baseUrl));
    try {
      const { jwtVerify } = await import('jose');
      const { payload, protectedHeader } = await jwtVerify(token, (header) => this.#findKey(header), {
        algorithms: [...signingAlgorithms],
        issuer: this.#listIssuers(),
        audience: [...new Set(resources.flatMap(({ id, uris }) => [id, ...uris]))],
        currentDate: toDate(this.#recorder.nowMs()),
      });
      // An ID token can have the same type, and never names the client that may use it in one of these claims.
      const isAccessToken = accessTokenTypes.some((typ) => typ === protectedHeader.typ);
      if (!isAccessToken || (payload['client_id'] ?? payload['azp']) === undefined) {
        throw new TypeError('The token is not an access token.');
      }
      const builtIn = resources.filter(({ clientId }) => clientId === null).flatMap(({ id, uris }) => [id, ...uris]);
      const caller = toCaller(
        payload,
        [payload.aud ?? []].flat().some((audience) => builtIn.includes(audience)),
      );
      this.#verified ??= new LruMap({ max: verifiedTokensMax });
      this.#verified.set(token, caller);
      return caller;
    } catch (cause) {
      // The store may not respond.
      if (cause instanceof NudgeLabError) throw cause;
      throw unauthenticated('The token was not issued by this sandbox, or has expired.', cause);
    }
  }
}

function toCaller(payload: JWTPayload, isForBuiltIn: boolean): Caller {
  const scopes = typeof payload['scp'] === 'string' ? payload['scp'].split(' ').filter((scope) => scope !== '') : null;
  return {
    kind: scopes === null ? 'app' : 'delegated',
    subject: typeof payload[subjectClaim] === 'string' ? payload[subjectClaim] : (payload.sub ?? ''),
    permissions: scopes ?? toStrings(payload['roles']),
    roles: scopes === null ? [] : toStrings(payload['wids']),
    tokenId: payload.jti ?? '',
    grantId: typeof payload[grantClaim] === 'string' ? payload[grantClaim] : null,
    isForBuiltIn,
    expiresAtMs: (payload.exp ?? 0) * 1000,
    beginsAtMs: Math.max(payload.iat ?? 0, payload.nbf ?? 0) * 1000,
    claims: payload,
  };
}

function toStrings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function unauthenticated(message: string, cause?: unknown): NudgeLabError {
  return new NudgeLabError('unauthenticated', { message, headers: { 'WWW-Authenticate': bearerRefused }, cause });
}

/** Creates the error for a token without the proof that it is bound to, or with a proof that it is not bound to. */
function notBound(thumbprint: string | null): NudgeLabError {
  const message =
    thumbprint === null
      ? 'The token is bound to a key: send it as Authorization: DPoP, with a proof in the header DPoP.'
      : 'The token is not bound to the key of the proof.';
  const challenge = `DPoP error="invalid_token", algs="${dpopAlgorithms.join(' ')}"`;
  return new NudgeLabError('unauthenticated', { message, headers: { 'WWW-Authenticate': challenge } });
}
