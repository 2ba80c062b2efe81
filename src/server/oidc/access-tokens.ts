import type { AccessToken, ClientCredentials, AdapterPayload as Payload } from 'oidc-provider';
import Provider, { errors } from 'oidc-provider';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { grantClaim } from '../../sandbox/token-service.ts';
import { listAppRoles } from './clients.ts';
import { splitWords } from './consent.ts';
import { tokenMark } from './token-prefix.ts';

/** Claims of this server: the session that a token ends with, and the claims that the application asked for one by one. */
const sessionClaim = 'nl_session';
const askedClaim = 'nl_claims';

/**
 * Makes the access tokens of a provider JWTs of the sandbox's own token service, which the policy API accepts, and which the provider's
 * endpoints read back without storing them. The provider itself has either: tokens that it stores, or JWTs that its own
 * userinfo, introspection and revocation refuse.
 */
export function useSignedTokens(provider: Provider, sandbox: Sandbox): void {
  replaceWriting(provider.AccessToken.prototype, (token) => delegatedClaims(sandbox, token as AccessToken));
  replaceWriting(provider.ClientCredentials.prototype, (token) => {
    const roles = rolesAskedFor(sandbox, token as OwnToken);
    // The answer names what the token carries, also where everything was asked for.
    token.scope = roles.join(' ');
    return { sub: token.clientId, roles };
  });

  function replaceWriting(prototype: object, ownClaims: (token: WrittenToken) => Record<string, unknown>): void {
    Object.defineProperty(prototype, 'getValueAndPayload', {
      configurable: true,
      async value(this: WrittenToken) {
        const iat = this.iat ?? Math.floor(sandbox.clock.nowMs() / 1000);
        const exp = this.exp ?? iat + this.expiration;
        const value = await sandbox.tokens.sign({
          ...ownClaims(this),
          iss: provider.issuer,
          aud: provider.issuer,
          client_id: this.clientId ?? '',
          jti: this.jti,
          iat,
          exp,
        });
        return { value, payload: {} };
      },
    });
  }
}

type WrittenToken = (AccessToken | ClientCredentials) & {
  readonly iat?: number;
  readonly exp?: number;
  readonly expiration: number;
};

type OwnToken = ClientCredentials & { readonly client: Parameters<typeof listAppRoles>[1] };

/** Asks for all that the application holds, by the address of the resource. */
const everythingHeld = /(?:^|\/)\.default$/;

/**
 * The permissions of an application's own token: all that it has, or those of them that it asks for, so that the token and the
 * answer that tells its scope say the same. Throws `invalid_scope` for one that it has not. The provider leaves out words that it
 * does not know, so what was asked for is read from the request.
 */
function rolesAskedFor(sandbox: Sandbox, { client, scope }: OwnToken): readonly string[] {
  const held = listAppRoles(sandbox, client);
  const sent = Provider.ctx?.oidc.body?.['scope'] ?? scope;
  const asked = [...new Set(splitWords(sent))].filter((word) => !everythingHeld.test(word));
  if (asked.length === 0) return held;
  const foreign = asked.find((permission) => !held.includes(permission));
  if (foreign !== undefined) throw new errors.InvalidScope('the client does not hold this permission itself', foreign);
  return asked;
}

function delegatedClaims(sandbox: Sandbox, token: AccessToken): Record<string, unknown> {
  const user = sandbox.recorder.state().users.get(token.accountId ?? '');
  return {
    sub: token.accountId,
    scope: token.scope,
    scp: token.scope ?? '',
    wids: user?.profile.roles ?? [],
    [grantClaim]: token.grantId,
    ...(token.expiresWithSession === true ? { [sessionClaim]: token.sessionUid } : {}),
    ...(token.claims === undefined ? {} : { [askedClaim]: token.claims }),
  };
}

/**
 * Reads an access token back. Takes the kind that the provider looks for. Returns `undefined` for a token that is not of this
 * sandbox, has expired, was revoked, or is of the other kind.
 */
export async function readAccessToken(sandbox: Sandbox, kind: string, value: string): Promise<Payload | undefined> {
  const token = value.startsWith(tokenMark) ? value.slice(tokenMark.length) : value;
  try {
    const caller = sandbox.tokens.remembered(token) ?? (await sandbox.tokens.verify(token));
    if ((caller.kind === 'app') !== (kind === 'ClientCredentials')) return undefined;
    const { claims } = caller;
    const session = claims[sessionClaim];
    return {
      kind,
      jti: caller.tokenId,
      iat: claims.iat ?? 0,
      exp: claims.exp ?? 0,
      clientId: String(claims['client_id']),
      extra: caller.kind === 'app' ? { roles: caller.permissions } : { scp: claims['scp'], wids: caller.roles },
      ...(caller.kind === 'app' ? {} : { accountId: caller.subject, scope: splitWords(claims['scp']).join(' ') }),
      ...(caller.grantId === null ? {} : { grantId: caller.grantId }),
      ...(typeof session === 'string' ? { sessionUid: session, expiresWithSession: true } : {}),
      ...(claims[askedClaim] === undefined ? {} : { claims: claims[askedClaim] as Payload['claims'] }),
    };
  } catch (error) {
    if (error instanceof NudgeLabError && error.code === 'unauthenticated') return undefined;
    throw error;
  }
}
