import type { AccessToken, ClientCredentials, AdapterPayload as Payload } from 'oidc-provider';
import Provider, { errors } from 'oidc-provider';
import { NudgeLabError } from '../../core/errors.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { findBinding } from '../../sandbox/token-binding.ts';
import { grantClaim } from '../../sandbox/token-service.ts';
import { listAppRoles } from './clients.ts';
import { splitWords } from './consent.ts';
import { tokenMark } from './token-prefix.ts';

/** Private claims of this server: the session that ends the token, and the individually requested claims. */
const sessionClaim = 'nl_session';
const requestedClaim = 'nl_claims';

/**
 * Makes the access tokens of a provider JWTs of the sandbox's token service. The policy API accepts them, and the
 * provider's endpoints can read them without storage. The provider by itself supports only stored tokens, or JWTs that
 * its own userinfo, introspection, and revocation reject.
 */
export function useSignedTokens(provider: Provider, sandbox: Sandbox): void {
  replaceWriting(provider.AccessToken.prototype, (token) => delegatedClaims(sandbox, token as AccessToken));
  replaceWriting(provider.ClientCredentials.prototype, (token) => {
    const roles = listRequestedRoles(sandbox, token as OwnToken);
    // The response lists the granted permissions even if the client requested all of them.
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
          ...(this.jkt === undefined ? {} : { cnf: { jkt: this.jkt } }),
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
  /** Thumbprint of the key that the token is bound to (DPoP). */
  readonly jkt?: string;
  readonly expiration: number;
};

type OwnToken = ClientCredentials & { readonly client: Parameters<typeof listAppRoles>[1] };

/** Scope that requests all permissions of the application by the URL of the resource. */
const everythingHeld = /(?:^|\/)\.default$/;

/**
 * Returns the permissions of an application's own token: all of its permissions, or the requested ones, so token and
 * response list the same scope. The provider drops unknown scopes, so the requested ones are read from the request.
 * Throws `invalid_scope` if the application does not have a requested permission.
 */
function listRequestedRoles(sandbox: Sandbox, { client, scope }: OwnToken): readonly string[] {
  const grantedRoles = listAppRoles(sandbox, client);
  const sent = Provider.ctx?.oidc.body?.['scope'] ?? scope;
  const requested = [...new Set(splitWords(sent))].filter((word) => !everythingHeld.test(word));
  if (requested.length === 0) return grantedRoles;
  const foreign = requested.find((permission) => !grantedRoles.includes(permission));
  if (foreign !== undefined)
    throw new errors.InvalidScope('the client does not have this application permission', foreign);
  return requested;
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
    ...(token.claims === undefined ? {} : { [requestedClaim]: token.claims }),
  };
}

/**
 * Reads an access token of the given kind. Returns `undefined` if the token is from another sandbox, has expired, was
 * revoked, or has another kind.
 */
export async function readAccessToken(sandbox: Sandbox, kind: string, value: string): Promise<Payload | undefined> {
  const token = value.startsWith(tokenMark) ? value.slice(tokenMark.length) : value;
  try {
    const caller = await sandbox.tokens.read(token);
    if ((caller.kind === 'app') !== (kind === 'ClientCredentials')) return undefined;
    const { claims } = caller;
    const session = claims[sessionClaim];
    const jkt = findBinding(claims);
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
      ...(jkt === null ? {} : { jkt }),
      ...(claims[requestedClaim] === undefined ? {} : { claims: claims[requestedClaim] as Payload['claims'] }),
    };
  } catch (error) {
    if (error instanceof NudgeLabError && error.code === 'unauthenticated') return undefined;
    throw error;
  }
}
