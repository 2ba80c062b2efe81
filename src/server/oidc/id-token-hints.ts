import type { JWTPayload } from 'jose';
import Provider, { type Client } from 'oidc-provider';
import { signingAlgorithms } from '../../contract/signing-algorithms.ts';
import type { ProviderParts } from './provider-parts.ts';
import { getSubject, listSubjects } from './tenant-form/tenant-claims.ts';

/**
 * Accepts ID tokens of either form as hints (CL80). The provider itself accepts those of its own issuer. Hints may have
 * expired.
 */
export function acceptHintsOfBothForms(provider: Provider, parts: ProviderParts): void {
  const { IdToken } = provider;
  const { validate } = IdToken;
  IdToken.validate = async function (this: typeof IdToken, jwt: string, client: Client) {
    try {
      return await validate.call(this, jwt, client);
    } catch (error) {
      const payload = await readHint(parts, jwt, client.clientId);
      if (payload === null) throw error;
      return { header: {}, payload: toOwnSubject(parts, client.clientId, payload) } as unknown as Awaited<
        ReturnType<typeof validate>
      >;
    }
  };
}

/** Returns the claims of an ID token of this sandbox for a client. `null` if it is none, or its key is gone. */
async function readHint({ sandbox }: ProviderParts, jwt: string, clientId: string): Promise<JWTPayload | null> {
  const { tokens } = sandbox;
  const { compactVerify, decodeProtectedHeader } = await import('jose');
  try {
    const { kid = '', typ } = decodeProtectedHeader(jwt);
    const key = await tokens.keys.find(kid);
    if (key === null || typ !== 'JWT') return null;
    const verified = await compactVerify(jwt, key.publicKey, { algorithms: [...signingAlgorithms] });
    const payload = JSON.parse(new TextDecoder().decode(verified.payload)) as JWTPayload;
    const isOwn = [tokens.issuer, tokens.tenantIssuer].includes(payload.iss ?? '') && payload.aud === clientId;
    // An access token can have the same type, and always names its client.
    const isIdToken = payload['client_id'] === undefined && payload['azp'] === undefined;
    return isOwn && isIdToken && typeof payload.sub === 'string' ? payload : null;
  } catch {
    return null;
  }
}

/** Replaces the subject in a hint at the user of the session by that of this form, with which the provider compares it. */
function toOwnSubject(parts: ProviderParts, clientId: string, payload: JWTPayload): JWTPayload {
  const userId = Provider.ctx?.oidc.session?.accountId;
  if (userId === undefined || !listSubjects(parts, clientId, userId).includes(payload.sub ?? '')) return payload;
  return { ...payload, sub: getSubject(parts, clientId, userId) };
}
