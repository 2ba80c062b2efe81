import { hash, randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';

/** Bytes of a new token: more than anybody can guess, so that one round of a hash keeps it. */
const tokenBytes = 32;

const saltBytes = 16;
const passwordHashBytes = 32;

/** The cost of a password hash (RFC 7914), some 40 ms. The memory is 128 · blockSize · cost bytes, 16 MiB. */
const passwordCost = 16_384;
/** The cost for passwords of fixtures, some 2 ms: they are written down in clear anyway, and every scenario would wait. */
const fixturePasswordCost = 1_024;
const passwordBlockSize = 8;
const passwordParallelism = 1;

/** A new secret that no one can guess, as base64url. */
export function newSecret(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** What a random token is kept as: SHA-256, in hexadecimal. A token that is guessed has to be guessed whole. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** A digest of parts that do not run into each other, in hexadecimal. The same parts give the same digest everywhere. */
export function digestOfParts(...parts: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex');
}

/** Whether two texts are equal, in a time that tells neither how much of them is nor how long the expected one is. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}

/** Hashes a password at once: for fixtures, whose salt depends on a text so that a run repeats. Takes password and text. */
export function fixturePasswordHash(password: string, saltText: string): string {
  const salt = Buffer.from(hash('sha256', saltText, 'base64url'), 'base64url').subarray(0, saltBytes);
  const parameters = parametersOf(fixturePasswordCost, passwordBlockSize);
  return written(salt, scryptSync(password, salt, passwordHashBytes, parameters), fixturePasswordCost);
}

/** Hashes a password with a random salt. Resolves with what `passwordMatches` reads. */
export async function newPasswordHash(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return written(salt, await derived(password, salt, parametersOf(passwordCost, passwordBlockSize)), passwordCost);
}

/** Whether a password is the one of a hash. Takes the password and the hash as it is kept. */
export async function passwordMatches(password: string, kept: string): Promise<boolean> {
  const [, cost, blockSize, , salt = '', expected = ''] = kept.split('$');
  const found = await derived(password, Buffer.from(salt, 'base64url'), parametersOf(Number(cost), Number(blockSize)));
  return sameSecret(found.toString('base64url'), expected);
}

function written(salt: Buffer, derivedKey: Buffer, cost: number): string {
  const parameters = `${cost}$${passwordBlockSize}$${passwordParallelism}`;
  return `scrypt$${parameters}$${salt.toString('base64url')}$${derivedKey.toString('base64url')}`;
}

function parametersOf(cost: number, blockSize: number): { N: number; r: number; p: number; maxmem: number } {
  return { N: cost, r: blockSize, p: passwordParallelism, maxmem: 256 * cost * blockSize };
}

function derived(password: string, salt: Buffer, parameters: ReturnType<typeof parametersOf>): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(password, salt, passwordHashBytes, parameters, (error, key) =>
    error === null ? resolve(key) : reject(error),
  );
  return promise;
}
