import { checkPrimeSync, createECDH, createHash, createPrivateKey } from 'node:crypto';
import { type KeyAlgorithm, type PublicJwk, toCoseKey } from './cose-key.ts';

/** A private key as a JSON web key. These are test keys: anyone who knows the seed knows them. */
export type PrivateJwk =
  | (Extract<PublicJwk, { kty: 'EC' | 'OKP' }> & { readonly d: string })
  | (Extract<PublicJwk, { kty: 'RSA' }> & {
      readonly d: string;
      readonly p: string;
      readonly q: string;
      readonly dp: string;
      readonly dq: string;
      readonly qi: string;
    });

/** A test passkey: what the server keeps of it, and what an authenticator needs to answer with it. */
export interface SeededCredential {
  /** base64url of 32 bytes. */
  readonly id: string;
  /** The COSE key, base64url. */
  readonly publicKey: string;
  readonly privateKey: PrivateJwk;
}

/**
 * A credential that depends on its seed and algorithm alone: the server gives it to the passkeys of fixtures, and a software
 * authenticator holds the same one. The key pair and the id repeat on every machine, for each of the algorithms. What cannot
 * repeat is a signature by ES256, whose nonce the platform draws; those by EdDSA and RS256 repeat too. An RS256 key is searched
 * for (some 100 ms), the others are at hand at once.
 */
export function seededCredential(seedText: string, algorithm: KeyAlgorithm = 'ES256'): SeededCredential {
  const privateKey = seededKey(seedText, algorithm);
  return {
    id: seededCredentialId(seedText),
    publicKey: Buffer.from(toCoseKey(privateKey)).toString('base64url'),
    privateKey,
  };
}

/** The id of the credential of a seed, base64url. */
export function seededCredentialId(seedText: string): string {
  return seededBytes(seedText, 'credential id', 32).toString('base64url');
}

/** The private key of a seed. Takes any text; the same text gives unrelated keys for different algorithms. */
export function seededKey(seedText: string, algorithm: KeyAlgorithm): PrivateJwk {
  switch (algorithm) {
    case 'ES256':
      return es256Key(seedText);
    case 'EdDSA':
      return ed25519Key(seedText);
    case 'RS256':
      return rs256Key(seedText);
  }
}

/** Bytes that depend on a seed and on what they are for. Takes how many to give. */
export function seededBytes(seedText: string, purpose: string, byteCount: number): Buffer {
  return createHash('shake256', { outputLength: byteCount })
    .update(JSON.stringify([purpose, seedText]))
    .digest();
}

/** The number of points of the curve P-256: a private key is a number from one to below it. */
const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

function es256Key(seedText: string): PrivateJwk {
  // More bytes than the order has, so that the remainder favours no number.
  const scalar = (numberOf(seededBytes(seedText, 'ES256', 48)) % (p256Order - 1n)) + 1n;
  const exchange = createECDH('prime256v1');
  exchange.setPrivateKey(bytesOf(scalar, 32));
  const point = exchange.getPublicKey();
  return {
    kty: 'EC',
    crv: 'P-256',
    x: point.toString('base64url', 1, 33),
    y: point.toString('base64url', 33, 65),
    d: base64urlOf(scalar, 32),
  };
}

/** The head of a PKCS #8 document of an Ed25519 key; the 32 bytes of the key follow. */
const ed25519Head = Buffer.from('302e020100300506032b657004220420', 'hex');

function ed25519Key(seedText: string): PrivateJwk {
  const secret = seededBytes(seedText, 'EdDSA', 32);
  const key = createPrivateKey({ key: Buffer.concat([ed25519Head, secret]), format: 'der', type: 'pkcs8' });
  const { x = '' } = key.export({ format: 'jwk' });
  return { kty: 'OKP', crv: 'Ed25519', x, d: secret.toString('base64url') };
}

const rsaExponent = 65_537n;
const rsaPrimeBytes = 128;
/** Odd numbers tried from a start before the next start: a prime of this size stands within 355 of them on average. */
const rsaTriesMax = 20_000n;

function rs256Key(seedText: string): PrivateJwk {
  const p = seededPrime(seedText, 'RS256 p');
  const q = seededPrime(seedText, 'RS256 q');
  const d = inverse(rsaExponent, (p - 1n) * (q - 1n));
  return {
    kty: 'RSA',
    n: base64urlOf(p * q, 2 * rsaPrimeBytes),
    e: base64urlOf(rsaExponent, 3),
    d: base64urlOf(d, 2 * rsaPrimeBytes),
    p: base64urlOf(p, rsaPrimeBytes),
    q: base64urlOf(q, rsaPrimeBytes),
    dp: base64urlOf(d % (p - 1n), rsaPrimeBytes),
    dq: base64urlOf(d % (q - 1n), rsaPrimeBytes),
    qi: base64urlOf(inverse(q, p), rsaPrimeBytes),
  };
}

/** The first prime at or above a seeded number whose two highest bits are set, so that a product of two has its full length. */
function seededPrime(seedText: string, purpose: string): bigint {
  const top = 3n << BigInt(8 * rsaPrimeBytes - 2);
  const start = numberOf(seededBytes(seedText, purpose, rsaPrimeBytes)) | top | 1n;
  for (let candidate = start; candidate < start + 2n * rsaTriesMax; candidate += 2n) {
    if (smallPrimes.some((prime) => candidate % prime === 0n)) continue;
    if ((candidate - 1n) % rsaExponent !== 0n && checkPrimeSync(candidate)) return candidate;
  }
  return seededPrime(seedText, `${purpose} again`);
}

/** Cheap to divide by, and they sort out four candidates in five. */
const smallPrimes = [3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n, 43n, 47n, 53n, 59n, 61n, 67n, 71n, 73n];

/** The inverse of a number by Euclid; both are coprime. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [previous, current] = [modulus, value % modulus];
  let [previousFactor, factor] = [0n, 1n];
  while (current !== 0n) {
    const quotient = previous / current;
    [previous, current] = [current, previous - quotient * current];
    [previousFactor, factor] = [factor, previousFactor - quotient * factor];
  }
  return ((previousFactor % modulus) + modulus) % modulus;
}

function numberOf(content: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(content).toString('hex')}`);
}

function bytesOf(value: bigint, byteCount: number): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * byteCount, '0'), 'hex');
}

function base64urlOf(value: bigint, byteCount: number): string {
  return bytesOf(value, byteCount).toString('base64url');
}
