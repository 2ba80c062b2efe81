import Provider, { type Client, type Configuration, errors } from 'oidc-provider';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { useSignedTokens } from './access-tokens.ts';
import { completeAnswers } from './answers.ts';
import { tolerateAssertionTimes } from './assertion-clock.ts';
import { releaseBrowsers } from './bound-browser.ts';
import { fixtureClient, isLoopbackAddress, mayRequest } from './clients.ts';
import { createConfiguration } from './configuration.ts';
import { addConfiguredClaims, warnOfLargeTokens } from './configured-claims.ts';
import { limitUserCodes } from './device-pages.ts';
import { completeDpop } from './dpop.ts';
import { nameTypeOfIdTokens } from './id-tokens.ts';
import type { ProviderParts } from './provider-parts.ts';
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

/** Creates the provider of a sandbox. */
export function createProvider(parts: ProviderParts): Provider {
  const { sandbox, form, onFailure } = parts;
  const issuer = form?.issuer ?? parts.issuer;
  const configuration = adaptConfiguration(createConfiguration(parts), parts);
  const provider = new Provider(issuer, configuration);
  nameResumptions(provider);
  useSignedTokens(provider, parts);
  addConfiguredClaims(provider, parts, listStandardClaims(configuration));
  useSubjects(provider, parts);
  acceptAssertionsOfBothForms(provider, parts);
  tolerateAssertionTimes(provider, sandbox);
  if (form !== null) useTenantForm(provider, { ...parts, form });
  resolveScopes(provider, parts);
  if (parts.form === null) nameTypeOfIdTokens(provider, sandbox);
  allowLoopback(provider, sandbox);
  allowResponseTypes(provider, sandbox);
  completeDpop(provider, sandbox);
  appendPayload(provider);
  limitSecretGuesses(provider, sandbox);
  limitUserCodes(provider, sandbox);
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
  // This handles errors outside all routes, which would otherwise be printed.
  provider.onerror = (error: Error) => onFailure(error, '', '');
  return provider;
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

/** Allows the response types of fixture clients. Registered clients use `code`. */
function allowResponseTypes(provider: Provider, sandbox: Sandbox): void {
  const { prototype } = provider.Client;
  const { responseTypeAllowed } = prototype;
  prototype.responseTypeAllowed = function (this: Client, type): boolean {
    const known = fixtureClient(sandbox, this.clientId);
    if (known === null) return responseTypeAllowed.call(this, type);
    if (mayRequest(known, type)) return true;
    throw new errors.UnsupportedResponseType('the client may not request this response_type', type);
  };
}
