import type Provider from 'oidc-provider';
import type { Interaction } from 'oidc-provider';

/** The scopes of an authorization request. */
export function askedScopes({ params }: Interaction): readonly string[] {
  return splitWords(params['scope']);
}

/** The scopes that the user has not agreed to yet, as the provider found. */
export function missingScopes({ prompt }: Interaction): readonly string[] {
  const missing = prompt.details['missingOIDCScope'];
  return Array.isArray(missing) ? missing.map(String) : [];
}

/**
 * Keeps what a user agreed to: the scopes and claims of the request, beside those that were granted before. Takes an
 * interaction of a user who has a session. Returns the id of the grant.
 */
export async function grantAsked(provider: Provider, interaction: Interaction): Promise<string> {
  const { params, session } = interaction;
  const clientId = String(params['client_id']);
  // Another tab may have been granted something since: a session has one grant for each client, and codes stand on it.
  const present = session === undefined ? undefined : await provider.Session.findByUid(session.uid);
  const grantId = present?.grantIdFor(clientId) ?? interaction.grantId;
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = known ?? new provider.Grant({ clientId, accountId: session?.accountId ?? '' });
  grant.addOIDCScope(askedScopes(interaction).join(' '));
  const claims = interaction.prompt.details['missingOIDCClaims'];
  if (Array.isArray(claims)) grant.addOIDCClaims(claims.map(String));
  return grant.save();
}

/** The words of a text that spaces divide. */
export function splitWords(text: unknown): readonly string[] {
  return typeof text === 'string' ? text.split(' ').filter((word) => word !== '') : [];
}
