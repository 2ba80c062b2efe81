import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { HeldCeremony } from './verify.ts';

/** Flag of authenticator data: the authenticator verified the user. */
const userVerifiedFlag = 'uv';

/**
 * Finds the first check that a registration fails, except for those of its signature and its metadata. It consumes
 * no challenge.
 *
 * @returns a sentence that names the check, or `null` if there is none
 */
export async function findRegistrationFault({ answer, challenge, relyingParty }: HeldCeremony): Promise<string | null> {
  const { decodeAttestationObject, decodeClientDataJSON, parseAuthenticatorData, toHash } = await import(
    '@simplewebauthn/server/helpers'
  );
  const { id, response } = JSON.parse(answer) as RegistrationResponseJSON;
  const clientData = attempt(() => decodeClientDataJSON(response.clientDataJSON));
  if (clientData === null) return 'clientDataJSON is not client data in base64url';
  if (clientData.type !== 'webauthn.create') return 'the type of the client data is not webauthn.create';
  const isKnown =
    typeof challenge === 'string' ? challenge === clientData.challenge : await challenge.wasGiven(clientData.challenge);
  if (!isKnown) return 'the challenge was not issued for this user, was used before, or has expired';
  const origins = [relyingParty.origin, ...relyingParty.relatedOrigins];
  if (!origins.includes(clientData.origin)) return `the origin is not one of ${origins.join(', ')}`;
  const bytes = new Uint8Array(Buffer.from(response.attestationObject, 'base64url'));
  const data = attempt(() => parseAuthenticatorData(decodeAttestationObject(bytes).get('authData')));
  if (data === null) return 'attestationObject is not an attestation object in base64url';
  const wanted = await toHash(new Uint8Array(Buffer.from(relyingParty.id)));
  if (!Buffer.from(wanted).equals(Buffer.from(data.rpIdHash))) return `the relying party is not ${relyingParty.id}`;
  if (!data.flags[userVerifiedFlag]) return 'the authenticator did not verify the user';
  const attestedId = data.credentialID === undefined ? null : Buffer.from(data.credentialID).toString('base64url');
  return attestedId === id ? null : 'the id is not that of the passkey in attestationObject';
}

function attempt<T>(task: () => T): T | null {
  try {
    return task();
  } catch {
    return null;
  }
}
