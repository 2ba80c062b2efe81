import type { AllClientMetadata, Client as ProviderClient } from 'oidc-provider';
import type { Client } from '../../contract/client.schema.ts';
import type { ClientAuthMethod } from '../../contract/client-auth-methods.ts';
import { clientPermissions } from '../../contract/client-permissions.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { controlClientId } from '../../sandbox/token-service.ts';

/** Scopes of OpenID Connect that every client may ask for. */
const openidScopes = ['openid', 'profile', 'email', 'offline_access'] as const;

/** All scopes that a sandbox knows. */
export const scopes: readonly string[] = [...openidScopes, ...clientPermissions];

/** The client that tokens of the control API name. No one can use it: it may ask for nothing. */
export const controlClient: AllClientMetadata = {
  client_id: controlClientId,
  client_name: 'Control API',
  token_endpoint_auth_method: 'none',
  grant_types: [],
  response_types: [],
  redirect_uris: [],
};

/** A client of a fixture as the provider reads it. Takes how it proves itself: the provider knows one method for each. */
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

/** What a sandbox says of a client of its fixture; `null` for one that registered itself. */
export function fixtureClient(sandbox: Sandbox, clientId: string): Client | null {
  return sandbox.recorder.state().clients.find(({ id }) => id === clientId) ?? null;
}

/** Lists the permissions that a client has without a user: what its fixture says. One that registered itself has none (decision 067). */
export function listAppRoles(sandbox: Sandbox, client: ProviderClient): readonly string[] {
  return fixtureClient(sandbox, client.clientId)?.appRoles ?? [];
}

/**
 * Checks whether a user has to be asked before a client gets scopes: where its fixture says so, and for permissions of a client that
 * registered itself. Takes the scopes that the user has not granted yet.
 */
export function requiresConsent(sandbox: Sandbox, clientId: string, missing: readonly string[]): boolean {
  const known = fixtureClient(sandbox, clientId);
  if (known !== null) return known.consent === 'required';
  return clientPermissions.some((permission) => missing.includes(permission));
}

/** Applications on devices have schemes of their own. */
function isWebAddress(text: string): boolean {
  return text.startsWith('http:') || text.startsWith('https:');
}

const loopbackAddress = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?([/?][^\\#\s]*)?$/;

/** Whether an address leads to this machine, anyone who reads it: nothing in it is read differently by different programs. */
export function isLoopbackAddress(text: string): boolean {
  return loopbackAddress.test(text) && URL.canParse(text);
}
