import { describe, expect, test } from 'vitest';
import { randomSource } from '../../../src/core/random.ts';
import { DifferenceArray } from '../../../src/generate/covering-arrays/difference-array.ts';
import { Effort } from '../../../src/generate/covering-arrays/effort.ts';
import { galoisField } from '../../../src/generate/covering-arrays/galois-field.ts';
import { binaryBound } from '../../../src/generate/covering-arrays/lower-bound.ts';
import { nonEmpty } from '../../non-empty.ts';

const orders = [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 25, 27, 32];

describe.for(orders)('finite field of order %i', (order) => {
  const field = galoisField(order);
  const elements = Array.from({ length: order }, (_, value) => value);

  test(`array: order ${order}: sums and products are elements, and each table row contains every element once`, () => {
    for (const one of nonEmpty(elements)) {
      const sums = new Set(elements.map((other) => field?.add(one, other)));
      const products = new Set(elements.slice(1).map((other) => field?.multiply(one, other)));
      expect([...sums].sort((a, b) => Number(a) - Number(b))).toEqual(elements);
      expect(products.size).toBe(one === 0 ? 1 : order - 1);
      expect(field?.multiply(one, 1)).toBe(one);
      expect(field?.add(one, 0)).toBe(one);
    }
  });

  test(`array: order ${order}: products distribute over sums`, () => {
    const draw = randomSource(order);
    const drawn = () => Math.floor(draw() * order);
    for (let round = 0; round < 200; round += 1) {
      const [a, b, c] = [drawn(), drawn(), drawn()];
      const left = field?.multiply(a, field.add(b, c));
      expect(left).toBe(field?.add(field.multiply(a, b), field.multiply(a, c)));
    }
  });
});

test.for([0, 1, 6, 10, 12, 15, 36])('array: no finite field has the order %i', (order) => {
  expect(galoisField(order)).toBeNull();
});

/** Numbers of rows for all pairs of binary parameters, by Katona and by Kleitman and Spencer. */
const binary = [
  [1, 2],
  [2, 4],
  [3, 4],
  [4, 5],
  [5, 6],
  [10, 6],
  [11, 7],
  [15, 7],
  [16, 8],
  [35, 8],
  [36, 9],
  [56, 9],
  [57, 10],
  [126, 10],
  [127, 11],
  [210, 11],
  [211, 12],
] as const;

test.for(binary)('array: %i binary parameters need %i rows', ([factors, rows]) => {
  expect(binaryBound(factors)).toBe(rows);
});

test('array: the shifts of a complete difference array contain every pair of every two parameters', () => {
  const array = new DifferenceArray(6, 9, 4, randomSource(1));
  const effort = new Effort(60_000);
  effort.allow(1e8);
  expect(array.search(effort, 20_000)).toBe(0);
  const rows = array.shifted();
  expect(rows).toHaveLength(9 * 4 + 1);
  for (let one = 0; one < 6; one += 1) {
    for (let other = 0; other < one; other += 1) {
      expect(new Set(rows.map((row) => `${row[one]},${row[other]}`)).size).toBe(25);
    }
  }
});
