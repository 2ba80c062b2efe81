import { hash, webcrypto } from 'node:crypto';
import { toDate } from '../../../core/clock.ts';
import type { SigningKey } from '../../../sandbox/signing-keys.ts';

/** Certificate of a signing key, as keys are published in the tenant form. */
export interface KeyCertificate {
  /** Certificate in DER format, encoded with base64. */
  readonly x5c: string;
  /** SHA-1 thumbprint of the certificate, encoded with base64url. */
  readonly x5t: string;
}

/** 2020-01-01 and 2049-12-31. Clients ignore the validity, and virtual clocks are within it. */
const validMs = [1_577_836_800_000, 2_524_521_600_000] as const;

const serialCharacters = 32;

const made = new WeakMap<SigningKey, Promise<KeyCertificate>>();

/** Returns the certificate of an RSA key. Equal keys have equal certificates, so none is stored. */
export function getKeyCertificate(key: SigningKey): Promise<KeyCertificate> {
  const known = made.get(key) ?? makeCertificate(key);
  made.set(key, known);
  return known;
}

async function makeCertificate({ id, privateKey, publicKey }: SigningKey): Promise<KeyCertificate> {
  // The library registers its components with reflection metadata, which Node.js does not provide yet.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto as never);
  const [notBefore, notAfter] = validMs;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    // The first digit keeps the number positive and without a leading zero.
    serialNumber: `4${hash('sha256', id, 'hex').slice(1, serialCharacters)}`,
    name: 'CN=NudgeLab token signing',
    notBefore: toDate(notBefore),
    notAfter: toDate(notAfter),
    signingAlgorithm: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    keys: { privateKey, publicKey } as never,
  });
  const der = Buffer.from(certificate.rawData);
  return { x5c: der.toString('base64'), x5t: hash('sha1', der, 'buffer').toString('base64url') };
}
