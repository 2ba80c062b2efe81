import { hash, randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';

/** Length of a new token in bytes. It cannot be guessed, so a single hash round is enough to store it. */
const tokenBytes = 32;

const saltBytes = 16;
const passwordHashBytes = 32;

/** Cost of a password hash (RFC 7914), about 40 ms. The memory is 128 · blockSize · cost bytes, which is 16 MiB. */
const passwordCost = 16_384;
/**
 * Cost of a password hash for fixtures, about 2 ms. Their passwords are stored in plain text anyway, and a higher
 * cost would delay every scenario.
 */
const fixturePasswordCost = 1_024;
const passwordBlockSize = 8;
const passwordParallelism = 1;

/** Creates a random secret in base64url. */
export function newSecret(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** Computes the stored form of a random token: its SHA-256 hash in hexadecimal. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/**
 * Computes a digest of several parts in hexadecimal. The parts are encoded unambiguously, and equal parts give the
 * same digest everywhere.
 */
export function digestOfParts(...parts: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex');
}

/** Compares two texts. The time does not depend on the matching part or on the length of the expected text. */
export function sameSecret(given: string, expected: string): boolean {
  const bytes = Buffer.from(given);
  // As long as the given text, so the length of the expected one affects nothing but the result.
  const compared = Buffer.alloc(bytes.length);
  compared.write(expected);
  const isSameLength = Buffer.byteLength(expected) === bytes.length;
  return timingSafeEqual(bytes, compared) && isSameLength;
}

/** Hashes a fixture password synchronously. The salt depends on a text, so runs are repeatable. */
export function fixturePasswordHash(password: string, saltText: string): string {
  const salt = Buffer.from(hash('sha256', saltText, 'base64url'), 'base64url').subarray(0, saltBytes);
  const parameters = createParameters(fixturePasswordCost, passwordBlockSize);
  return written(salt, scryptSync(password, salt, passwordHashBytes, parameters), fixturePasswordCost);
}

/** Hashes a password with a random salt. Resolves to the form that `passwordMatches` reads. */
export async function newPasswordHash(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return written(salt, await derived(password, salt, createParameters(passwordCost, passwordBlockSize)), passwordCost);
}

/** Checks whether a password matches a stored hash. */
export async function passwordMatches(password: string, kept: string): Promise<boolean> {
  const [, cost, blockSize, , salt = '', expected = ''] = kept.split('$');
  const found = await derived(
    password,
    Buffer.from(salt, 'base64url'),
    createParameters(Number(cost), Number(blockSize)),
  );
  return sameSecret(found.toString('base64url'), expected);
}

function written(salt: Buffer, derivedKey: Buffer, cost: number): string {
  const parameters = `${cost}$${passwordBlockSize}$${passwordParallelism}`;
  return `scrypt$${parameters}$${salt.toString('base64url')}$${derivedKey.toString('base64url')}`;
}

function createParameters(cost: number, blockSize: number): { N: number; r: number; p: number; maxmem: number } {
  return { N: cost, r: blockSize, p: passwordParallelism, maxmem: 256 * cost * blockSize };
}

function derived(password: string, salt: Buffer, parameters: ReturnType<typeof createParameters>): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(password, salt, passwordHashBytes, parameters, (error, key) =>
    error === null ? resolve(key) : reject(error),
  );
  return promise;
}
