/**
 * Threefry-2x32 with 13 rounds: counter-based random numbers by J. K. Salmon et al., "Parallel random numbers: as
 * easy as 1, 2, 3" (SC11). A block depends only on key and counter, so the numbers need no order and no state.
 * Thirteen rounds are the fewest that passed all BigCrush tests of the authors. The tests check the published test
 * vectors.
 */

/** Parity constant of Threefish, which is combined with the key words to form the third one. */
const parity = 0x1bd11bda;

/**
 * Encrypts a counter with a key, both of two 32-bit words. Writes the two words of the block to `out` as signed
 * integers.
 */
export function threefry2x32(key0: number, key1: number, counter0: number, counter1: number, out: Int32Array): void {
  const key2 = key0 ^ key1 ^ parity;
  let a = (counter0 + key0) | 0;
  let b = (counter1 + key1) | 0;
  a = (a + b) | 0;
  b = ((b << 13) | (b >>> 19)) ^ a;
  a = (a + b) | 0;
  b = ((b << 15) | (b >>> 17)) ^ a;
  a = (a + b) | 0;
  b = ((b << 26) | (b >>> 6)) ^ a;
  a = (a + b) | 0;
  b = ((b << 6) | (b >>> 26)) ^ a;
  a = (a + key1) | 0;
  b = (((b + key2) | 0) + 1) | 0;
  a = (a + b) | 0;
  b = ((b << 17) | (b >>> 15)) ^ a;
  a = (a + b) | 0;
  b = ((b << 29) | (b >>> 3)) ^ a;
  a = (a + b) | 0;
  b = ((b << 16) | (b >>> 16)) ^ a;
  a = (a + b) | 0;
  b = ((b << 24) | (b >>> 8)) ^ a;
  a = (a + key2) | 0;
  b = (((b + key0) | 0) + 2) | 0;
  a = (a + b) | 0;
  b = ((b << 13) | (b >>> 19)) ^ a;
  a = (a + b) | 0;
  b = ((b << 15) | (b >>> 17)) ^ a;
  a = (a + b) | 0;
  b = ((b << 26) | (b >>> 6)) ^ a;
  a = (a + b) | 0;
  b = ((b << 6) | (b >>> 26)) ^ a;
  a = (a + key0) | 0;
  b = (((b + key1) | 0) + 3) | 0;
  a = (a + b) | 0;
  out[0] = a;
  out[1] = ((b << 17) | (b >>> 15)) ^ a;
}
