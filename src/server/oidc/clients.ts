import type { AllClientMetadata, Client as ProviderClient } from 'oidc-provider';
import type { Client } from '../../contract/client.schema.ts';
import { clientPermissions } from '../../contract/client-permissions.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { controlClientId } from '../../sandbox/token-desk.ts';
import { wordsOf } from './consent.ts';

/** Scopes of OpenID Connect that every client may ask for. */
const openidScopes = ['openid', 'profile', 'email', 'offline_access'] as const;

/** All scopes that a sandbox knows. */
export const scopes: readonly string[] = [...openidScopes, ...clientPermissions];

/** The client that tokens of the control API name. Nobody can use it: it may ask for nothing. */
export const controlClient: AllClientMetadata = {
  client_id: controlClientId,
  client_name: 'Control API',
  token_endpoint_auth_method: 'none',
  grant_types: [],
  response_types: [],
  redirect_uris: [],
};

/** A client of a fixture as the provider reads it. */
export function clientMetadata(client: Client): AllClientMetadata {
  const isPublic = client.kind === 'public';
  const ownGrants = client.appRoles.length > 0 ? ['client_credentials'] : [];
  return {
    client_id: client.id,
    client_name: client.name ?? client.id,
    application_type: client.redirectUris.every(isWebAddress) ? 'web' : 'native',
    id_token_signed_response_alg: client.signingAlgorithm,
    ...(isPublic ? { token_endpoint_auth_method: 'none' } : { client_secret: client.secret }),
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

/** Permissions that a client has without a user: as its fixture says, or what it registered for. */
export function appRolesOf(sandbox: Sandbox, client: ProviderClient): readonly string[] {
  const known = fixtureClient(sandbox, client.clientId);
  if (known !== null) return known.appRoles;
  const registered = wordsOf(client.scope);
  return clientPermissions.filter((permission) => registered.includes(permission));
}

/** Applications on devices have schemes of their own. */
function isWebAddress(text: string): boolean {
  return text.startsWith('http:') || text.startsWith('https:');
}

const loopbackAddress = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?([/?][^\\#\s]*)?$/;

/** Whether an address leads to this machine, whoever reads it: nothing in it is read differently by different programs. */
export function isLoopbackAddress(text: string): boolean {
  return loopbackAddress.test(text) && URL.canParse(text);
}
