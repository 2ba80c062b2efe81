/**
 * Computes a digest of final user states that does not depend on their order: the sum of one mixed 32-bit word per
 * user.
 * @param words - words of consecutive users
 * @param firstUser - number of the first user
 * @param seed - random seed
 * @returns a signed 32-bit integer
 */
export function digestOfUsers(words: Uint32Array, firstUser: number, seed: number): number {
  let sum = 0;
  for (let place = 0; place < words.length; place += 1) {
    let mixed =
      Math.imul(((firstUser + place) | 0) ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b) ^ (words[place] as number);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35);
    sum = (sum + (mixed ^ (mixed >>> 13))) | 0;
  }
  return sum;
}

/** Formats a digest as eight hex digits. */
export function digestText(sum: number): string {
  return (sum >>> 0).toString(16).padStart(8, '0');
}
