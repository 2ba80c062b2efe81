import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { OperatingSystem, PasskeyType } from '../../../../machines/vocabulary.ts';
import {
  type CredentialUse,
  credentialSchema,
  type PasskeyCredential,
  passkeyTransports,
} from '../../../contract/credential.schema.ts';
import { passkeyKindOf } from '../../../contract/passkey-kind.ts';
import type { HeldPasskey } from '../../../sandbox/passkeys.ts';
import { keyAlgorithms } from './ceremony-options.ts';
import type { RelyingParty } from './relying-party.ts';

/** A ceremony that a browser says it held. */
export interface HeldCeremony {
  /** The answer as the page sent it: JSON of WebAuthn. */
  readonly answer: string;
  /** The challenge that was given, or what says whether one was. */
  readonly challenge: string | ((challenge: string) => Promise<boolean>);
  readonly relyingParty: RelyingParty;
}

/** A passkey that was made, verified: its kind, and what is kept of it. */
export interface MadePasskey {
  readonly type: PasskeyType;
  readonly credential: PasskeyCredential;
  /** Whether a certificate attests its make; that of the passkey itself does not. */
  readonly attested: boolean;
}

/**
 * Verifies a registration: challenge, origin, relying party, user verification, attestation. The kind of the passkey is
 * derived from what the authenticator says, never from what the page says (A51). Takes the system it was made on, and the
 * virtual time in ms. Returns `null` for a registration that does not hold.
 */
export async function verifyRegistration(
  ceremony: HeldCeremony,
  os: OperatingSystem,
  nowMs: number,
): Promise<MadePasskey | null> {
  const response = parsed<RegistrationResponseJSON>(ceremony.answer);
  if (response === null) return null;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: ceremony.challenge,
      expectedOrigin: ceremony.relyingParty.origin,
      expectedRPID: ceremony.relyingParty.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: keyAlgorithms,
    });
    if (registrationInfo === undefined) return null;
    const { credential, aaguid, credentialDeviceType, credentialBackedUp, attestationObject } = registrationInfo;
    const transports = passkeyTransports.filter((known) => response.response.transports?.includes(known));
    const backupEligible = credentialDeviceType === 'multiDevice';
    const { type, confidence } = passkeyKindOf({ aaguid, transports, backupEligible, os });
    const kept = credentialSchema.safeParse({
      id: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      aaguid,
      transports,
      backupEligible,
      backedUp: credentialBackedUp,
      name: 'Passkey',
      createdAtMs: nowMs,
      kindConfidence: confidence,
    });
    const certificates = decodeAttestationObject(attestationObject).get('attStmt').get('x5c');
    return kept.success ? { type, credential: kept.data, attested: certificates !== undefined } : null;
  } catch {
    return null;
  }
}

/** The id of the passkey that an answer is by, and the handle of its user; `null` for what is no answer. */
export function answererOf(
  answer: string,
): { readonly credentialId: string; readonly handle: string | undefined } | null {
  const response = parsed<AuthenticationResponseJSON>(answer);
  if (response === null) return null;
  const { userHandle } = response.response;
  return { credentialId: response.id, handle: typeof userHandle === 'string' ? userHandle : undefined };
}

/**
 * Verifies an assertion by one of the passkeys given: challenge, origin, relying party, user verification, signature, and a
 * counter that went on. Returns which passkey was used, `null` when the assertion does not hold.
 */
export async function verifyAssertion(
  ceremony: HeldCeremony,
  held: readonly HeldPasskey[],
): Promise<CredentialUse | null> {
  const response = parsed<AuthenticationResponseJSON>(ceremony.answer);
  const used = held.find(({ credential }) => credential.id === response?.id);
  if (response === null || used === undefined) return null;
  const { id, publicKey, counter, transports } = used.credential;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: ceremony.challenge,
      expectedOrigin: ceremony.relyingParty.origin,
      expectedRPID: ceremony.relyingParty.id,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter, transports },
    });
    return verified ? { credentialId: id, counter: authenticationInfo.newCounter } : null;
  } catch {
    return null;
  }
}

/** The parts that are read before the library checks the rest. */
interface Answer {
  readonly id?: unknown;
  readonly response?: { readonly transports?: unknown } | null;
}

function parsed<T>(text: string): T | null {
  try {
    const answer = JSON.parse(text) as Answer | null;
    if (typeof answer?.id !== 'string' || typeof answer.response !== 'object' || answer.response === null) return null;
    const { transports } = answer.response;
    return transports === undefined || Array.isArray(transports) ? (answer as T) : null;
  } catch {
    return null;
  }
}
