import { checkPrimeSync, createECDH, createHash, createPrivateKey, getDiffieHellman } from 'node:crypto';
import { type KeyAlgorithm, type PublicJwk, toCoseKey } from './cose-key.ts';
import { LruMap } from './lru-map.ts';

/** Private key as a JSON Web Key. It is a test key, so it is known to everyone who knows its seed text. */
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

/** Test passkey: the data that the server stores, and the data that an authenticator needs to sign in with it. */
export interface SeededCredential {
  /** Credential id, which is 32 bytes in base64url. */
  readonly id: string;
  /** COSE key in base64url. */
  readonly publicKey: string;
  readonly privateKey: PrivateJwk;
}

/**
 * Creates a credential that depends only on its seed text and algorithm. The server assigns it to the passkeys of
 * fixtures, and a software authenticator stores the same one. The key pair and the id are identical on every
 * machine. EdDSA and RS256 signatures are identical too, but ES256 signatures differ because the platform generates
 * their nonce.
 */
export function seededCredential(seedText: string, algorithm: KeyAlgorithm = 'ES256'): SeededCredential {
  const privateKey = seededKey(seedText, algorithm);
  return {
    id: seededCredentialId(seedText),
    publicKey: Buffer.from(toCoseKey(privateKey)).toString('base64url'),
    privateKey,
  };
}

/** Returns the credential id for a seed text in base64url. */
export function seededCredentialId(seedText: string): string {
  return seededBytes(seedText, 'credential id', 32).toString('base64url');
}

/** Recently used keys. Every list of passkeys needs the keys of its test passkeys, and creating one takes longer than the rest of the list. */
const recentKeys = new LruMap<string, PrivateJwk>({ max: 200 });

/** Creates the private key for a seed text. The same text gives unrelated keys for different algorithms. */
export function seededKey(seedText: string, algorithm: KeyAlgorithm): PrivateJwk {
  const name = `${algorithm} ${seedText}`;
  const key = recentKeys.get(name) ?? createKey(seedText, algorithm);
  recentKeys.set(name, key);
  return key;
}

function createKey(seedText: string, algorithm: KeyAlgorithm): PrivateJwk {
  switch (algorithm) {
    case 'ES256':
      return es256Key(seedText);
    case 'EdDSA':
      return ed25519Key(seedText);
    case 'RS256':
      return rs256Key(seedText);
  }
}

/** Creates a number of bytes that depend on a seed text and a purpose. */
export function seededBytes(seedText: string, purpose: string, byteCount: number): Buffer {
  return createHash('shake256', { outputLength: byteCount })
    .update(JSON.stringify([purpose, seedText]))
    .digest();
}

/** Order of the curve P-256. A private key is a number from 1 to below the order. */
const p256Order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

function es256Key(seedText: string): PrivateJwk {
  // The bytes are longer than the order, so the remainder has no significant bias.
  const scalar = (toNumber(seededBytes(seedText, 'ES256', 48)) % (p256Order - 1n)) + 1n;
  const exchange = createECDH('prime256v1');
  exchange.setPrivateKey(toBytes(scalar, 32));
  const point = exchange.getPublicKey();
  return {
    kty: 'EC',
    crv: 'P-256',
    x: point.toString('base64url', 1, 33),
    y: point.toString('base64url', 33, 65),
    d: toBase64url(scalar, 32),
  };
}

/** Header of a PKCS #8 document with an Ed25519 key. The 32 bytes of the key follow. */
const ed25519Head = Buffer.from('302e020100300506032b657004220420', 'hex');

function ed25519Key(seedText: string): PrivateJwk {
  const secret = seededBytes(seedText, 'EdDSA', 32);
  const key = createPrivateKey({ key: Buffer.concat([ed25519Head, secret]), format: 'der', type: 'pkcs8' });
  const { x = '' } = key.export({ format: 'jwk' });
  return { kty: 'OKP', crv: 'Ed25519', x, d: secret.toString('base64url') };
}

const rsaExponent = 65_537n;
/** Length of the prime that all keys share, and of the prime that is searched. */
const [sharedPrimeBytes, rsaPrimeBytes] = [192, 64];
const rsaModulusBytes = sharedPrimeBytes + rsaPrimeBytes;

/**
 * Creates an RSA key of which one prime is published and the other one is found in about 6 ms. A search for two primes of
 * equal length takes 29 ms, and nothing about a test key is secret.
 *
 * @see RFC 3526, group 5
 */
function rs256Key(seedText: string): PrivateJwk {
  const p = toNumber(getDiffieHellman('modp5').getPrime());
  const q = seededPrime(seedText, 'RS256 q');
  const d = inverse(rsaExponent, (p - 1n) * (q - 1n));
  return {
    kty: 'RSA',
    n: toBase64url(p * q, rsaModulusBytes),
    e: toBase64url(rsaExponent, 3),
    d: toBase64url(d, rsaModulusBytes),
    p: toBase64url(p, sharedPrimeBytes),
    q: toBase64url(q, rsaPrimeBytes),
    dp: toBase64url(d % (p - 1n), sharedPrimeBytes),
    dq: toBase64url(d % (q - 1n), rsaPrimeBytes),
    qi: toBase64url(inverse(q, p), sharedPrimeBytes),
  };
}

/**
 * Finds the first prime at or above a seeded number whose two highest bits are set, so the modulus has its full length. One of
 * 177 odd numbers of this size is a prime.
 */
function seededPrime(seedText: string, purpose: string): bigint {
  const top = 3n << BigInt(8 * rsaPrimeBytes - 2);
  let candidate = toNumber(seededBytes(seedText, purpose, rsaPrimeBytes)) | top | 1n;
  while ((candidate - 1n) % rsaExponent === 0n || !checkPrimeSync(candidate)) candidate += 2n;
  return candidate;
}

/** Computes the modular inverse with the extended Euclidean algorithm. Both numbers must be coprime. */
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

function toNumber(content: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(content).toString('hex')}`);
}

function toBytes(value: bigint, byteCount: number): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * byteCount, '0'), 'hex');
}

function toBase64url(value: bigint, byteCount: number): string {
  return toBytes(value, byteCount).toString('base64url');
}
