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
  const { sandbox } = parts;
  replaceWriting(provider.AccessToken.prototype, (token) => {
    const resources = resourcesIn(sandbox);
    const granted = splitWords(token.scope);
    const resource = findResource(resources, granted);
    const named = granted.map((word) => findPermission(resources, word)).find((match) => match !== null);
    const written = resource.clientId === null ? findWrittenUri() : (named?.uri ?? null);
    const { accountId = '' } = token as AccessToken;
    const user = sandbox.recorder.state().users.get(accountId);
    const items = findItems(sandbox, token.clientId ?? '', resource);
    const configured =
      user === undefined ? {} : resolveClaims(items, { ...readContext(parts, user), carrier: 'token' });
    const claims = { ...configured, ...delegatedClaims(sandbox, token as AccessToken) };
    return { resource, claims: { ...claims, aud: getAudience(parts, resource, written) } };
  });
  replaceWriting(provider.ClientCredentials.prototype, (token) => {
    const sent: unknown = Provider.ctx?.oidc.body?.['scope'] ?? token.scope;
    const { scope, ...own } = describeAppToken(parts, token.clientId ?? '', sent);
    token.scope = scope;
    return own;
  });

  function replaceWriting(
    prototype: object,
    describe: (token: (AccessToken | ClientCredentials) & WrittenToken) => OwnClaims,
  ): void {
    Object.defineProperty(prototype, 'getValueAndPayload', {
      configurable: true,
      async value(this: (AccessToken | ClientCredentials) & WrittenToken) {
        return { value: await writeToken(parts, this, describe(this)), payload: {} };
      },
    });
  }
}

/**
 * Describes an application's own token.
 *
 * @param clientId - id of the requesting client
 * @param sent - parameter `scope` of the request
 * @returns the resource, the claims, and the scope of the response, which lists the granted permissions even if the
 *   client requested all of them
 * @throws `invalid_scope` if the application does not have a requested permission
 */
export function describeAppToken(
  parts: ProviderParts,
  clientId: string,
  sent: unknown,
): OwnClaims & { readonly scope: string } {
  const { sandbox, form } = parts;
  const { resource, uri, names, words } = (form === null ? readRoles : readDefaultRoles)(
    resourcesIn(sandbox),
    fixtureClient(sandbox, clientId),
    splitWords(sent),
  );
  const configured = listFixedClaims(findItems(sandbox, clientId, resource));
  const aud = getAudience(parts, resource, uri);
  return { resource, scope: words.join(' '), claims: { ...configured, sub: clientId, aud, roles: names } };
}

/** Writes a token as a JWT that is signed with a key of the sandbox. */
export async function writeToken(
  parts: ProviderParts,
  token: WrittenToken,
  { resource, claims: own }: OwnClaims,
): Promise<string> {
  const { sandbox, form } = parts;
  const iat = token.iat ?? Math.floor(sandbox.clock.nowMs() / 1000);
  const exp = token.exp ?? iat + token.expiration;
  const claims = {
    ...own,
    iss: form?.issuer ?? parts.issuer,
    client_id: token.clientId ?? '',
    ...(token.jkt === undefined ? {} : { cnf: { jkt: token.jkt } }),
    jti: token.jti,
    iat,
    exp,
  };
  return form === null
    ? sandbox.tokens.sign(toPlainClaims(parts, claims, resource), getFormat(parts, token))
    : signForTenant(parts, token, { resource, claims });
}

async function signForTenant(
  parts: ProviderParts,
  token: WrittenToken,
  { resource, claims }: { readonly resource: TokenResource; readonly claims: JWTPayload },
): Promise<string> {
  const { sandbox } = parts;
  const format = getFormat(parts, token);
  const header = format.alg === 'RS256' ? await getCertificateHeader(sandbox) : {};
  const authMethod = token.client?.clientAuthMethod ?? 'none';
  return sandbox.tokens.sign(toTenantAccessClaims(parts, claims, { resource, authMethod }), format, header);
}

function getAudience({ sandbox, form }: ProviderParts, resource: TokenResource, written: string | null): string {
  return form === null ? resource.id : getTenantAudience(sandbox.recorder.state(), resource, written);
}

/** Returns the configured claims of the API's client, or of the requesting client for the built-in APIs (CL70). */
function findItems(sandbox: Sandbox, clientId: string, resource: TokenResource): readonly ClaimItem[] {
  return fixtureClient(sandbox, resource.clientId ?? clientId)?.claims?.accessToken ?? [];
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

/** Properties of a token that its JWT follows from. */
export interface WrittenToken {
  readonly jti: string;
  readonly clientId?: string | undefined;
  readonly scope?: string | undefined;
  readonly iat?: number;
  readonly exp?: number;
  /** Thumbprint of the key that the token is bound to (DPoP). */
  readonly jkt?: string;
  /** Lifetime in seconds. */
  readonly expiration: number;
  /** Client that requested the token, which the tenant form needs. */
  readonly client?: Pick<Client, 'clientAuthMethod'> | undefined;
}

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
