import Provider, { type Client } from 'oidc-provider';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { useSignedTokens } from './access-tokens.ts';
import { completeAnswers } from './answers.ts';
import { releaseBrowsers } from './bound-browser.ts';
import { fixtureClient, isLoopbackAddress } from './clients.ts';
import { createConfiguration } from './configuration.ts';
import type { ProviderParts } from './provider-parts.ts';
import { nameResumptions, settleSessions } from './resumed-session.ts';
import { limitSecretGuesses } from './secret-attempts.ts';
import { endPagesWithSession } from './session-end.ts';
import { journalSessionUse } from './session-use.ts';

/** Creates the provider of a sandbox. */
export function createProvider(parts: ProviderParts): Provider {
  const { sandbox, issuer, onFailure } = parts;
  const provider = new Provider(issuer, createConfiguration(parts));
  nameResumptions(provider);
  useSignedTokens(provider, sandbox);
  allowLoopback(provider, sandbox);
  limitSecretGuesses(provider, sandbox);
  completeAnswers(provider, parts);
  journalSessionUse(provider, parts);
  endPagesWithSession(provider, sandbox);
  releaseBrowsers(provider, sandbox.id);
  settleSessions(provider);
  provider.on('server_error', (ctx, error) => onFailure(error, ctx.method, ctx.path));
  // This handles errors outside all routes, which would otherwise be printed.
  provider.onerror = (error: Error) => onFailure(error, '', '');
  return provider;
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
