import { type PrivateJwk, seededBytes, seededKey } from '../core/seeded-key.ts';
import { aaguidBytes } from './authenticator-data.ts';
import { type CertificateExtension, certificate } from './certificate.ts';
import { bits, element, sequence } from './der.ts';

/** Options of a certificate authority for attestation. */
export interface AttestationAuthorityOptions {
  /** Random seed. Keys and serial numbers depend only on it. */
  readonly seed: string;
  /** Start of the validity period of all certificates, in milliseconds since the epoch. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** Attestation key of an authenticator model, with its certificate chain. The chain omits the root certificate. */
export interface AttestationKey {
  readonly privateKey: PrivateJwk;
  /** DER. */
  readonly certificates: readonly Uint8Array<ArrayBuffer>[];
}

/** Options of the default certificate authority, which is valid from 2020 to the end of 2049. */
export const defaultAuthority: AttestationAuthorityOptions = {
  seed: 'test attestation authority',
  notBeforeMs: 1_577_836_800_000,
  notAfterMs: 2_524_607_999_000,
};

const rootName = 'Test attestation root';
const metadataSignerName = 'Test metadata signer';

const rootExtensions: readonly CertificateExtension[] = [
  basicConstraints(sequence(element('boolean', Buffer.from([0xff])))),
  // The key usage has bits 5 (keyCertSign) and 6 (cRLSign) set.
  { id: '2.5.29.15', critical: true, value: bits(Buffer.from([0b0000_0110]), 1) },
];

/**
 * Certificate authority that attests software authenticators. Its options determine keys, names, serial numbers and
 * dates. Certificate signatures differ on every run because they use ECDSA.
 */
export class AttestationAuthority {
  readonly #options: AttestationAuthorityOptions;
  #root: string | null = null;
  readonly #keys = new Map<string, AttestationKey>();

  /** Creates a certificate authority. Without options it is the default authority. */
  constructor(options: AttestationAuthorityOptions = defaultAuthority) {
    this.#options = options;
  }

  /** Returns the root certificate in PEM, which a server must trust. The certificate is created once. */
  rootCertificate(): string {
    this.#root ??= asPem(this.#certify(rootName, rootExtensions));
    return this.#root;
  }

  /**
   * Returns the attestation key and certificate of the authenticator model with this AAGUID. They are created once
   * per model.
   */
  getKey(aaguid: string): AttestationKey {
    const known = this.#keys.get(aaguid);
    if (known !== undefined) return known;
    const extensions = [basicConstraints(sequence()), aaguidExtension(aaguid)];
    const commonName = `Test authenticator ${aaguid}`;
    const key = {
      privateKey: this.#getKey(commonName),
      certificates: [this.#certify(commonName, extensions)],
    };
    this.#keys.set(aaguid, key);
    return key;
  }

  /** Returns the root certificate in DER. */
  rootBytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(Buffer.from(this.rootCertificate().replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64'));
  }

  /** Returns the key that signs metadata, with the certificate that the root issued for it. */
  metadataSigner(): AttestationKey {
    const certificates = [this.#certify(metadataSignerName, [basicConstraints(sequence())])];
    return { privateKey: this.#getKey(metadataSignerName), certificates };
  }

  #certify(commonName: string, extensions: readonly CertificateExtension[]): Uint8Array<ArrayBuffer> {
    const { notBeforeMs, notAfterMs } = this.#options;
    const serial = seededBytes(this.#getSeed(commonName), 'serial number', 8);
    return certificate({
      commonName,
      issuerCommonName: rootName,
      serialNumber: Buffer.concat([Buffer.from([0x40]), serial]),
      notBeforeMs,
      notAfterMs,
      extensions,
      holderKey: this.#getKey(commonName),
      issuerKey: this.#getKey(rootName),
    });
  }

  #getKey(commonName: string): PrivateJwk {
    return seededKey(this.#getSeed(commonName), 'ES256');
  }

  #getSeed(commonName: string): string {
    return JSON.stringify([this.#options.seed, commonName]);
  }
}

function basicConstraints(value: Uint8Array): CertificateExtension {
  return { id: '2.5.29.19', critical: true, value };
}

/**
 * Creates the certificate extension that names the attested AAGUID (packed attestation, certificate requirements).
 */
function aaguidExtension(aaguid: string): CertificateExtension {
  return { id: '1.3.6.1.4.1.45724.1.1.4', critical: false, value: element('octetString', aaguidBytes(aaguid)) };
}

function asPem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
