import { describe, expect, test } from 'vitest';
import { threefry2x32 } from '../../src/core/threefry.ts';

describe('threefry2x32', () => {
  // The known answers of the authors' library, for 20 rounds: counter, key, block.
  test.each([
    { counter: [0x00000000, 0x00000000], key: [0x00000000, 0x00000000], block: [0x6b200159, 0x99ba4efe] },
    { counter: [0xffffffff, 0xffffffff], key: [0xffffffff, 0xffffffff], block: [0x1cb996fc, 0xbb002be7] },
    { counter: [0x243f6a88, 0x85a308d3], key: [0x13198a2e, 0x03707344], block: [0xc4923a9c, 0x483df7a0] },
  ] as const)('encrypts the counter $counter by the key $key to the published block', ({ counter, key, block }) => {
    const out = new Int32Array(2);
    threefry2x32(key[0], key[1], counter[0], counter[1], out);
    expect([...out].map((word) => word >>> 0)).toEqual(block);
  });
});
