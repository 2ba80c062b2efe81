import { constants, createECDH, createHash, createPrivateKey, createPublicKey, publicEncrypt } from 'node:crypto';
import { type KeyAlgorithm, type PublicJwk, toCoseKey } from './cose-key.ts';

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
 * their nonce. Creating an RS256 key takes about 30 ms because of a search.
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

/** Creates the private key for a seed text. The same text gives unrelated keys for different algorithms. */
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
const rsaPrimeBytes = 128;
/**
 * Number of odd candidates from the start on. On average, there is a prime of this size within 355
 * candidates.
 */
const rsaTriesMax = 20_000;

function rs256Key(seedText: string): PrivateJwk {
  const p = seededPrime(seedText, 'RS256 p');
  const q = seededPrime(seedText, 'RS256 q');
  const d = inverse(rsaExponent, (p - 1n) * (q - 1n));
  return {
    kty: 'RSA',
    n: toBase64url(p * q, 2 * rsaPrimeBytes),
    e: toBase64url(rsaExponent, 3),
    d: toBase64url(d, 2 * rsaPrimeBytes),
    p: toBase64url(p, rsaPrimeBytes),
    q: toBase64url(q, rsaPrimeBytes),
    dp: toBase64url(d % (p - 1n), rsaPrimeBytes),
    dq: toBase64url(d % (q - 1n), rsaPrimeBytes),
    qi: toBase64url(inverse(q, p), rsaPrimeBytes),
  };
}

/**
 * Finds the first prime at or above a seeded number whose two highest bits are set, so the product of two primes
 * has its full length.
 */
function seededPrime(seedText: string, purpose: string): bigint {
  const top = 3n << BigInt(8 * rsaPrimeBytes - 2);
  const start = toNumber(seededBytes(seedText, purpose, rsaPrimeBytes)) | top | 1n;
  const multiples = sieveOddNumbers(start, rsaTriesMax);
  for (let index = multiples.indexOf(0); index !== -1; index = multiples.indexOf(0, index + 1)) {
    const candidate = start + 2n * BigInt(index);
    if ((candidate - 1n) % rsaExponent !== 0n && isProbablePrime(candidate)) return candidate;
  }
  return seededPrime(seedText, `${purpose} again`);
}

/** Marks the multiples of small primes among consecutive odd numbers. Nine of ten numbers are marked. */
function sieveOddNumbers(start: bigint, count: number): Uint8Array {
  const marks = new Uint8Array(count);
  smallPrimes ??= listSmallPrimes();
  for (const prime of smallPrimes) {
    const remainder = Number(start % BigInt(prime));
    // Number of steps of two to the next multiple, which is odd itself.
    const missing = (prime - remainder) % prime;
    const first = missing % 2 === 0 ? missing / 2 : (missing + prime) / 2;
    for (let index = first; index < count; index += prime) marks[index] = 1;
  }
  return marks;
}

const smallPrimesMax = 65_536;
let smallPrimes: readonly number[] | null = null;

/** Lists the odd primes below the maximum. */
function listSmallPrimes(): readonly number[] {
  const isComposite = new Uint8Array(smallPrimesMax);
  const primes: number[] = [];
  for (let number = 3; number < smallPrimesMax; number += 2) {
    if (isComposite[number] === 1) continue;
    primes.push(number);
    for (let multiple = number * number; multiple < smallPrimesMax; multiple += 2 * number) isComposite[multiple] = 1;
  }
  return primes;
}

/**
 * Tests an odd number by Fermat's little theorem: modulo a prime n, 2 to the power of n - 2 is the inverse of 2, which is
 * (n + 1) / 2. RSA without padding computes this power. A composite number of this size passes less often than once in
 * a trillion searches, and `checkPrime` takes 50 times as long for a prime because it assumes an adversary.
 *
 * @see Kim and Pomerance, The probability that a random probable prime is composite
 */
function isProbablePrime(odd: bigint): boolean {
  const jwk = { kty: 'RSA', n: toBase64url(odd, rsaPrimeBytes), e: toBase64url(odd - 2n, rsaPrimeBytes) };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const power = publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, fermatBase);
  return power.equals(toBytes((odd + 1n) / 2n, rsaPrimeBytes));
}

const fermatBase = toBytes(2n, rsaPrimeBytes);

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
