import Provider, {
  type Account,
  type Client,
  type Configuration,
  errors,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { assertionAlgorithms } from '../../contract/client-auth-methods.ts';
import { pageLanguages } from '../../contract/page-controls.ts';
import { signingAlgorithms } from '../../contract/signing-algorithms.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { dpopAlgorithms } from '../../sandbox/token-binding.ts';
import { noteFinding } from '../finding.ts';
import { getBasePath } from '../identity/addresses.ts';
import { checkAssertion } from './assertion-clock.ts';
import { acrValues } from './authentication-context.ts';
import { bindBrowser } from './bound-browser.ts';
import { hasOrigin, sharesCookies } from './client-origins.ts';
import { fixtureClient, listResponseTypes, requiresConsent } from './clients.ts';
import { splitWords } from './consent.ts';
import { foreignOriginText } from './cors.ts';
import { usesDeviceGrant } from './device-grant.ts';
import { renderDeviceCode, renderDeviceConfirmation, renderDeviceDone } from './device-pages.ts';
import { createDpopFeature, usesDpop } from './dpop.ts';
import { describeSignOutNotices, endpoints, listAuthMethodsIn, promptValues, standardClaims } from './endpoints.ts';
import { createInteractionPolicy } from './interaction-policy.ts';
import {
  accessTokenSeconds,
  codeSeconds,
  deviceCodeSeconds,
  grantSeconds,
  idTokenSeconds,
  interactionSeconds,
  pushedRequestSeconds,
  refreshTokenSeconds,
  sessionSeconds,
  spaRefreshTokenSeconds,
} from './lifetimes.ts';
import { offlineAccess } from './offline-access.ts';
import { renderError, renderSignedOut, renderSignOut } from './provider-pages.ts';
import { isAtOwnPort, type ProviderParts } from './provider-parts.ts';
import { createStorage } from './provider-storage.ts';
import { listAllScopes } from './scope-names.ts';
import { checkScopes, resourcesIn, writtenUriParameter } from './scope-resolution.ts';

/** Name of the provider's storage option, kept here because the word has another meaning in this project. */
const storageOption = 'adapter';

/** Checks of authorization requests that the provider runs last, as those of additional parameters. */
const requestChecks = { ...offlineAccess, [writtenUriParameter]: checkScopes, sid: null };

/** Creates the configuration of a sandbox's provider. */
export function createConfiguration(parts: ProviderParts): Configuration {
  const { sandbox, keys } = parts;
  return {
    [storageOption]: createStorage(parts),
    // All components use the same clock, and it is set exactly, so no tolerance is needed.
    clockTolerance: 0,
    jwks: { keys: keys.map(({ key }) => key.privateJwk) },
    cookies: createCookies(parts),
    routes: endpoints,
    scopes: [...listAllScopes(resourcesIn(sandbox))],
    claims: standardClaims,
    // Applications read the user's name from the ID token, and few request userinfo.
    conformIdTokenClaims: false,
    acrValues,
    responseTypes: [...listResponseTypes(sandbox)],
    clientDefaults: { id_token_signed_response_alg: 'ES256', grant_types: ['authorization_code', 'refresh_token'] },
    allowOmittingSingleRegisteredRedirectUri: false,
    fetch: refuseToFetch,
    pkce: { required: (_ctx, client) => requiresPkce(sandbox, client) },
    findAccount: async (_ctx, userId) => findAccount(sandbox, userId),
    loadExistingGrant: (ctx) => existingGrant(sandbox, ctx),
    extraParams: requestChecks,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    clientAuthMethods: listAuthMethodsIn(sandbox),
    assertJwtClientAuthClaimsAndHeader: async (_ctx, claims) => checkAssertion(sandbox, claims),
    enabledJWA: listAlgorithms(parts),
    clientBasedCORS: (ctx, origin, client) => mayCallFrom(sandbox, client, origin) || refuseOrigin(ctx, origin),
    interactions: { policy: createInteractionPolicy(sandbox), url: createSignInUrl(parts) },
    discovery: {
      prompt_values_supported: [...promptValues],
      ui_locales_supported: [...pageLanguages],
      ...describeSignOutNotices(sandbox),
    },
    renderError: (ctx, out) => renderError(sandbox, ctx, out),
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: { enabled: false },
      dPoP: createDpopFeature(sandbox),
      deviceFlow: {
        enabled: usesDeviceGrant(sandbox),
        charset: 'base-20',
        mask: '****-****',
        userCodeInputSource: (ctx, _form, _out, error) => renderDeviceCode(sandbox, ctx, error ?? null),
        userCodeConfirmSource: (ctx, _form, client, _info, code) =>
          renderDeviceConfirmation(sandbox, ctx, client, code),
        successSource: (ctx) => renderDeviceDone(sandbox, ctx),
      },
      clientCredentials: { enabled: true },
      claimsParameter: { enabled: true },
      introspection: {
        enabled: true,
        // A public client is not authenticated, so it can only inspect its own tokens (RFC 7662, section 2.1).
        allowedPolicy: async (_ctx, client, token) =>
          client.clientAuthMethod !== 'none' || client.clientId === token.clientId,
      },
      revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => client.clientId === token.clientId },
      registration: { enabled: true, initialAccessToken: parts.mayRegister !== null },
      registrationManagement: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx) => renderSignOut(parts, ctx),
        postLogoutSuccessSource: (ctx) => renderSignedOut(sandbox, ctx),
      },
    },
    ttl: lifetimesIn(sandbox),
  };
}

/** Creates the function that binds a sign-in to its browser and returns the URL of its page. */
function createSignInUrl(parts: ProviderParts): (ctx: KoaContextWithOIDC, interaction: { uid: string }) => string {
  const { sandbox, issuer } = parts;
  // Pages and their cookies are below the path of the sandbox on every port.
  const page = isAtOwnPort(parts) ? getBasePath(sandbox.id) : '/sign-in';
  return (ctx, { uid }) => {
    bindBrowser(ctx, sandbox.id, uid);
    return `${issuer}${page}?interaction=${uid}`;
  };
}

/** Lists the signing algorithms of ID tokens, client assertions and DPoP proofs. */
function listAlgorithms({ sandbox }: ProviderParts): NonNullable<Configuration['enabledJWA']> {
  return {
    clientAuthSigningAlgValues: [...assertionAlgorithms],
    idTokenSigningAlgValues: [...signingAlgorithms],
    ...(usesDpop(sandbox) ? { dPoPSigningAlgValues: [...dpopAlgorithms] } : {}),
  };
}

/** Returns the lifetimes in seconds by kind of record. */
function lifetimesIn(sandbox: Sandbox): Configuration['ttl'] {
  return {
    AccessToken: (_ctx, _token, client) => accessSeconds(sandbox, client),
    ClientCredentials: (_ctx, _token, client) => accessSeconds(sandbox, client),
    AuthorizationCode: codeSeconds,
    IdToken: idTokenSeconds,
    RefreshToken: (_ctx, _token, client) => refreshSeconds(sandbox, client),
    DeviceCode: deviceCodeSeconds,
    PushedAuthorizationRequest: pushedRequestSeconds,
    Grant: grantSeconds,
    Session: sessionSeconds,
    Interaction: interactionSeconds,
  };
}

/**
 * Blocks all outgoing requests. A client registers URLs of its keys and sector, and fetching them would let an attacker
 * reach services that only this machine can access.
 */
function refuseToFetch(): never {
  throw new TypeError('Outgoing requests are not allowed.');
}

/**
 * Returns the cookie settings. Cookies are bound to the sandbox by name, path, and signing key, and scripts cannot read
 * them.
 */
function createCookies({ sandbox, cookieKey, issuer }: ProviderParts): NonNullable<Configuration['cookies']> {
  const { id } = sandbox;
  const { pathname, protocol } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  // Browsers accept cookies for frames of other sites only over HTTPS (CL65).
  const sameSite = protocol === 'https:' && sharesCookies(sandbox) ? 'none' : 'lax';
  const cookie = { path: `${path}/oauth2`, httpOnly: true, sameSite, signed: true } as const;
  return {
    keys: [cookieKey],
    names: {
      session: `nudgelab-${id}-session`,
      interaction: `nudgelab-${id}-interaction`,
      resume: `nudgelab-${id}-resume`,
    },
    // Both forms share one session, and the addresses of the tenant form are not below /oauth2.
    long: { ...cookie, path: `${path}/` },
    short: cookie,
  };
}

/** Returns `true` if a client must use PKCE: public clients always, others by their fixture. */
function requiresPkce(sandbox: Sandbox, { clientId, clientAuthMethod }: Client): boolean {
  return clientAuthMethod === 'none' || fixtureClient(sandbox, clientId)?.requirePkce === true;
}

/** Returns the lifetime of a refresh token. Rotation does not extend the tokens of single-page applications. */
function refreshSeconds(sandbox: Sandbox, { clientId }: Client): number {
  const known = fixtureClient(sandbox, clientId);
  const isSpa = known?.spa === true;
  const seconds = known?.refreshLifetimeSeconds ?? (isSpa ? spaRefreshTokenSeconds : refreshTokenSeconds);
  const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken;
  return isSpa && rotated !== undefined ? Math.max(1, Math.min(seconds, rotated.remainingTTL)) : seconds;
}

/** Returns the lifetime of the access tokens of a client. */
export function accessSeconds(sandbox: Sandbox, { clientId }: Pick<Client, 'clientId'>): number {
  return fixtureClient(sandbox, clientId)?.accessTokenLifetimeSeconds ?? accessTokenSeconds;
}

/** Returns the account of a user for tokens and userinfo. `undefined` if the user no longer exists. */
function findAccount(sandbox: Sandbox, userId: string): Account | undefined {
  const user = sandbox.recorder.state().users.get(userId);
  if (user === undefined) return undefined;
  const { userPrincipalName, displayName } = user.profile;
  const claims = {
    sub: userId,
    name: displayName,
    preferred_username: userPrincipalName,
    email: userPrincipalName,
    email_verified: true,
  };
  return { accountId: userId, claims: () => claims };
}

/**
 * Returns the existing grant of a user. For clients with administrator consent, the requested scopes are added without
 * a consent page. This does not apply if the application requests a consent prompt, or to permissions of dynamically
 * registered clients.
 */
async function existingGrant(sandbox: Sandbox, ctx: KoaContextWithOIDC) {
  const { oidc } = ctx;
  const { client, session, params, provider } = oidc;
  if (client === undefined || session?.accountId === undefined) return undefined;
  const { clientId } = client;
  const grantId = oidc.result?.consent?.grantId ?? session.grantIdFor(clientId);
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = known ?? new provider.Grant({ clientId, accountId: session.accountId });
  const requested = splitWords(params?.['scope']);
  const granted = splitWords(grant.getOIDCScope());
  const missing = requested.filter((scope) => !granted.includes(scope));
  if (requiresConsent(sandbox, clientId, missing) || oidc.prompts.has('consent')) return known;
  const claims = [...oidc.requestParamClaims].filter((claim) => !grant.getOIDCClaims().includes(claim));
  if (known !== undefined && claims.length === 0 && missing.length === 0) return known;
  grant.addOIDCScope(requested.join(' '));
  grant.addOIDCClaims(claims);
  await grant.save();
  return grant;
}

/**
 * Returns `true` if a browser application may call from an origin. Registered clients use the origins of their redirect
 * URIs.
 */
function mayCallFrom(sandbox: Sandbox, { clientId, redirectUris = [] }: Client, origin: string): boolean {
  return hasOrigin(fixtureClient(sandbox, clientId) ?? { redirectUris, anyLoopbackRedirect: false }, origin);
}

/** Rejects an origin. The page cannot read the error, but the logs of the browser and of the server show it. */
function refuseOrigin(ctx: KoaContextWithOIDC, origin: string): never {
  ctx.remove('Access-Control-Allow-Origin');
  noteFinding(ctx.res, foreignOriginText(origin));
  throw new errors.InvalidRequest(foreignOriginText(origin));
}
