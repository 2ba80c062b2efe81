import { toInstant } from '../core/clock.ts';
import type { PrivateJwk } from '../core/seeded-key.ts';
import { bits, element, explicit, objectId, sequence, time } from './der.ts';
import { encodePublicKeyInfo, signatureBy } from './stored-credential.ts';

/** A certificate to be made (RFC 5280), signed by ECDSA with SHA-256. */
export interface CertificateRequest {
  /** The last part of its name; organization and country are those of all test certificates. */
  readonly commonName: string;
  readonly issuerCommonName: string;
  /** Positive: the highest bit of the first byte is not set, and the byte is not zero. */
  readonly serialNumber: Uint8Array;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly extensions: readonly CertificateExtension[];
  /** The key of the holder; its public half is certified. */
  readonly holderKey: PrivateJwk;
  /** The P-256 key of the issuer. */
  readonly issuerKey: PrivateJwk;
}

export interface CertificateExtension {
  readonly id: string;
  readonly critical: boolean;
  /** DER. */
  readonly value: Uint8Array;
}

const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'));
/** The third version is written as 2. */
const versionThree = explicit(0, element('integer', Buffer.from([2])));

/** Makes a certificate in DER. All of it repeats with the request but the signature, whose nonce the platform draws. */
export function certificate(request: CertificateRequest): Uint8Array<ArrayBuffer> {
  const content = sequence(
    versionThree,
    element('integer', request.serialNumber),
    ecdsaWithSha256,
    nameOf(request.issuerCommonName),
    sequence(time(toInstant(request.notBeforeMs)), time(toInstant(request.notAfterMs))),
    nameOf(request.commonName),
    encodePublicKeyInfo(request.holderKey),
    explicit(3, sequence(...request.extensions.map(extension))),
  );
  const signature = bits(signatureBy(request.issuerKey, content));
  return new Uint8Array(sequence(content, ecdsaWithSha256, signature));
}

/** A name as the packed format wants it: country, organization, the fixed unit, and the common name. */
function nameOf(commonName: string): Buffer {
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
