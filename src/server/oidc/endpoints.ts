import {
  type ClientAuthMethod,
  clientAuthMethods,
  listAuthMethods,
  registrationAuthMethods,
} from '../../contract/client-auth-methods.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** Paths of the endpoints below the issuer. */
export const endpoints = {
  authorization: '/oauth2/authorize',
  token: '/oauth2/token',
  jwks: '/oauth2/jwks',
  userinfo: '/oauth2/userinfo',
  introspection: '/oauth2/introspect',
  revocation: '/oauth2/revoke',
  end_session: '/oauth2/end_session',
  registration: '/oauth2/register',
  pushed_authorization_request: '/oauth2/par',
  device_authorization: '/oauth2/device',
  code_verification: '/oauth2/verify-device',
} as const;

/** Claims of each scope, and those that have none. */
export const standardClaims = {
  openid: ['sub', 'acr', 'amr', 'auth_time'],
  profile: ['name', 'preferred_username'],
  email: ['email', 'email_verified'],
  sid: null,
  iss: null,
};

/** Prompts that applications can request. */
export const promptValues = ['none', 'login', 'consent', 'select_account'];

/** Lists the authentication methods for discovery: those of the fixture clients and those for dynamic registration. */
export function listAuthMethodsIn(sandbox: Sandbox): ClientAuthMethod[] {
  const used = new Set([...sandbox.recorder.state().clients.flatMap(listAuthMethods), ...registrationAuthMethods]);
  return clientAuthMethods.filter((method) => used.has(method));
}

/** Returns the properties of the discovery document for notices of a sign-out. */
export function describeSignOutNotices(sandbox: Sandbox): Readonly<Record<string, boolean>> {
  const { clients } = sandbox.recorder.state();
  return {
    ...(clients.some((client) => client.frontchannelLogoutUri !== undefined)
      ? { frontchannel_logout_supported: true, frontchannel_logout_session_supported: true }
      : {}),
    ...(clients.some((client) => client.backchannelLogoutUri !== undefined)
      ? { backchannel_logout_supported: true, backchannel_logout_session_supported: true }
      : {}),
  };
}
