/** Number of rounds of the Feistel network. Four rounds mix both halves thoroughly. */
const rounds = 4;

/**
 * Permutation of the numbers from 0 up to a length. Each number is computed by itself, so a permutation of any length
 * needs no memory. It is a Feistel network over the next power of four; a number outside of the length is permuted
 * again until it is inside.
 */
export class Permutation {
  readonly #length: number;
  readonly #halfBits: number;
  readonly #mask: number;
  readonly #keys: readonly number[];

  /**
   * Creates a permutation.
   *
   * @param length - number of permuted numbers, at most 2^30
   * @param seed - random seed
   */
  constructor(length: number, seed: number) {
    this.#length = length;
    this.#halfBits = Math.max(1, Math.ceil(Math.log2(Math.max(length, 2)) / 2));
    this.#mask = 2 ** this.#halfBits - 1;
    this.#keys = Array.from({ length: rounds }, (_, round) => mix(seed ^ mix(round + 1)));
  }

  /** Returns the number at a position. */
  at(position: number): number {
    let value = position;
    do value = this.#encrypt(value);
    while (value >= this.#length);
    return value;
  }

  #encrypt(value: number): number {
    let left = value >>> this.#halfBits;
    let right = value & this.#mask;
    for (const key of this.#keys) {
      const next = left ^ (mix(right ^ key) & this.#mask);
      left = right;
      right = next;
    }
    return (left << this.#halfBits) | right;
  }
}

/** Mixes the bits of a 32-bit number: the finalizer of MurmurHash3. */
function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
