import { X509Certificate } from 'node:crypto';

/** Public key of a certificate as a JWK, with the names by which signatures refer to it. */
export interface CertificateKey {
  readonly jwk: CertificateJwk;
  /** Thumbprints of the certificate: SHA-256 and SHA-1 in base64url, and SHA-1 in hexadecimal. */
  readonly thumbprints: readonly string[];
}

type CertificateJwk =
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string }
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string };

/** Reads the key of a certificate in PEM format. Returns `null` if it is no certificate with an RSA or P-256 key. */
export function readCertificateKey(pem: string): CertificateKey | null {
  try {
    const { publicKey, fingerprint, fingerprint256 } = new X509Certificate(pem);
    const jwk = publicKey.export({ format: 'jwk' });
    if (jwk.kty !== 'RSA' && jwk.crv !== 'P-256') return null;
    const thumbprints = [toBase64Url(fingerprint256), toBase64Url(fingerprint), fingerprint.replaceAll(':', '')];
    return { jwk: jwk as CertificateJwk, thumbprints };
  } catch {
    return null;
  }
}

function toBase64Url(fingerprint: string): string {
  return Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64url');
}
