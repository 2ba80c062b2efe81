import { describe, expect, test } from 'vitest';
import { sameSecret } from '../../src/core/secrets.ts';

describe('sameSecret', () => {
  test.for([
    ['', '', true],
    ['a', 'a', true],
    ['ä', 'ä', true],
    ['a', '', false],
    ['a', 'ab', false],
    ['ab', 'a', false],
    ['a', 'A', false],
    ['a\0', 'a', false],
  ] as const)('comparing %j with %j returns %s', ([given, expected, same]) => {
    expect(sameSecret(given, expected)).toBe(same);
  });
});
