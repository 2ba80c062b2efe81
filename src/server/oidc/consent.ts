import type Provider from 'oidc-provider';
import type { Interaction } from 'oidc-provider';

/** Returns the scopes of an authorization request. */
export function listRequestedScopes({ params }: Interaction): readonly string[] {
  return splitWords(params['scope']);
}

/** Returns the requested scopes that the user has not granted yet, as determined by the provider. */
export function missingScopes({ prompt }: Interaction): readonly string[] {
  const missing = prompt.details['missingOIDCScope'];
  return Array.isArray(missing) ? missing.map(String) : [];
}

/**
 * Stores a user's consent: the scopes and claims of the request are added to those granted before. The interaction must
 * belong to a user with a session. Returns the id of the grant.
 */
export async function grantRequestedScopes(provider: Provider, interaction: Interaction): Promise<string> {
  const { params, session } = interaction;
  const clientId = String(params['client_id']);
  // Another tab may have added a grant in the meantime. A session has one grant per client, and codes depend on it.
  const present = session === undefined ? undefined : await provider.Session.findByUid(session.uid);
  const grantId = present?.grantIdFor(clientId) ?? interaction.grantId;
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = known ?? new provider.Grant({ clientId, accountId: session?.accountId ?? '' });
  grant.addOIDCScope(listRequestedScopes(interaction).join(' '));
  const claims = interaction.prompt.details['missingOIDCClaims'];
  if (Array.isArray(claims)) grant.addOIDCClaims(claims.map(String));
  return grant.save();
}

/** Splits a text at spaces into words. */
export function splitWords(text: unknown): readonly string[] {
  return typeof text === 'string' ? text.split(' ').filter((word) => word !== '') : [];
}
