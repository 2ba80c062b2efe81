import { assertionAlgorithms } from '../../contract/client-auth-methods.ts';
import { getSubjectType } from '../../contract/identity-settings.schema.ts';
import { openidScopes } from '../../contract/openid-scopes.ts';
import { pageLanguages } from '../../contract/page-controls.ts';
import { signingAlgorithms } from '../../contract/signing-algorithms.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { dpopAlgorithms } from '../../sandbox/token-binding.ts';
import { acrValues } from './authentication-context.ts';
import { listResponseTypes } from './clients.ts';
import { listClaimNames } from './configured-claims.ts';
import { deviceGrantType, usesDeviceGrant } from './device-grant.ts';
import { usesDpop } from './dpop.ts';
import { describeSignOutNotices, endpoints, listAuthMethodsIn, promptValues, standardClaims } from './endpoints.ts';

/**
 * Creates the discovery document of a sandbox as its provider does, so that a client's first request does not wait
 * until the provider is loaded.
 *
 * @param sandbox - sandbox whose plain form the document describes
 * @returns the document, with the keys in the order of the provider
 * @see decision 097
 */
export function createDiscoveryDocument(sandbox: Sandbox): Readonly<Record<string, unknown>> {
  const { issuer } = sandbox.tokens;
  const at = (name: keyof typeof endpoints): string => `${issuer}${endpoints[name]}`;
  const responseTypes = listResponseTypes(sandbox);
  const authMethods = listAuthMethodsIn(sandbox);
  const hasDevices = usesDeviceGrant(sandbox);
  return {
    acr_values_supported: [...acrValues],
    authorization_endpoint: at('authorization'),
    ...(hasDevices ? { device_authorization_endpoint: at('device_authorization') } : {}),
    claims_parameter_supported: true,
    claims_supported: listClaims(sandbox),
    code_challenge_methods_supported: ['S256'],
    end_session_endpoint: at('end_session'),
    grant_types_supported: listGrantTypes(responseTypes, hasDevices),
    issuer,
    jwks_uri: at('jwks'),
    registration_endpoint: at('registration'),
    authorization_response_iss_parameter_supported: true,
    response_modes_supported: ['form_post', 'fragment', 'query'],
    response_types_supported: responseTypes,
    scopes_supported: openidScopes,
    subject_types_supported: [getSubjectType(sandbox.recorder.state().settings, false)],
    token_endpoint_auth_methods_supported: authMethods,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms.filter(
      (algorithm) => !algorithm.startsWith('HS') || authMethods.includes('client_secret_jwt'),
    ),
    token_endpoint: at('token'),
    id_token_signing_alg_values_supported: signingAlgorithms,
    pushed_authorization_request_endpoint: at('pushed_authorization_request'),
    request_uri_parameter_supported: false,
    userinfo_endpoint: at('userinfo'),
    introspection_endpoint: at('introspection'),
    ...(usesDpop(sandbox) ? { dpop_signing_alg_values_supported: dpopAlgorithms } : {}),
    revocation_endpoint: at('revocation'),
    claim_types_supported: ['normal'],
    ui_locales_supported: pageLanguages,
    prompt_values_supported: promptValues,
    ...describeSignOutNotices(sandbox),
  };
}

function listClaims(sandbox: Sandbox): readonly string[] {
  const known = Object.entries(standardClaims).flatMap(([name, of]) => of ?? [name]);
  return [...new Set([...known, ...listClaimNames(sandbox)])];
}

function listGrantTypes(responseTypes: readonly string[], hasDevices: boolean): readonly string[] {
  const types = responseTypes.flatMap((type) => [
    ...(type.includes('token') ? ['implicit'] : []),
    ...(type.includes('code') ? ['authorization_code'] : []),
  ]);
  const others = ['refresh_token', 'client_credentials', ...(hasDevices ? [deviceGrantType] : [])];
  return [...new Set([...types, ...others])];
}
