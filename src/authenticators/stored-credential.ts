import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { getAlgorithm, type KeyAlgorithm } from '../core/cose-key.ts';
import type { PrivateJwk } from '../core/seeded-key.ts';

/** A passkey with its private key, as JSON: test data that can be written down and loaded again. */
export interface StoredCredential {
  /** base64url, as is the user handle. */
  readonly id: string;
  readonly rpId: string;
  readonly userHandle: string;
  readonly userName: string;
  readonly privateKey: PrivateJwk;
  /** The last counter given; the next assertion gives the next one. 0 and unused where the passkey may be synced. */
  readonly counter: number;
  /** Found without the server naming it. */
  readonly discoverable: boolean;
  readonly backupEligible: boolean;
  readonly backupState: boolean;
}

/** A passkey to load: what is not told is taken from the authenticator's profile. */
export type CredentialDescriptor = Pick<StoredCredential, 'id' | 'rpId' | 'userHandle' | 'privateKey'> &
  Partial<StoredCredential>;

/** Signs bytes as WebAuthn wants it: ECDSA in DER and RSA by PKCS #1, both over SHA-256, EdDSA as it is. */
export function signatureBy(privateKey: PrivateJwk, content: Uint8Array): Buffer {
  return sign(digestNames[getAlgorithm(privateKey)], content, keyOf(privateKey));
}

/** The public half of a key as SubjectPublicKeyInfo. */
export function encodePublicKeyInfo(privateKey: PrivateJwk): Buffer {
  return createPublicKey(keyOf(privateKey)).export({ format: 'der', type: 'spki' });
}

/** A private key as PKCS #8, which is how the DevTools protocol takes one. */
export function encodePrivateKeyInfo(privateKey: PrivateJwk): Buffer {
  return keyOf(privateKey).export({ format: 'der', type: 'pkcs8' });
}

/** The private key in PKCS #8, as the DevTools protocol gives one. The inverse of `encodePrivateKeyInfo`. */
export function privateKeyFrom(content: Buffer): PrivateJwk {
  return createPrivateKey({ key: content, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' }) as PrivateJwk;
}

const digestNames: Readonly<Record<KeyAlgorithm, string | null>> = { ES256: 'sha256', RS256: 'sha256', EdDSA: null };

function keyOf(privateKey: PrivateJwk): KeyObject {
  return createPrivateKey({ key: { ...privateKey }, format: 'jwk' });
}
