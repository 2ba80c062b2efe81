import { describe, expect, test } from 'vitest';
import { fnv1a32, randomSource } from '../../src/core/random.ts';

/** Returns the first draws of a random source. */
function draws(seed: number, count: number): readonly number[] {
  const draw = randomSource(seed);
  return Array.from({ length: count }, draw);
}

describe('A47: FNV-1a, 32 bit', () => {
  /** Published test vectors of the hash. */
  test.for([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['b', 0xe70c2de5],
    ['foobar', 0xbf9cf968],
  ] as const)('A47: the hash of "%s" is %i', ([text, hash]) => {
    expect(fnv1a32(text)).toBe(hash);
  });

  test('A47: the hash is computed from the UTF-8 bytes and is never negative', () => {
    // The letter has the UTF-8 bytes c3 and a9. The expected value follows from the definition of the hash.
    const [first, second] = [0xc3, 0xa9];
    const byHand = Math.imul(Math.imul(0x811c9dc5 ^ first, 0x01000193) ^ second, 0x01000193) >>> 0;
    expect(fnv1a32('\u00e9')).toBe(byHand);
    expect(['x', 'tenant', 'ada'].map(fnv1a32).filter((hash) => hash < 0)).toEqual([]);
  });
});

describe('draws from a random seed', () => {
  test('A19: the same random seed returns the same draws', () => {
    expect(draws(7, 20)).toEqual(draws(7, 20));
  });

  test('A19: the draws of a random seed are those of SplitMix32 on every machine and in every version', () => {
    // The first three states of SplitMix32 for random seed 1, computed independently.
    expect(draws(1, 3).map((draw) => draw * 2 ** 32)).toEqual([1_580_013_426, 350_525_680, 3_524_174_333]);
  });

  test('A19: neighboring random seeds return different draws', () => {
    const first = [0, 1, 2, 3, -1, 2 ** 32 - 2].map((seed) => draws(seed, 1)[0]);
    expect(new Set(first).size).toBe(first.length);
  });

  test('A19: random seeds are taken modulo 2^32', () => {
    expect(draws(2 ** 32 + 5, 3)).toEqual(draws(5, 3));
  });

  test('A19: draws are in [0, 1) and evenly distributed', () => {
    const many = draws(1, 10_000);
    expect(many.filter((draw) => draw < 0 || draw >= 1)).toEqual([]);
    const tenths = new Array<number>(10).fill(0);
    for (const draw of many) tenths[Math.floor(draw * 10)] = (tenths[Math.floor(draw * 10)] ?? 0) + 1;
    expect(Math.min(...tenths)).toBeGreaterThan(850);
    expect(Math.max(...tenths)).toBeLessThan(1150);
  });
});
