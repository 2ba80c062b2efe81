import { sha256 } from './relying-party.ts';

/** Bits of the flags byte that the software authenticator uses. */
export const flagBits = {
  userPresent: 0x01,
  userVerified: 0x04,
  backupEligible: 0x08,
  backupState: 0x10,
  attestedCredential: 0x40,
} as const;

export interface AuthenticatorState {
  readonly rpId: string;
  readonly userPresent: boolean;
  readonly userVerified: boolean;
  readonly backupEligible: boolean;
  readonly backupState: boolean;
  /** Signature counter, or 0 if the passkey does not count signatures. */
  readonly counter: number;
}

export interface NewCredential {
  readonly aaguid: string;
  readonly id: Uint8Array;
  /** Public key in COSE format. */
  readonly publicKey: Uint8Array;
}

/** Encodes the authenticator data of WebAuthn (section 6.1). `credential` is `null` for an assertion. */
export function authenticatorData(state: AuthenticatorState, credential: NewCredential | null): Buffer {
  const head = Buffer.alloc(37);
  sha256(state.rpId).copy(head);
  head.writeUInt8(computeFlags(state, credential !== null), 32);
  head.writeUInt32BE(state.counter, 33);
  if (credential === null) return head;
  const idLength = Buffer.alloc(2);
  idLength.writeUInt16BE(credential.id.byteLength);
  return Buffer.concat([head, aaguidBytes(credential.aaguid), idLength, credential.id, credential.publicKey]);
}

function computeFlags(state: AuthenticatorState, attested: boolean): number {
  return (
    (state.userPresent ? flagBits.userPresent : 0) |
    (state.userVerified ? flagBits.userVerified : 0) |
    (state.backupEligible ? flagBits.backupEligible : 0) |
    (state.backupState ? flagBits.backupState : 0) |
    (attested ? flagBits.attestedCredential : 0)
  );
}

/** Converts an AAGUID to its 16 bytes. */
export function aaguidBytes(aaguid: string): Buffer {
  return Buffer.from(aaguid.replaceAll('-', ''), 'hex');
}
