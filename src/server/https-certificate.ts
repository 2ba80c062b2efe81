import { webcrypto, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { machineNowMs, parseDate, toDate } from '../core/clock.ts';
import { NudgeLabError } from '../core/errors.ts';

/** Certificate for an HTTPS server, and the authority that its clients must trust. */
export interface LocalCertificate {
  /** PEM. */
  readonly certificate: string;
  readonly privateKey: string;
  /** Path of the test authority's certificate in PEM format. */
  readonly authorityPath: string;
}

const files = { authority: 'authority.pem', certificate: 'localhost.pem', privateKey: 'localhost-key.pem' } as const;

const dayMs = 86_400_000;
const validityMs = 397 * dayMs;
/** Minimum remaining validity in milliseconds. A certificate that expires sooner is replaced. */
const remainingMsMin = 30 * dayMs;
/** Offset of the start of validity in milliseconds, because client clocks can be slightly behind. */
const headStartMs = dayMs;

/** File mode of the private key, which only its owner may read. */
const privateMode = 0o600;
const privateFolderMode = 0o700;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * Returns the certificate for `localhost` and other hosts in a folder. A certificate that is missing, expires, or lacks a
 * host is created together with its authority. The authority's key is then discarded, so clients that trust the authority
 * trust only this certificate.
 *
 * @param hosts - further hosts, each with or without a port
 * @throws NudgeLabError `file-unreadable` if the folder cannot be used
 */
export async function localCertificate(folder: string, hosts: readonly string[] = []): Promise<LocalCertificate> {
  const names = hosts.flatMap((host) => URL.parse(`https://${host}`)?.hostname ?? []);
  try {
    return keptCertificate(folder, names) ?? (await makeCertificate(folder, names));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NudgeLabError('file-unreadable', {
      message: `${folder} cannot be used to store a certificate: ${reason}`,
      cause,
    });
  }
}

function keptCertificate(folder: string, names: readonly string[]): LocalCertificate | null {
  const paths = pathsIn(folder);
  if (!Object.values(paths).every((path) => existsSync(path))) return null;
  const certificate = readFileSync(paths.certificate, 'utf8');
  const parsed = new X509Certificate(certificate);
  if (notAfterMs(parsed) - machineNowMs() < remainingMsMin || !names.every((name) => covers(parsed, name))) return null;
  return { certificate, privateKey: readFileSync(paths.privateKey, 'utf8'), authorityPath: paths.authority };
}

/** Returns the expiration time of a certificate in milliseconds, or 0 if the date cannot be parsed. */
function notAfterMs(certificate: X509Certificate): number {
  return parseDate(certificate.validTo) ?? 0;
}

function covers(certificate: X509Certificate, name: string): boolean {
  const address = toAddress(name);
  return (address === null ? certificate.checkHost(name) : certificate.checkIP(address)) !== undefined;
}

/** Returns the IP address in the host name of a URL, or `null` if it is a name. */
function toAddress(name: string): string | null {
  const address = name.replace(/^\[|\]$/g, '');
  return isIP(address) === 0 ? null : address;
}

async function makeCertificate(folder: string, names: readonly string[]): Promise<LocalCertificate> {
  // The library registers its components with reflection metadata, which Node.js does not provide yet.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto as never);
  const validity = {
    notBefore: toDate(machineNowMs() - headStartMs),
    notAfter: toDate(machineNowMs() + validityMs),
    signingAlgorithm: algorithm,
  };
  const { subtle } = webcrypto;
  const authorityKeys = await subtle.generateKey(algorithm, false, ['sign', 'verify']);
  const keys = await subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: 'CN=NudgeLab local test authority',
    keys: authorityKeys as never,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey as never),
    ],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity,
    subject: 'CN=localhost',
    issuer: authority.subject,
    publicKey: keys.publicKey as never,
    signingKey: authorityKeys.privateKey as never,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        [...new Set(['localhost', '127.0.0.1', '::1', ...names.map((name) => toAddress(name) ?? name)])].map(
          (value) => ({
            type: isIP(value) === 0 ? 'dns' : 'ip',
            value,
          }),
        ),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey as never),
    ],
  });
  const privateKey = toPem(await subtle.exportKey('pkcs8', keys.privateKey));
  return writeCertificate(folder, authority.toString('pem'), certificate.toString('pem'), privateKey);
}

function writeCertificate(
  folder: string,
  authority: string,
  certificate: string,
  privateKey: string,
): LocalCertificate {
  const paths = pathsIn(folder);
  mkdirSync(folder, { recursive: true, mode: privateFolderMode });
  writeFileSync(paths.privateKey, privateKey, { mode: privateMode });
  // The mode option above applies only to new files.
  chmodSync(paths.privateKey, privateMode);
  writeFileSync(paths.authority, authority);
  writeFileSync(paths.certificate, certificate);
  return { certificate, privateKey, authorityPath: paths.authority };
}

function pathsIn(folder: string): Readonly<Record<keyof typeof files, string>> {
  return {
    authority: join(folder, files.authority),
    certificate: join(folder, files.certificate),
    privateKey: join(folder, files.privateKey),
  };
}

function toPem(key: ArrayBuffer): string {
  const lines =
    Buffer.from(key)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
}
