import type { PasskeyTransport } from '../contract/credential.schema.ts';
import type { KeyAlgorithm } from '../core/cose-key.ts';
import type { AttachmentJson } from './webauthn-json.ts';

/**
 * What an authenticator attests with. `packed-self` and `packed-ca` are given when the server asks for attestation, as browsers
 * do. `broken` carries a signature over something else and is always given: a wish that no one sees would test nothing.
 */
export const attestationFormats = ['none', 'packed-self', 'packed-ca', 'broken'] as const;
export type AttestationFormat = (typeof attestationFormats)[number];

/** An authenticator as data: its make, what it can do and what it says of its passkeys. */
export interface AuthenticatorProfile {
  /** `null` wishes for none in particular: the passkey carries the AAGUID of zeros. */
  readonly aaguid: string | null;
  readonly transports: readonly PasskeyTransport[];
  /** Whether it sits in the device of the browser or comes from outside. */
  readonly attachment: AttachmentJson;
  /** Its passkeys may be synced. Those that may count no signatures. */
  readonly backupEligible: boolean;
  /** Its passkeys are backed up now. */
  readonly backupState: boolean;
  readonly attestation: AttestationFormat;
  readonly algorithm: KeyAlgorithm;
  /** It can verify its user. One of the device does so always, one from outside unless the server discourages it. */
  readonly userVerification: boolean;
  /** It can hold discoverable passkeys. One of the device always does, one from outside unless the server discourages it. */
  readonly residentKey: boolean;
  /** It evaluates a pseudo-random function for each of its passkeys (PRF); it does unless this says `false`. */
  readonly prf?: boolean;
}

/** The AAGUID of an authenticator that does not name its make. */
export const zeroAaguid = '00000000-0000-0000-0000-000000000000';
