import { describe, expect, test } from 'vitest';
import { findNearestName, suggestName } from '../../src/core/nearest-name.ts';

const names = ['app-enabled', 'app-unlimited', 'passkey-enabled', 'signIn', 'skip', 'R5'];

describe('nearest name', () => {
  test.each([
    ['app-enable', 'app-enabled'],
    ['app-enabeld', 'app-enabled'],
    ['APP-UNLIMITED', 'app-unlimited'],
    ['signin', 'signIn'],
    ['sikp', 'skip'],
    ['r5', 'R5'],
  ])('usage-invalid: "%s" resembles "%s"', (given, nearest) => {
    expect(findNearestName(given, names)).toBe(nearest);
    expect(suggestName(given, names)).toBe(`; did you mean "${nearest}"?`);
  });

  test.each(['zebra', '', 'x', 'skipper-of-the-boat', 'a'.repeat(100)])(
    'usage-invalid: no name resembles "%s", so none is suggested',
    (given) => {
      expect(findNearestName(given, names)).toBeNull();
      expect(suggestName(given, names)).toBe('');
    },
  );

  test('usage-invalid: of equally close names the first one is suggested, and an allowed name needs no suggestion', () => {
    expect(findNearestName('abx', ['aby', 'abz'])).toBe('aby');
    expect(findNearestName('skip', ['skip'])).toBeNull();
  });

  test('usage-invalid: very long lists are not searched', () => {
    expect(findNearestName('sikp', [...Array.from({ length: 2_000 }, (_, index) => `n${index}`), 'skip'])).toBeNull();
  });
});
