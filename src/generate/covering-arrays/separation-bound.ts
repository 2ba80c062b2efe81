import { type TupleSpace, width } from './tuple-space.ts';

/** Maximum number of values from which the search for mutually exclusive values starts, in descending order of need. */
const startsMax = 200;

/**
 * Computes a bound from mutually exclusive values. Their rows are disjoint, and each value needs as many rows as it has
 * possible combinations with some other parameters.
 * @returns the largest sum that a greedy search finds, which is a valid bound for any choice of values
 */
export function apartBound(space: TupleSpace): number {
  const { levels } = space;
  const first = levels.map((_, factor) => levels.slice(0, factor).reduce((sum, level) => sum + level, 0));
  const needs = computeNeeds(space, first);
  const apart = new Apart(space.pairs ?? space, first, needs.length);
  const byNeed = [...needs.keys()].sort((a, b) => (needs[b] ?? 0) - (needs[a] ?? 0) || a - b);
  let bound = 0;
  for (const start of byNeed.slice(0, startsMax)) {
    const chosen = [start];
    for (const value of byNeed) if (chosen.every((one) => apart.has(one, value))) chosen.push(value);
    bound = Math.max(
      bound,
      chosen.reduce((sum, value) => sum + (needs[value] ?? 0), 0),
    );
  }
  return bound;
}

/** Computes for each value the largest number of combinations with one parameter set; values are numbered globally. */
function computeNeeds(space: TupleSpace, first: readonly number[]): Uint32Array {
  const needs = new Uint32Array(space.levels.reduce((sum, level) => sum + level, 0));
  const part: Record<number, number> = {};
  const factors: number[] = [];
  for (let interaction = 0; interaction < space.interactions; interaction += 1) {
    space.collectFactors(interaction, factors);
    const counts = new Map<number, number>();
    for (let tuple = space.offsets[interaction] ?? 0; tuple < (space.offsets[interaction + 1] ?? 0); tuple += 1) {
      if (space.impossible?.[tuple] === 1) continue;
      space.write(tuple, part);
      for (const factor of factors) {
        const value = (first[factor] ?? 0) + (part[factor] ?? 0);
        counts.set(value, (counts.get(value) ?? 0) + 1);
      }
    }
    for (const [value, count] of counts) needs[value] = Math.max(needs[value] ?? 0, count);
  }
  return needs;
}

/** Pairs of values that cannot occur in the same row. */
class Apart {
  readonly #marks: Uint8Array;
  readonly #values: number;

  constructor(pairs: TupleSpace, first: readonly number[], values: number) {
    this.#marks = new Uint8Array(values * values);
    this.#values = values;
    pairs.levels.forEach((level, factor) => {
      for (let one = 0; one < level; one += 1) {
        for (let other = 0; other < one; other += 1)
          this.#mark((first[factor] ?? 0) + one, (first[factor] ?? 0) + other);
      }
    });
    const part: Record<number, number> = {};
    pairs.each((tuple) => {
      const at = pairs.write(tuple, part) * width;
      const [one = 0, other = 0] = pairs.places.subarray(at, at + 2);
      this.#mark((first[one] ?? 0) + (part[one] ?? 0), (first[other] ?? 0) + (part[other] ?? 0));
    }, 'impossible');
  }

  has(one: number, other: number): boolean {
    return this.#marks[one * this.#values + other] === 1;
  }

  #mark(one: number, other: number): void {
    this.#marks[one * this.#values + other] = 1;
    this.#marks[other * this.#values + one] = 1;
  }
}
