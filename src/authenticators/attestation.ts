import { encode } from 'cborg';
import { coseAlgorithms, getAlgorithm } from '../core/cose-key.ts';
import type { PrivateJwk } from '../core/seeded-key.ts';
import type { AttestationAuthority } from './attestation-authority.ts';
import type { AttestationFormat } from './profile.ts';
import { signatureBy } from './stored-credential.ts';

/** Data to attest in a registration, with the key and format to use. */
export interface Attested {
  readonly format: AttestationFormat;
  readonly aaguid: string;
  /** Private key of the new passkey. */
  readonly privateKey: PrivateJwk;
  readonly authenticatorData: Uint8Array;
  /** SHA-256 hash of the client data. */
  readonly clientDataHash: Uint8Array;
  readonly authority: AttestationAuthority;
}

/** Creates the attestation object of a registration, encoded in CBOR. */
export function attestationObject(attested: Attested): Uint8Array {
  const { format, authenticatorData } = attested;
  if (format === 'none') return encode({ fmt: 'none', attStmt: {}, authData: authenticatorData });
  return encode({ fmt: 'packed', attStmt: packedStatement(attested), authData: authenticatorData });
}

function packedStatement({ format, aaguid, privateKey, authenticatorData, clientDataHash, authority }: Attested) {
  const content = Buffer.concat([authenticatorData, clientDataHash]);
  if (format === 'packed-ca') {
    const key = authority.getKey(aaguid);
    return { alg: coseAlgorithms.ES256, sig: signatureBy(key.privateKey, content), x5c: key.certificates };
  }
  // The signature is well-formed but covers only part of the required data, so only its verification fails.
  const signed = format === 'broken' ? authenticatorData : content;
  return { alg: coseAlgorithms[getAlgorithm(privateKey)], sig: signatureBy(privateKey, signed) };
}

/**
 * Returns the attestation format that reaches the server. Browsers remove an attestation that the server did not
 * request.
 */
export function deliveredFormat(format: AttestationFormat, conveyance: string | undefined): AttestationFormat {
  const isRequested = conveyance === 'direct' || conveyance === 'indirect' || conveyance === 'enterprise';
  return isRequested || format === 'broken' ? format : 'none';
}
