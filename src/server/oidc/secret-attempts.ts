import Provider, { type Client, errors } from 'oidc-provider';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { recordFailedAttempt } from '../identity/failed-attempts.ts';
import { fixtureClient } from './clients.ts';

/** Status for throttling, which RFC 6749, section 2.3.1, requires without defining an error code. */
const tooManyRequests = 429;

/**
 * Counts failed attempts with client secrets like those with passwords (decision 061), at every endpoint that accepts a
 * secret. After too many, even the correct secret gets 429 with `Retry-After`.
 */
export function limitSecretGuesses(provider: Provider, sandbox: Sandbox): void {
  const { prototype } = provider.Client;
  const { compareClientSecret } = prototype;
  prototype.compareClientSecret = async function (this: Client, given: string): Promise<boolean> {
    // Dynamically registered clients share counters, because anyone can create and discard such clients.
    const isKnown = fixtureClient(sandbox, this.clientId) !== null;
    const guessed = { secret: 'client-secret', owner: this.clientId, isKnown } as const;
    const evaluated = await recordFailedAttempt(sandbox, guessed, () => compareClientSecret.call(this, given));
    if (typeof evaluated === 'boolean') return evaluated;
    Provider.ctx?.set('Retry-After', String(evaluated.waitSeconds));
    const refused = new errors.OIDCProviderError(tooManyRequests, 'temporarily_unavailable');
    throw Object.assign(refused, {
      error_description: 'Too many incorrect secrets for this client. Retry after the time in Retry-After.',
    });
  };
}
