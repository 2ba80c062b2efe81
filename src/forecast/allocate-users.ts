/**
 * Allocates users to entries in proportion to their weights, by the method of largest remainders. Each entry gets its
 * exact share rounded down or up, and the same inputs always give the same result.
 *
 * @param weights - weights of the entries, of which at least one is not 0
 * @param users - number of users to allocate
 * @returns the number of users of each entry; they add up to `users`
 */
export function allocate(weights: readonly number[], users: number): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const exact = weights.map((weight) => settleRounding((weight / total) * users));
  const counts = exact.map(Math.floor);
  const left = users - counts.reduce((sum, count) => sum + count, 0);
  // Entries with equal remainders keep their order, because the sort is stable.
  const byRemainder = exact
    .map((value, entry) => ({ entry, remainder: value - Math.floor(value) }))
    .toSorted((one, other) => other.remainder - one.remainder);
  for (const { entry } of byRemainder.slice(0, left)) counts[entry] = (counts[entry] as number) + 1;
  return counts;
}

/** Distance to a whole number up to which a value counts as that number: absolute, and relative to its size. */
const tolerance = { absolute: 1e-9, relative: 1e-14 };

/** Returns the whole number that a value missed only by rounding, or the value itself. */
function settleRounding(value: number): number {
  const whole = Math.round(value);
  return Math.abs(value - whole) <= tolerance.absolute + tolerance.relative * whole ? whole : value;
}
