import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';

const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2_048,
};

/** Creates a certificate of a client and its key in PEM format, with the thumbprints by which signatures name it. */
export async function makeClientCertificate() {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto as never);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const setup = { name: 'CN=nightly', signingAlgorithm: algorithm, keys: keys as never };
  const certificate = (await x509.X509CertificateGenerator.createSelfSigned(setup)).toString('pem');
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { fingerprint, fingerprint256 } = new X509Certificate(certificate);
  const toBase64Url = (text: string) => Buffer.from(text.replaceAll(':', ''), 'hex').toString('base64url');
  return {
    certificate,
    privateKey: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    thumbprints: {
      sha1: toBase64Url(fingerprint),
      sha256: toBase64Url(fingerprint256),
      hex: fingerprint.replaceAll(':', ''),
    },
  };
}
