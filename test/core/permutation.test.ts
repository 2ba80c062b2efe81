import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Permutation } from '../../src/core/permutation.ts';

test('property: a permutation contains each number once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000 }), fc.integer(), (length, seed) => {
      const permutation = new Permutation(length, seed);
      const numbers = Array.from({ length }, (_, position) => permutation.at(position));
      expect(new Set(numbers).size).toBe(length);
      expect(Math.max(...numbers)).toBe(length - 1);
    }),
    { numRuns: 50 },
  );
});

test('different random seeds give different orders, and neighbors are spread', () => {
  const [one, other] = [new Permutation(1_000_000, 1), new Permutation(1_000_000, 2)];
  const positions = Array.from({ length: 1_000 }, (_, position) => position);
  expect(positions.filter((position) => one.at(position) === other.at(position)).length).toBeLessThan(5);
  const near = positions.filter((position) => Math.abs(one.at(position) - one.at(position + 1)) < 10_000);
  expect(near.length).toBeLessThan(60);
});
