import Provider, { type Client, errors } from 'oidc-provider';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { recordFailedAttempt } from '../identity/failed-attempts.ts';
import { fixtureClient } from './clients.ts';

/** What RFC 6749, 2.3.1, asks for and has no word of its own for. */
const tooManyRequests = 429;

/**
 * Counts wrong client secrets as wrong passwords are (decision 061), at every endpoint that asks for one: after too many even the right
 * one is answered 429 with `Retry-After`. Takes the provider and its sandbox.
 */
export function limitSecretGuesses(provider: Provider, sandbox: Sandbox): void {
  const { prototype } = provider.Client;
  const { compareClientSecret } = prototype;
  prototype.compareClientSecret = async function (this: Client, given: string): Promise<boolean> {
    // Anybody makes clients and discards them, so those that registered themselves share counters.
    const isKnown = fixtureClient(sandbox, this.clientId) !== null;
    const guessed = { secret: 'client-secret', owner: this.clientId, isKnown } as const;
    const evaluated = await recordFailedAttempt(sandbox, guessed, () => compareClientSecret.call(this, given));
    if (typeof evaluated === 'boolean') return evaluated;
    Provider.ctx?.set('Retry-After', String(evaluated.waitSeconds));
    const refused = new errors.OIDCProviderError(tooManyRequests, 'temporarily_unavailable');
    throw Object.assign(refused, { error_description: 'Too many wrong secrets of this client: wait for Retry-After.' });
  };
}
