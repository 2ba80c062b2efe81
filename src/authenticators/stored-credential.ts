import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { getAlgorithm, type KeyAlgorithm } from '../core/cose-key.ts';
import type { PrivateJwk } from '../core/seeded-key.ts';

/** Passkey with its private key as JSON. It can be saved as test data and loaded again. */
export interface StoredCredential {
  /** Credential id in base64url. The user handle has the same encoding. */
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
  readonly userName: string;
  readonly privateKey: PrivateJwk;
  /** Last counter value that was returned. It stays 0 if the passkey may be synced. */
  readonly counter: number;
  /** True if the passkey can be found without a credential id from the server. */
  readonly discoverable: boolean;
  readonly backupEligible: boolean;
  readonly backupState: boolean;
}

/** Passkey to load. Missing properties come from the authenticator's profile. */
export type CredentialDescriptor = Pick<StoredCredential, 'id' | 'rpId' | 'userHandle' | 'privateKey'> &
  Partial<StoredCredential>;

/** Signs bytes in the format of WebAuthn: ECDSA in DER and RSA with PKCS #1, both with SHA-256, or plain EdDSA. */
export function signatureBy(privateKey: PrivateJwk, content: Uint8Array): Buffer {
  return sign(digestNames[getAlgorithm(privateKey)], content, toKeyObject(privateKey));
}

/** Encodes the public key of a key pair as SubjectPublicKeyInfo. */
export function encodePublicKeyInfo(privateKey: PrivateJwk): Buffer {
  return createPublicKey(toKeyObject(privateKey)).export({ format: 'der', type: 'spki' });
}

/** Encodes a private key as PKCS #8, the format of the DevTools protocol. */
export function encodePrivateKeyInfo(privateKey: PrivateJwk): Buffer {
  return toKeyObject(privateKey).export({ format: 'der', type: 'pkcs8' });
}

/** Parses a private key in PKCS #8, the format of the DevTools protocol. Inverse of `encodePrivateKeyInfo`. */
export function privateKeyFrom(content: Buffer): PrivateJwk {
  return createPrivateKey({ key: content, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' }) as PrivateJwk;
}

const digestNames: Readonly<Record<KeyAlgorithm, string | null>> = { ES256: 'sha256', RS256: 'sha256', EdDSA: null };

function toKeyObject(privateKey: PrivateJwk): KeyObject {
  return createPrivateKey({ key: { ...privateKey }, format: 'jwk' });
}
