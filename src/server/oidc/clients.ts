import type { AllClientMetadata, Client as ProviderClient } from 'oidc-provider';
import type { Client } from '../../contract/client.schema.ts';
import type { ClientAuthMethod } from '../../contract/client-auth-methods.ts';
import { clientPermissions } from '../../contract/client-permissions.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { controlClientId } from '../../sandbox/token-service.ts';

/** OpenID Connect scopes that every client can request. */
const openidScopes = ['openid', 'profile', 'email', 'offline_access'] as const;

/** All scopes of a sandbox. */
export const scopes: readonly string[] = [...openidScopes, ...clientPermissions];

/** Client id in tokens of the control API. The client cannot request anything, so no one can use it. */
export const controlClient: AllClientMetadata = {
  client_id: controlClientId,
  client_name: 'Control API',
  token_endpoint_auth_method: 'none',
  grant_types: [],
  response_types: [],
  redirect_uris: [],
};

/** Converts a fixture client to provider metadata with its one authentication method. */
export function clientMetadata(client: Client, authMethod: ClientAuthMethod): AllClientMetadata {
  const isPublic = client.kind === 'public';
  const ownGrants = client.appRoles.length > 0 ? ['client_credentials'] : [];
  return {
    client_id: client.id,
    client_name: client.name ?? client.id,
    application_type: client.redirectUris.every(isWebAddress) ? 'web' : 'native',
    id_token_signed_response_alg: client.signingAlgorithm,
    token_endpoint_auth_method: authMethod,
    ...(client.secret === undefined ? {} : { client_secret: client.secret }),
    ...(client.jwks === undefined ? {} : { jwks: { keys: client.jwks.keys.map((key) => ({ ...key })) } }),
    ...(client.kind === 'service'
      ? { grant_types: ['client_credentials'], response_types: [], redirect_uris: [] }
      : {
          grant_types: ['authorization_code', 'refresh_token', ...(isPublic ? [] : ownGrants)],
          response_types: ['code'],
          redirect_uris: client.redirectUris.length > 0 ? client.redirectUris : ['http://localhost/callback'],
          post_logout_redirect_uris: client.postLogoutRedirectUris,
        }),
    scope: [...openidScopes, ...client.permissions].join(' '),
  };
}

/** Returns the fixture of a client. `null` if the client registered dynamically. */
export function fixtureClient(sandbox: Sandbox, clientId: string): Client | null {
  return sandbox.recorder.state().clients.find(({ id }) => id === clientId) ?? null;
}

/**
 * Lists the permissions that a client has without a user, as in its fixture. Dynamically registered clients have none
 * (decision 067).
 */
export function listAppRoles(sandbox: Sandbox, client: ProviderClient): readonly string[] {
  return fixtureClient(sandbox, client.clientId)?.appRoles ?? [];
}

/**
 * Returns `true` if a user must consent before a client gets scopes: if its fixture requires it, or if a dynamically
 * registered client requests permissions.
 *
 * @param missing - scopes that the user has not granted yet
 */
export function requiresConsent(sandbox: Sandbox, clientId: string, missing: readonly string[]): boolean {
  const known = fixtureClient(sandbox, clientId);
  if (known !== null) return known.consent === 'required';
  return clientPermissions.some((permission) => missing.includes(permission));
}

/** Returns `true` for HTTP and HTTPS URLs. Applications on devices have their own schemes. */
function isWebAddress(text: string): boolean {
  return text.startsWith('http:') || text.startsWith('https:');
}

const loopbackAddress = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?([/?][^\\#\s]*)?$/;

/** Returns `true` if a URL refers to the local machine and all programs parse it in the same way. */
export function isLoopbackAddress(text: string): boolean {
  return loopbackAddress.test(text) && URL.canParse(text);
}
