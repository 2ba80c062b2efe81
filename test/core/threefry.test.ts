import { describe, expect, test } from 'vitest';
import { threefry2x32 } from '../../src/core/threefry.ts';

describe('threefry2x32', () => {
  // Known answers of the authors' library for 13 rounds: counter, key and block.
  test.each([
    { counter: [0x00000000, 0x00000000], key: [0x00000000, 0x00000000], block: [0x9d1c5ec6, 0x8bd50731] },
    { counter: [0xffffffff, 0xffffffff], key: [0xffffffff, 0xffffffff], block: [0xfd36d048, 0x2d17272c] },
    { counter: [0x243f6a88, 0x85a308d3], key: [0x13198a2e, 0x03707344], block: [0xba3e4725, 0xf27d669e] },
  ] as const)('encrypts the counter $counter with the key $key to the published block', ({ counter, key, block }) => {
    const out = new Int32Array(2);
    threefry2x32(key[0], key[1], counter[0], counter[1], out);
    expect([...out].map((word) => word >>> 0)).toEqual(block);
  });
});
