/**
 * Seeded random numbers. The same random seed and label give the same numbers on every machine. FNV-1a hashes text,
 * as assumption A47 requires. The generator is SplitMix32, which is small and sufficient for fixtures.
 */

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;

/** Computes the 32-bit FNV-1a hash of the UTF-8 bytes of a text as an unsigned integer. */
export function fnv1a32(text: string): number {
  let hash = fnvOffset;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, fnvPrime);
  }
  return hash >>> 0;
}

/** Generator of random numbers in [0, 1) that depend only on its random seed. */
export type RandomSource = () => number;

/** Creates a generator for a random seed, which can be any integer. */
export function randomSource(seed: number): RandomSource {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 2 ** 32;
  };
}
