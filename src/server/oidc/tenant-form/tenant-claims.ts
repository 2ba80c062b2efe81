import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { getSubjectType } from '../../../contract/identity-settings.schema.ts';
import { nameBasedUuid } from '../../../core/ids.ts';
import type { SandboxState, UserRecord } from '../../../journal/state.ts';
import { listRoles } from '../../../sandbox/directory-api/directory-view.ts';
import { createWireIds } from '../../../sandbox/policy-ids.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { getTenantGuid } from '../../../sandbox/tenant-identity.ts';
import type { TokenResource } from '../../../sandbox/token-resources.ts';
import { subjectClaim } from '../../../sandbox/token-service.ts';
import { createLoginHint, loginHintClaim } from '../login-hint.ts';
import type { ProviderParts } from '../provider-parts.ts';

/** Version of tokens in the tenant form. */
const tokenVersion = '2.0';

/** Claims of a user in ID tokens and userinfo, in addition to those of the plain form. */
export function getTenantClaims(sandbox: Sandbox, userId: string): Record<string, unknown> {
  const state = sandbox.recorder.state();
  const user = state.users.get(userId);
  return {
    ver: tokenVersion,
    tid: getTenantGuid(sandbox.id, state),
    oid: getUserObjectId(state, userId),
    [loginHintClaim]: createLoginHint(userId),
    ...getIdentityProvider(user),
    ...getNames(user),
  };
}

/** Returns the id of a user in tokens, which is that of the directory API. */
export function getUserObjectId({ settings }: Pick<SandboxState, 'settings'>, userId: string): string {
  return createWireIds(settings).toWire('user', userId);
}

/** Names the home tenant of a guest. Members have no such claim. */
function getIdentityProvider(user: UserRecord | undefined): { readonly idp?: string } {
  if (user?.facts.type !== 'guest') return {};
  const { userPrincipalName } = user.profile;
  const domain = userPrincipalName.slice(userPrincipalName.lastIndexOf('@') + 1).toLowerCase();
  return { idp: `https://sts.invalid/${nameBasedUuid(`tenant:home:${domain}`)}/` };
}

function getNames(user: UserRecord | undefined): { readonly given_name?: string; readonly family_name?: string } {
  const { givenName, surname } = user?.profile.directory ?? {};
  return {
    ...(givenName === undefined ? {} : { given_name: givenName }),
    ...(surname === undefined ? {} : { family_name: surname }),
  };
}

/**
 * Returns the subject of a user for one client or resource. It is the same in every token for it, and another one for
 * others, unless subjects are public.
 */
export function getSubject(parts: ProviderParts, audience: string, userId: string): string {
  const { settings } = parts.sandbox.recorder.state();
  const [own = userId, pairwise = userId] = listSubjects(parts, audience, userId);
  return getSubjectType(settings, parts.form !== null) === 'public' ? own : pairwise;
}

/** Lists the subjects that a user can have for a client: the public one and the pairwise one. */
export function listSubjects({ cookieKey }: ProviderParts, audience: string, userId: string): readonly string[] {
  return [userId, hash('sha256', JSON.stringify([cookieKey, audience, userId]), 'base64url')];
}

function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** How a client authenticated, by its authentication method. */
const authenticationClasses: Readonly<Record<string, string>> = {
  none: '0',
  client_secret_basic: '1',
  client_secret_post: '1',
  client_secret_jwt: '2',
  private_key_jwt: '2',
};

/**
 * Converts the claims of an access token to those of the tenant form. The id of the user or client in the facts stays in
 * a private claim, so the APIs of the sandbox find them. Directory roles are named by their template ids.
 *
 * @param plain - claims of the plain form
 */
export function toTenantAccessClaims(
  parts: ProviderParts,
  plain: JWTPayload,
  { resource, authMethod }: { readonly resource: TokenResource; readonly authMethod: string },
): JWTPayload {
  const state = parts.sandbox.recorder.state();
  const { client_id: clientId, scope: _scope, sub = '', aud, jti, iat, ...claims } = plain;
  const isDelegated = 'scp' in plain;
  const oid = isDelegated ? getUserObjectId(state, sub) : createWireIds(state.settings).toWire('client', sub);
  return {
    ...claims,
    ...(isDelegated ? { wids: listRoles(toTexts(plain['wids'])).map(({ templateId }) => templateId) } : {}),
    aud,
    ver: tokenVersion,
    tid: getTenantGuid(parts.sandbox.id, state),
    oid,
    sub: isDelegated ? getSubject(parts, resource.id, sub) : oid,
    ...(isDelegated ? getIdentityProvider(state.users.get(sub)) : {}),
    azp: clientId,
    azpacr: authenticationClasses[authMethod] ?? '0',
    iat,
    nbf: iat,
    jti,
    uti: jti,
    [subjectClaim]: sub,
  } as JWTPayload;
}
