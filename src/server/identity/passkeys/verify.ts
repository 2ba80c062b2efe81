import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { OperatingSystem, PasskeyType } from '../../../../machines/vocabulary.ts';
import {
  type CredentialUse,
  credentialSchema,
  type PasskeyCredential,
  passkeyTransports,
} from '../../../contract/credential.schema.ts';
import type { SignedMetadata } from '../../../contract/passkey-settings.schema.ts';
import { detectPasskeyType } from '../../../contract/passkey-type-detection.ts';
import { withMetadata } from '../../../sandbox/passkey-metadata.ts';
import type { HeldPasskey } from '../../../sandbox/passkeys.ts';
import { keyAlgorithms } from './ceremony-options.ts';
import type { RelyingParty } from './relying-party.ts';

/** A ceremony that a browser says it held. */
export interface HeldCeremony {
  /** The answer as the page sent it: JSON of WebAuthn. */
  readonly answer: string;
  /** The challenge that was given, or those that were: one of these is used up by an answer that holds. */
  readonly challenge: string | GivenChallenges;
  readonly relyingParty: RelyingParty;
}

/** Challenges of which each is good once. */
export interface GivenChallenges {
  /** Whether a challenge was given, and may still be answered. */
  wasGiven(challenge: string): Promise<boolean>;
  /** Uses it up. Returns whether it could still be used. */
  use(challenge: string): Promise<boolean>;
}

/** Who is to sign in: the passkeys of the user, and the handle that those carry which say one. */
export interface PasskeyHolder {
  readonly held: readonly HeldPasskey[];
  readonly userHandle: string;
}

/** A passkey that was made, verified: its kind, and what is kept of it. */
export interface MadePasskey {
  readonly type: PasskeyType;
  readonly credential: PasskeyCredential;
  /** Whether a certificate attests its make; that of the passkey itself does not. */
  readonly attested: boolean;
}

/** Where a passkey was made, and what it is held against. */
export interface RegistrationPlace {
  readonly os: OperatingSystem;
  /** Virtual time. */
  readonly nowMs: number;
  /** The metadata that attestation is verified against; `null` where any certificate attests a model. */
  readonly metadata: SignedMetadata | null;
  /** Whether the browser created it by itself: then no one need have been present or verified (WebAuthn level 3, 7.1). */
  readonly conditional?: boolean;
}

/**
 * Verifies a registration: challenge, origin, relying party, user verification, attestation. The kind of the passkey is
 * derived from what the authenticator says, never from what the page says (A51). Returns `null` for a registration that does
 * not hold.
 */
export async function verifyRegistration(
  ceremony: HeldCeremony,
  { os, nowMs, metadata, conditional = false }: RegistrationPlace,
): Promise<MadePasskey | null> {
  const response = parsed<RegistrationResponseJSON>(ceremony.answer);
  if (response === null) return null;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const clientData = await clientDataOf(response);
    const verified = await withMetadata(metadata, nowMs, async (lists) => {
      const { registrationInfo } = await verifyRegistrationResponse({
        response,
        expectedChallenge: expectedBy(ceremony),
        expectedOrigin: expectedOrigins(ceremony),
        expectedRPID: ceremony.relyingParty.id,
        requireUserPresence: !conditional,
        requireUserVerification: !conditional,
        supportedAlgorithmIDs: keyAlgorithms,
      });
      if (registrationInfo === undefined) return null;
      const trusted = metadata === null || (await lists(registrationInfo.aaguid));
      return { registrationInfo, trusted };
    });
    if (verified === null || wasFramed(clientData)) return null;
    const { registrationInfo, trusted } = verified;
    const { credential, aaguid, credentialDeviceType, credentialBackedUp, attestationObject } = registrationInfo;
    const transports = passkeyTransports.filter((known) => response.response.transports?.includes(known));
    const backupEligible = credentialDeviceType === 'multiDevice';
    const { type, confidence } = detectPasskeyType({ aaguid, transports, backupEligible, os });
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
      ...extensionsOf(response),
    });
    const attestation = await attestationOf(attestationObject, credential.publicKey);
    if (!kept.success || attestation === 'contradicts-key' || !(await usesUp(ceremony, clientData))) return null;
    return { type, credential: kept.data, attested: trusted && attestation === 'by-certificate' };
  } catch {
    return null;
  }
}

/** What the browser says of a new passkey by extensions; nothing of it is signed. */
function extensionsOf({ clientExtensionResults }: RegistrationResponseJSON): {
  readonly discoverable?: boolean;
  readonly prf?: boolean;
} {
  const { credProps, prf } = (clientExtensionResults ?? {}) as {
    readonly credProps?: { readonly rk?: unknown } | null;
    readonly prf?: { readonly enabled?: unknown } | null;
  };
  return {
    ...(typeof credProps?.rk === 'boolean' ? { discoverable: credProps.rk } : {}),
    ...(typeof prf?.enabled === 'boolean' ? { prf: prf.enabled } : {}),
  };
}

/**
 * What a statement attests by. A passkey that attests itself has to name the algorithm of its own key (WebAuthn level 3, 8.2),
 * which the library does not compare.
 */
async function attestationOf(
  attestationObject: Uint8Array<ArrayBuffer>,
  publicKey: Uint8Array<ArrayBuffer>,
): Promise<'by-certificate' | 'by-itself-or-none' | 'contradicts-key'> {
  const { cose, decodeAttestationObject, decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(attestationObject);
  const statement = decoded.get('attStmt');
  if (statement.get('x5c') !== undefined) return 'by-certificate';
  if (decoded.get('fmt') !== 'packed') return 'by-itself-or-none';
  const algorithm = decodeCredentialPublicKey(publicKey).get(cose.COSEKEYS.alg);
  return statement.get('alg') === algorithm ? 'by-itself-or-none' : 'contradicts-key';
}

/** The id of the passkey that an answer is by, and the handle of its user; `null` for what is no answer. */
export function getResponder(
  answer: string,
): { readonly credentialId: string; readonly handle: string | undefined } | null {
  const response = parsed<AuthenticationResponseJSON>(answer);
  if (response === null) return null;
  const { userHandle } = response.response;
  return { credentialId: response.id, handle: typeof userHandle === 'string' ? userHandle : undefined };
}

/**
 * Verifies an assertion by one of the passkeys given: challenge, origin, relying party, user verification, user handle, signature, a
 * counter that went on, and a backup eligibility that never changes (WebAuthn level 3, 7.2). Returns which passkey was used, `null`
 * when the assertion does not hold.
 */
export async function verifyAssertion(
  ceremony: HeldCeremony,
  { held, userHandle }: PasskeyHolder,
): Promise<CredentialUse | null> {
  const response = parsed<AuthenticationResponseJSON>(ceremony.answer);
  const used = held.find(({ credential }) => credential.id === response?.id);
  if (response === null || used === undefined) return null;
  if ((response.response.userHandle ?? userHandle) !== userHandle) return null;
  const { id, publicKey, counter, transports, backupEligible, backedUp } = used.credential;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const clientData = await clientDataOf(response);
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: expectedBy(ceremony),
      expectedOrigin: expectedOrigins(ceremony),
      expectedRPID: ceremony.relyingParty.id,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter, transports },
    });
    const { newCounter, credentialDeviceType, credentialBackedUp } = authenticationInfo;
    const sameEligibility = (credentialDeviceType === 'multiDevice') === backupEligible;
    if (!verified || !sameEligibility || wasFramed(clientData) || !(await usesUp(ceremony, clientData))) return null;
    const backup = credentialBackedUp === backedUp ? {} : { backedUp: credentialBackedUp };
    return { credentialId: id, counter: newCounter, ...backup };
  } catch {
    return null;
  }
}

type ClientData = ReturnType<typeof import('@simplewebauthn/server/helpers').decodeClientDataJSON>;

async function clientDataOf({ response }: { response: { clientDataJSON: string } }): Promise<ClientData> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  return decodeClientDataJSON(response.clientDataJSON);
}

/** Whether a ceremony took place in a frame of another origin: no page of this server may be framed at all. */
function wasFramed({ crossOrigin = false, topOrigin }: ClientData): boolean {
  return crossOrigin !== false || topOrigin !== undefined;
}

/** The page of the server itself, and those of related origins, which browsers hold against the list of the server. */
function expectedOrigins({ relyingParty: { origin, relatedOrigins } }: HeldCeremony): string[] {
  return [origin, ...relatedOrigins];
}

function expectedBy({ challenge }: HeldCeremony): string | ((text: string) => Promise<boolean>) {
  return typeof challenge === 'string' ? challenge : (text) => challenge.wasGiven(text);
}

/** Uses the challenge up, last of all, so that only an answer that holds does. Returns whether it could still be used. */
async function usesUp({ challenge }: HeldCeremony, clientData: ClientData): Promise<boolean> {
  return typeof challenge === 'string' || challenge.use(clientData.challenge);
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
