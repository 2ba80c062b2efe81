import type { PasskeyTransport } from '../contract/credential.schema.ts';
import type { KeyAlgorithm } from '../core/cose-key.ts';
import type { AttachmentJson } from './webauthn-json.ts';

/**
 * Attestation formats of an authenticator. Like browsers, it returns `packed-self` and `packed-ca` only if the
 * server requests attestation. It always returns `broken`, whose signature covers other data, because a suppressed
 * attestation would test nothing.
 */
export const attestationFormats = ['none', 'packed-self', 'packed-ca', 'broken'] as const;
export type AttestationFormat = (typeof attestationFormats)[number];

/** Properties of an authenticator: its model, its capabilities and the flags of its passkeys. */
export interface AuthenticatorProfile {
  /** AAGUID of the authenticator model; `null` if none is required, which gives its passkeys the zero AAGUID. */
  readonly aaguid: string | null;
  readonly transports: readonly PasskeyTransport[];
  /** Attachment: `platform` is built into the browser's device, `cross-platform` is external. */
  readonly attachment: AttachmentJson;
  /** True if its passkeys may be synced. Passkeys that may be synced count no signatures. */
  readonly backupEligible: boolean;
  /** True if its passkeys are currently backed up. */
  readonly backupState: boolean;
  readonly attestation: AttestationFormat;
  readonly algorithm: KeyAlgorithm;
  /**
   * True if it can verify its user. A platform authenticator always does. An external one does unless the server
   * discourages it.
   */
  readonly userVerification: boolean;
  /**
   * True if it can store discoverable passkeys. A platform authenticator always does. An external one does unless the
   * server discourages it.
   */
  readonly residentKey: boolean;
  /** True if it evaluates a pseudorandom function (PRF) for each of its passkeys. The default is `true`. */
  readonly prf?: boolean;
}

/** AAGUID of an authenticator that does not disclose its model. */
export const zeroAaguid = '00000000-0000-0000-0000-000000000000';
