import type { AllClientMetadata, JWK } from 'oidc-provider';
import { type Client, type ResponseType, responseTypes } from '../../contract/client.schema.ts';
import type { ClientAuthMethod } from '../../contract/client-auth-methods.ts';
import { openidScopes } from '../../contract/openid-scopes.ts';
import { readCertificateKey } from '../../core/certificate-key.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { listResources } from '../../sandbox/token-resources.ts';
import { controlClientId } from '../../sandbox/token-service.ts';
import { deviceGrantType } from './device-grant.ts';
import { listClientScopes } from './scope-names.ts';

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
export function clientMetadata(sandbox: Sandbox, client: Client, authMethod: ClientAuthMethod): AllClientMetadata {
  return {
    client_id: client.id,
    client_name: client.name ?? client.id,
    application_type: client.redirectUris.every(isWebAddress) ? 'web' : 'native',
    id_token_signed_response_alg: client.signingAlgorithm,
    token_endpoint_auth_method: authMethod,
    ...(client.dpop === 'required' ? { dpop_bound_access_tokens: true } : {}),
    ...(client.secret === undefined ? {} : { client_secret: client.secret }),
    ...(client.jwks === undefined && client.certificates === undefined ? {} : { jwks: { keys: listKeys(client) } }),
    ...(client.kind === 'service'
      ? { grant_types: ['client_credentials'], response_types: [], redirect_uris: [] }
      : {
          ...(client.requirePar === true ? { require_pushed_authorization_requests: true } : {}),
          ...redirectMetadata(client),
          grant_types: [
            ...(hasRedirects(client) ? ['authorization_code'] : []),
            'refresh_token',
            ...(client.grants ?? []).map((grant) => grantTypes[grant]),
            ...(hasAppGrant(client) ? ['client_credentials'] : []),
          ],
          post_logout_redirect_uris: client.postLogoutRedirectUris,
        }),
    scope: listClientScopes(listResources(sandbox.recorder.state(), sandbox.tokens.issuer), client).join(' '),
  };
}

/** Returns `true` if a client can get tokens of its own: services always, and others by their application permissions. */
export function hasAppGrant({ kind, appRoles }: Client): boolean {
  return kind === 'service' || (kind !== 'public' && appRoles.length > 0);
}

/** Lists the public keys of a client. A signature can refer to the key of a certificate by any of its thumbprints. */
function listKeys({ jwks, certificates = [] }: Client): JWK[] {
  const certified = certificates.map(readCertificateKey).filter((key) => key !== null);
  return [
    ...(jwks?.keys ?? []).map((key) => ({ ...key })),
    ...certified.flatMap(({ jwk, thumbprints }) => thumbprints.map((kid) => ({ ...jwk, kid }))),
  ];
}

/** Grant types of the protocol by the names in fixtures. */
const grantTypes = { device_code: deviceGrantType } as const;

/** Returns `true` if a client receives responses at a redirect URI. Applications of devices need none. */
function hasRedirects({ redirectUris, anyLoopbackRedirect }: Client): boolean {
  return anyLoopbackRedirect || redirectUris.length > 0;
}

function redirectMetadata(client: Client): Pick<AllClientMetadata, 'response_types' | 'redirect_uris'> {
  if (!hasRedirects(client)) return { response_types: [], redirect_uris: [] };
  const { redirectUris } = client;
  // `mayRequest` allows the other response types. The provider would restrict their redirect URIs to public hosts.
  return {
    response_types: ['code'],
    redirect_uris: redirectUris.length > 0 ? redirectUris : ['http://localhost/callback'],
  };
}

/** Lists the response types that the clients of a sandbox can request, for discovery. */
export function listResponseTypes(sandbox: Sandbox): readonly ResponseType[] {
  const used = new Set(sandbox.recorder.state().clients.flatMap((client) => client.responseTypes ?? []));
  return responseTypes.filter((type) => type === 'code' || used.has(type));
}

/** Returns `true` if a fixture client may request a response type, whose words can be in any order. */
export function mayRequest(client: Client, type: string): boolean {
  const wanted = type.split(' ').toSorted().join(' ');
  return (client.responseTypes ?? ['code']).some((allowed) => allowed === wanted);
}

/** Returns the fixture of a client. `null` if the client registered dynamically. */
export function fixtureClient(sandbox: Sandbox, clientId: string): Client | null {
  return sandbox.recorder.state().clients.find(({ id }) => id === clientId) ?? null;
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
  return missing.some((scope) => !openidScopes.includes(scope));
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
