import type { JWTPayload } from 'jose';
import type { AccessToken, Client, ClientCredentials, AdapterPayload as Payload } from 'oidc-provider';
import Provider from 'oidc-provider';
import type { ClaimItem } from '../../contract/client-claims.schema.ts';
import { NudgeLabError } from '../../core/errors.ts';
import { resolveClaims } from '../../sandbox/client-claims.ts';
import { listFixedClaims } from '../../sandbox/fixed-claims.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { findBinding } from '../../sandbox/token-binding.ts';
import { findPermission, getTenantAudience, type TokenResource } from '../../sandbox/token-resources.ts';
import { grantClaim, plainFormat, subjectClaim, type TokenFormat, tenantFormat } from '../../sandbox/token-service.ts';
import { readDefaultRoles, readRoles } from './app-roles.ts';
import { fixtureClient } from './clients.ts';
import { readContext } from './configured-claims.ts';
import { splitWords } from './consent.ts';
import type { ProviderParts } from './provider-parts.ts';
import { findResource, getScopeName } from './requested-scopes.ts';
import { findWrittenUri, resourcesIn } from './scope-resolution.ts';
import { getKeyCertificate } from './tenant-form/key-certificate.ts';
import { getSubject, toTenantAccessClaims } from './tenant-form/tenant-claims.ts';
import { tokenMark } from './token-prefix.ts';

/** Private claims of this server: the session that ends the token, and the individually requested claims. */
const sessionClaim = 'nl_session';
const requestedClaim = 'nl_claims';

/**
 * Makes the access tokens of a provider JWTs of the sandbox's token service. The policy API accepts them, and the
 * provider's endpoints can read them without storage. The provider by itself supports only stored tokens, or JWTs that
 * its own userinfo, introspection, and revocation reject.
 */
export function useSignedTokens(provider: Provider, parts: ProviderParts): void {
  const { sandbox, form } = parts;
  replaceWriting(provider.AccessToken.prototype, (token) => {
    const resources = resourcesIn(sandbox);
    const granted = splitWords(token.scope);
    const resource = findResource(resources, granted);
    const named = granted.map((word) => findPermission(resources, word)).find((match) => match !== null);
    const written = resource.clientId === null ? findWrittenUri() : (named?.uri ?? null);
    const { accountId = '' } = token as AccessToken;
    const user = sandbox.recorder.state().users.get(accountId);
    const items = findItems(token, resource);
    const configured =
      user === undefined ? {} : resolveClaims(items, { ...readContext(parts, user), carrier: 'token' });
    const claims = { ...configured, ...delegatedClaims(sandbox, token as AccessToken) };
    return { resource, claims: { ...claims, aud: audienceFor(resource, written) } };
  });
  replaceWriting(provider.ClientCredentials.prototype, (token) => {
    const sent: unknown = Provider.ctx?.oidc.body?.['scope'] ?? token.scope;
    const { resource, uri, names, words } = (form === null ? readRoles : readDefaultRoles)(
      resourcesIn(sandbox),
      fixtureClient(sandbox, token.clientId ?? ''),
      splitWords(sent),
    );
    // The response lists the granted permissions even if the client requested all of them.
    token.scope = words.join(' ');
    const configured = listFixedClaims(findItems(token, resource));
    const aud = audienceFor(resource, uri);
    return { resource, claims: { ...configured, sub: token.clientId, aud, roles: names } };
  });

  function audienceFor(resource: TokenResource, written: string | null): string {
    return form === null ? resource.id : getTenantAudience(sandbox.recorder.state(), resource, written);
  }

  /** Returns the configured claims of the API's client, or of the requesting client for the built-in APIs (CL70). */
  function findItems({ clientId = '' }: WrittenToken, resource: TokenResource): readonly ClaimItem[] {
    return fixtureClient(sandbox, resource.clientId ?? clientId)?.claims?.accessToken ?? [];
  }

  function replaceWriting(prototype: object, describe: (token: WrittenToken) => OwnClaims): void {
    Object.defineProperty(prototype, 'getValueAndPayload', {
      configurable: true,
      async value(this: WrittenToken) {
        const iat = this.iat ?? Math.floor(sandbox.clock.nowMs() / 1000);
        const exp = this.exp ?? iat + this.expiration;
        const { resource, claims: own } = describe(this);
        const claims = {
          ...own,
          iss: provider.issuer,
          client_id: this.clientId ?? '',
          ...(this.jkt === undefined ? {} : { cnf: { jkt: this.jkt } }),
          jti: this.jti,
          iat,
          exp,
        };
        const value =
          form === null
            ? await sandbox.tokens.sign(toPlainClaims(parts, claims, resource), getFormat(parts, this))
            : await signForTenant(this, claims, resource);
        return { value, payload: {} };
      },
    });
  }

  async function signForTenant(token: WrittenToken, claims: JWTPayload, resource: TokenResource): Promise<string> {
    const format = getFormat(parts, token);
    const header = format.alg === 'RS256' ? await getCertificateHeader(sandbox) : {};
    const { clientAuthMethod } = (token as { readonly client: Client }).client;
    return sandbox.tokens.sign(
      toTenantAccessClaims(parts, claims, { resource, authMethod: clientAuthMethod ?? 'none' }),
      format,
      header,
    );
  }
}

/** Returns the claims of the plain form, whose subject is the user's id unless the sandbox has pairwise subjects. */
function toPlainClaims(parts: ProviderParts, claims: JWTPayload, { id }: TokenResource): JWTPayload {
  const { sub = '' } = claims;
  const subject = 'scp' in claims ? getSubject(parts, id, sub) : sub;
  return subject === sub ? claims : { ...claims, sub: subject, [subjectClaim]: sub };
}

/** Names the certificate of the RSA key in the header of a token. */
async function getCertificateHeader(sandbox: Sandbox): Promise<{ readonly x5t: string }> {
  const { x5t } = await getKeyCertificate(await sandbox.tokens.keys.key('RS256'));
  return { x5t };
}

/**
 * Returns the format of an access token: that of the API's client, or of the requesting client for the built-in APIs.
 *
 * @see CL52
 */
function getFormat({ sandbox, form }: ProviderParts, { clientId = '', scope }: WrittenToken): TokenFormat {
  const usual = form === null ? plainFormat : tenantFormat;
  const { clientId: owner } = findResource(resourcesIn(sandbox), splitWords(scope));
  const { accessToken = {} } = fixtureClient(sandbox, owner ?? clientId) ?? {};
  return { typ: accessToken.typ ?? usual.typ, alg: accessToken.alg ?? usual.alg };
}

/** Claims of a token that depend on its kind, with the resource that it is for. */
interface OwnClaims {
  readonly resource: TokenResource;
  readonly claims: Record<string, unknown>;
}

type WrittenToken = (AccessToken | ClientCredentials) & {
  readonly iat?: number;
  readonly exp?: number;
  /** Thumbprint of the key that the token is bound to (DPoP). */
  readonly jkt?: string;
  readonly expiration: number;
};

function delegatedClaims(sandbox: Sandbox, token: AccessToken): Record<string, unknown> {
  const user = sandbox.recorder.state().users.get(token.accountId ?? '');
  const resources = resourcesIn(sandbox);
  const scope = splitWords(token.scope)
    .map((word) => getScopeName(resources, word))
    .join(' ');
  return {
    sub: token.accountId,
    scope,
    scp: scope,
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
      clientId: String(claims['client_id'] ?? claims['azp']),
      ...(caller.isForBuiltIn ? {} : { aud: String(claims.aud) }),
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
