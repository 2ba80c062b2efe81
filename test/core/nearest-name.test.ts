import fc from 'fast-check';
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

  test('usage-invalid: the nearest name is the one that a complete table of edits finds', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'C'), minLength: 1, maxLength: 24 });
    fc.assert(
      fc.property(word, fc.array(word, { minLength: 1, maxLength: 6 }), (given, allowed) => {
        expect(findNearestName(given, allowed)).toBe(searchCompletely(given, allowed));
      }),
    );
  });
});

/** Finds the nearest name by the definition: the first one of the smallest distance below a third of the length. */
function searchCompletely(given: string, allowed: readonly string[]): string | null {
  const most = Math.max(1, Math.floor(given.length / 3));
  const near = allowed
    .filter((name) => name !== given)
    .map((name) => ({ name, edits: countEdits(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= most && edits < name.length);
  return near.toSorted((one, other) => one.edits - other.edits)[0]?.name ?? null;
}

function countEdits(from: string, to: string): number {
  const table = Array.from({ length: from.length + 1 }, (_, row) =>
    Array.from({ length: to.length + 1 }, (__, column) => (row === 0 ? column : row)),
  );
  const at = (row: number, column: number): number => table[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= from.length; row += 1) {
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY;
      (table[row] as number[])[column] = Math.min(replaced, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1);
    }
  }
  return at(from.length, to.length);
}
