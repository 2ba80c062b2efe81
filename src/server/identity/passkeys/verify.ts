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
import type { StoredPasskey } from '../../../sandbox/passkeys.ts';
import { keyAlgorithms } from './ceremony-options.ts';
import type { RelyingParty } from './relying-party.ts';

/** Passkey ceremony as the browser reports it. */
export interface HeldCeremony {
  /** Response of the authenticator in the JSON format of WebAuthn, as the page sent it. */
  readonly answer: string;
  /** Expected challenge, or a set of issued challenges of which a valid response consumes one. */
  readonly challenge: string | GivenChallenges;
  readonly relyingParty: RelyingParty;
}

/** Issued challenges, each of which is valid once. */
export interface GivenChallenges {
  /** Returns `true` if a challenge was issued and can still be used. */
  wasGiven(challenge: string): Promise<boolean>;
  /** Consumes a challenge. Returns `true` if it could still be used. */
  use(challenge: string): Promise<boolean>;
}

/** User of an assertion: the user's passkeys, and the user handle in discoverable ones. */
export interface PasskeyHolder {
  readonly held: readonly StoredPasskey[];
  readonly userHandle: string;
}

/** Verified new passkey with its type and stored data. */
export interface MadePasskey {
  readonly type: PasskeyType;
  readonly credential: PasskeyCredential;
  /** `true` if a certificate attests the authenticator model. Self-attestation does not count. */
  readonly attested: boolean;
}

/** Operating system, time, and metadata against which a registration is verified. */
export interface RegistrationPlace {
  readonly os: OperatingSystem;
  /** Current time on the virtual clock in milliseconds. */
  readonly nowMs: number;
  /** Metadata for verifying attestation. `null` accepts any certificate as attestation of a model. */
  readonly metadata: SignedMetadata | null;
  /**
   * `true` if the browser created the passkey automatically, without user presence or verification (WebAuthn level 3,
   * 7.1).
   */
  readonly conditional?: boolean;
}

/**
 * Verifies a registration: challenge, origin, relying party, user verification, and attestation. The passkey type is
 * derived from authenticator data only, never from data of the page (A51). Returns `null` if the registration is
 * invalid.
 */
export async function verifyRegistration(
  ceremony: HeldCeremony,
  { os, nowMs, metadata, conditional = false }: RegistrationPlace,
): Promise<MadePasskey | null> {
  const response = parsed<RegistrationResponseJSON>(ceremony.answer);
  if (response === null) return null;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const clientData = await parseClientData(response);
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
      ...pickExtensions(response),
    });
    const attestation = await checkAttestation(attestationObject, credential.publicKey);
    if (!kept.success || attestation === 'contradicts-key' || !(await usesUp(ceremony, clientData))) return null;
    return { type, credential: kept.data, attested: trusted && attestation === 'by-certificate' };
  } catch {
    return null;
  }
}

/** Returns the extension results of a new passkey. The browser reports them without a signature. */
function pickExtensions({ clientExtensionResults }: RegistrationResponseJSON): {
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
 * Returns the type of attestation. The algorithm of a self-attestation must be that of the passkey's own key (WebAuthn
 * level 3, section 8.2), which the library does not check.
 */
async function checkAttestation(
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

/** Returns the passkey id and user handle of an assertion response. `null` if the text is not a response. */
export function getResponder(
  answer: string,
): { readonly credentialId: string; readonly handle: string | undefined } | null {
  const response = parsed<AuthenticationResponseJSON>(answer);
  if (response === null) return null;
  const { userHandle } = response.response;
  return { credentialId: response.id, handle: typeof userHandle === 'string' ? userHandle : undefined };
}

/**
 * Verifies an assertion by one of the user's passkeys: challenge, origin, relying party, user verification, user
 * handle, signature, an increased counter, and an unchanged backup eligibility (WebAuthn level 3, section 7.2). Returns
 * the used passkey, or `null` if the assertion is invalid.
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
    const clientData = await parseClientData(response);
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

async function parseClientData({ response }: { response: { clientDataJSON: string } }): Promise<ClientData> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  return decodeClientDataJSON(response.clientDataJSON);
}

/** Returns `true` if the ceremony ran in a frame of another origin. Pages of this server must never be framed. */
function wasFramed({ crossOrigin = false, topOrigin }: ClientData): boolean {
  return crossOrigin !== false || topOrigin !== undefined;
}

/**
 * Returns the allowed origins: the server's own, and related origins, which browsers check against the server's list.
 */
function expectedOrigins({ relyingParty: { origin, relatedOrigins } }: HeldCeremony): string[] {
  return [origin, ...relatedOrigins];
}

function expectedBy({ challenge }: HeldCeremony): string | ((text: string) => Promise<boolean>) {
  return typeof challenge === 'string' ? challenge : (text) => challenge.wasGiven(text);
}

/**
 * Consumes the challenge and returns `true` if it could still be used. This check comes last, so only a valid response
 * consumes the challenge.
 */
async function usesUp({ challenge }: HeldCeremony, clientData: ClientData): Promise<boolean> {
  return typeof challenge === 'string' || challenge.use(clientData.challenge);
}

/** Parts of a response that are read before the library verifies the rest. */
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
