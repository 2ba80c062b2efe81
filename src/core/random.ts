/**
 * Seeded random numbers: the same seed and label give the same draws on every machine.
 * FNV-1a hashes text (decision A47 names it); the generator is SplitMix32, small and good enough for fixtures.
 */

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;

/** FNV-1a, 32 bit, of the UTF-8 bytes of a text. Returns an unsigned integer. */
export function fnv1a32(text: string): number {
  let hash = fnvOffset;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, fnvPrime);
  }
  return hash >>> 0;
}

/** A source of draws in [0, 1) that depends on its seed alone. */
export type RandomSource = () => number;

/** A source of draws for a seed. Takes any integer. */
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
