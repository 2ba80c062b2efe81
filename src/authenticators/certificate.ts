import { toInstant } from '../core/clock.ts';
import type { PrivateJwk } from '../core/seeded-key.ts';
import { bits, element, explicit, objectId, sequence, time } from './der.ts';
import { encodePublicKeyInfo, signatureBy } from './stored-credential.ts';

/** Contents of a certificate (RFC 5280) that is signed with ECDSA and SHA-256. */
export interface CertificateRequest {
  /** Common name of the subject. All test certificates share the same organization and country. */
  readonly commonName: string;
  readonly issuerCommonName: string;
  /** Serial number, which must be positive: the first byte is not zero and its highest bit is not set. */
  readonly serialNumber: Uint8Array;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly extensions: readonly CertificateExtension[];
  /** Key pair of the holder, whose public key is certified. */
  readonly holderKey: PrivateJwk;
  /** P-256 key of the issuer. */
  readonly issuerKey: PrivateJwk;
}

export interface CertificateExtension {
  readonly id: string;
  readonly critical: boolean;
  /** DER. */
  readonly value: Uint8Array;
}

const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'));
/** X.509 version 3, which is encoded as 2. */
const versionThree = explicit(0, element('integer', Buffer.from([2])));

/**
 * Creates a certificate in DER. The request determines everything except the signature, whose nonce the platform
 * generates.
 */
export function certificate(request: CertificateRequest): Uint8Array<ArrayBuffer> {
  const content = sequence(
    versionThree,
    element('integer', request.serialNumber),
    ecdsaWithSha256,
    encodeName(request.issuerCommonName),
    sequence(time(toInstant(request.notBeforeMs)), time(toInstant(request.notAfterMs))),
    encodeName(request.commonName),
    encodePublicKeyInfo(request.holderKey),
    explicit(3, sequence(...request.extensions.map(extension))),
  );
  const signature = bits(signatureBy(request.issuerKey, content));
  return new Uint8Array(sequence(content, ecdsaWithSha256, signature));
}

/** Encodes a name in the order required by packed attestation: country, organization, unit and common name. */
function encodeName(commonName: string): Buffer {
  return sequence(
    attribute('2.5.4.6', element('printable', 'ZZ')),
    attribute('2.5.4.10', element('utf8', 'Test')),
    attribute('2.5.4.11', element('utf8', 'Authenticator Attestation')),
    attribute('2.5.4.3', element('utf8', commonName)),
  );
}

function attribute(id: string, value: Uint8Array): Buffer {
  return element('set', sequence(objectId(id), value));
}

function extension({ id, critical, value }: CertificateExtension): Buffer {
  const marked = critical ? [element('boolean', Buffer.from([0xff]))] : [];
  return sequence(objectId(id), ...marked, element('octetString', value));
}
