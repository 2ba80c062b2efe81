import { describe, expect, test } from 'vitest';
import { computeDigest } from '../../src/core/digest.ts';

describe('digests', () => {
  test.for([
    ['', 'e3b0c44298fc1c14'],
    ['abc', 'ba7816bf8f01cfea'],
    ['{}', '44136fa355b3678a'],
  ] as const)('A26: the digest of "%s" is the first 16 digits of its SHA-256: %s', ([text, digest]) => {
    expect(computeDigest(text)).toBe(digest);
  });

  test('A26: a digest is computed from the UTF-8 bytes', () => {
    expect(computeDigest('\u00e9')).toBe(
      '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c'.slice(0, 16),
    );
  });
});
