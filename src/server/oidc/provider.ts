import Provider, { type Client, type Configuration, errors } from 'oidc-provider';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { useSignedTokens } from './access-tokens.ts';
import { completeAnswers } from './answers.ts';
import { tolerateAssertionTimes } from './assertion-clock.ts';
import { acceptPlainCredentials } from './basic-credentials.ts';
import { releaseBrowsers } from './bound-browser.ts';
import { fixtureClient, isLoopbackAddress, mayRequest } from './clients.ts';
import { createConfiguration } from './configuration.ts';
import { addConfiguredClaims, warnOfLargeTokens } from './configured-claims.ts';
import { splitWords } from './consent.ts';
import { limitUserCodes } from './device-pages.ts';
import { slowDevicesDown } from './device-polling.ts';
import { completeDpop } from './dpop.ts';
import { acceptHintsOfBothForms } from './id-token-hints.ts';
import { nameTypeOfIdTokens } from './id-tokens.ts';
import { sendJsonAsText } from './json-bodies.ts';
import { isAtOwnPort, type ProviderParts } from './provider-parts.ts';
import { nameResumptions, settleSessions } from './resumed-session.ts';
import { resolveScopes } from './scope-resolution.ts';
import { limitSecretGuesses } from './secret-attempts.ts';
import { endPagesWithSession } from './session-end.ts';
import { journalSessionUse } from './session-use.ts';
import { notifySignOuts } from './sign-out-notices.ts';
import {
  acceptAssertionsOfBothForms,
  adaptConfiguration,
  useSubjects,
  useTenantForm,
} from './tenant-form/tenant-provider.ts';

export { createAppAnswers } from './client-credentials.ts';

/** Creates the provider of a sandbox. */
export function createProvider(parts: ProviderParts): Provider {
  const { sandbox, form, onFailure } = parts;
  const issuer = form?.issuer ?? parts.issuer;
  const configuration = adaptConfiguration(createConfiguration(parts), parts);
  const provider = new Provider(issuer, configuration);
  sendJsonAsText(provider);
  nameResumptions(provider);
  useSignedTokens(provider, parts);
  addConfiguredClaims(provider, parts, listStandardClaims(configuration));
  useSubjects(provider, parts);
  acceptAssertionsOfBothForms(provider, parts);
  acceptHintsOfBothForms(provider, parts);
  tolerateAssertionTimes(provider, sandbox);
  if (form === null) usePortUrls(provider, parts);
  else useTenantForm(provider, { ...parts, form });
  resolveScopes(provider, parts);
  if (parts.form === null) nameTypeOfIdTokens(provider, sandbox);
  allowLoopback(provider, sandbox);
  allowResponseTypes(provider, sandbox);
  sendErrorsInFragment(provider);
  completeDpop(provider, sandbox);
  appendPayload(provider);
  acceptPlainCredentials(provider, sandbox);
  limitSecretGuesses(provider, sandbox);
  limitUserCodes(provider, sandbox);
  slowDevicesDown(provider, sandbox);
  completeAnswers(provider, parts);
  journalSessionUse(provider, parts);
  notifySignOuts(provider, parts);
  endPagesWithSession(provider, sandbox);
  releaseBrowsers(provider, sandbox.id);
  settleSessions(provider);
  // RFC 9207 requires the issuer in every response; the provider omits it beside an ID token.
  provider.on('authorization.success', (ctx, response) => {
    if (response?.['id_token'] === undefined) return;
    response['iss'] = issuer;
    warnOfLargeTokens(ctx, response);
  });
  provider.on('server_error', (ctx, error) => onFailure(error, ctx.method, ctx.path));
  // This handles errors outside all routes, which would otherwise be printed. Clients that go away are no failures.
  provider.onerror = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') onFailure(error, '', '');
  };
  return provider;
}

/** Returns URLs below the root of the sandbox's own port, although its requests continue below the path of the sandbox. */
function usePortUrls(provider: Provider, parts: ProviderParts): void {
  const { issuer } = parts;
  if (!isAtOwnPort(parts)) return;
  provider.OIDCContext.prototype.urlFor = (name, options) =>
    `${issuer}${provider.pathFor(name, { ...options, mountPath: '' })}`;
}

/** Lists the claims that a provider itself supports: those of scopes, and those that requests name. */
function listStandardClaims({ claims = {} }: Configuration): ReadonlySet<string> {
  return new Set(Object.entries(claims).flatMap(([name, of]) => (Array.isArray(of) ? of.map(String) : [name])));
}

/** Allows redirects of configured clients to any loopback URL. All other redirect URIs must match exactly. */
function allowLoopback(provider: Provider, sandbox: Sandbox): void {
  const { prototype } = provider.Client;
  const { redirectUriAllowed, postLogoutRedirectUriAllowed } = prototype;
  const widened = (allowed: typeof redirectUriAllowed) =>
    function (this: Client, address: string): boolean {
      if (allowed.call(this, address)) return true;
      return fixtureClient(sandbox, this.clientId)?.anyLoopbackRedirect === true && isLoopbackAddress(address);
    };
  prototype.redirectUriAllowed = widened(redirectUriAllowed);
  prototype.postLogoutRedirectUriAllowed = widened(postLogoutRedirectUriAllowed);
}

/** Encoded payload of refresh tokens, `{}` in base64url. */
const emptyPayload = 'e30';

/**
 * Appends an empty payload to the random text of refresh tokens. A client library reads the payload of every token, and
 * fails for a token without one, even though refresh tokens are opaque.
 */
function appendPayload(provider: Provider): void {
  const { prototype } = provider.RefreshToken as unknown as { readonly prototype: { generateTokenId(): string } };
  const { generateTokenId } = prototype;
  prototype.generateTokenId = function (this: typeof prototype): string {
    return `${generateTokenId.call(this)}.${emptyPayload}`;
  };
}

/** Rejects requests to register a user, before the provider checks prompts without naming any. */
function refuseUserCreation(): void {
  const { prompt } = Provider.ctx?.oidc.params ?? {};
  if (typeof prompt !== 'string' || !splitWords(prompt).includes('create')) return;
  throw new errors.InvalidRequest(
    'prompt=create is not supported: users are created by fixtures and by the control API',
  );
}

/**
 * Sends the error of a request in the fragment if it requests an ID token in the query, where no ID token may be. The
 * provider would send it in the query.
 */
function sendErrorsInFragment(provider: Provider): void {
  provider.on('authorization.error', ({ oidc: { params } }) => {
    const { response_mode: mode, response_type: type } = params ?? {};
    if (params === undefined || mode !== 'query' || typeof type !== 'string') return;
    if (splitWords(type).includes('id_token')) params['response_mode'] = 'fragment';
  });
}

/** Allows the response types of fixture clients. Registered clients use `code`. */
function allowResponseTypes(provider: Provider, sandbox: Sandbox): void {
  const { prototype } = provider.Client;
  const { responseTypeAllowed } = prototype;
  prototype.responseTypeAllowed = function (this: Client, type): boolean {
    const known = fixtureClient(sandbox, this.clientId);
    const isAllowed = known === null ? responseTypeAllowed.call(this, type) : mayRequest(known, type);
    if (isAllowed) refuseUserCreation();
    if (isAllowed || known === null) return isAllowed;
    throw new errors.UnsupportedResponseType('the client may not request this response_type', type);
  };
}
