import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cheapestCover } from '../../../src/generate/criteria/set-cover.ts';
import { expectAlways } from '../../machines/property.ts';

const choices = fc.integer({ min: 1, max: 6 }).chain((count) =>
  fc
    .array(fc.record({ cost: fc.integer({ min: 1, max: 5 }), covers: fc.uniqueArray(fc.nat({ max: count - 1 })) }), {
      minLength: 1,
      maxLength: 8,
    })
    .map((list) => ({ count, list })),
);

/** Computes the minimum cost by trying every selection. Returns infinity if no selection covers all elements. */
function byTrying(
  count: number,
  list: readonly { readonly cost: number; readonly covers: readonly number[] }[],
): number {
  let best = Number.POSITIVE_INFINITY;
  for (let chosen = 0; chosen < 2 ** list.length; chosen += 1) {
    const of = list.filter((_, number) => (chosen & (1 << number)) !== 0);
    const covered = new Set(of.flatMap(({ covers }) => covers));
    if (covered.size === count)
      best = Math.min(
        best,
        of.reduce((sum, { cost }) => sum + cost, 0),
      );
  }
  return best;
}

describe('set cover', () => {
  test('R6: the selection covers all elements, and an exhaustive search finds no cheaper one', () => {
    expectAlways(
      choices.filter(({ count, list }) => byTrying(count, list) < Number.POSITIVE_INFINITY),
      ({ count, list }) => {
        const { chosen, cost, lowerBound } = cheapestCover(count, list);
        const covered = new Set(chosen.flatMap((number) => list[number]?.covers ?? []));
        return covered.size === count && cost === byTrying(count, list) && lowerBound === cost;
      },
      500,
    );
  });

  test('R6: an element that nothing covers is rejected', () => {
    expect(() => cheapestCover(2, [{ cost: 1, covers: [0] }])).toThrow(RangeError);
  });
});
