import type { CoveringProblem } from './covering-problem.ts';
import { apartBound } from './separation-bound.ts';
import { type TupleSpace, width } from './tuple-space.ts';

/** Values of all factors together up to which those that are apart are looked for. */
const apartValuesMax = 3_000;

/**
 * A number of rows below which no array can be. A row has one combination of each set of factors, so the set with the most
 * possible combinations is a bound; with rows that must be there, the combinations that those leave come on top of them. Without
 * restrictions, bounds on pairs of two values (Katona; Kleitman and Spencer) and on orthogonal arrays (Bush) may be higher; with
 * them, values that cannot stand in one row need rows of their own.
 */
export function lowerBound(problem: CoveringProblem, space: TupleSpace): number {
  let bound = problem.seeds.length;
  for (let interaction = 0; interaction < space.interactions; interaction += 1) {
    bound = Math.max(bound, boundOf(interaction, problem, space));
  }
  if (problem.restrictions.length === 0) return Math.max(bound, ...pairBounds(problem));
  const values = problem.levels.reduce((sum, level) => sum + level, 0);
  return values > apartValuesMax ? bound : Math.max(bound, apartBound(space));
}

/** The interaction with the most possible combinations, the first one of them. */
export function widestInteraction(space: TupleSpace): number {
  let widest = 0;
  let most = 0;
  for (let interaction = 0; interaction < space.interactions; interaction += 1) {
    const possible = space.possibleOf(interaction);
    if (possible > most) {
      most = possible;
      widest = interaction;
    }
  }
  return widest;
}

function boundOf(interaction: number, { seeds }: CoveringProblem, space: TupleSpace): number {
  const possible = space.possibleOf(interaction);
  if (seeds.length === 0) return possible;
  const factors = [...space.places.subarray(interaction * width, interaction * width + width)].filter(
    (one) => one >= 0,
  );
  const given = seeds.map((row) => factors.map((factor) => row[factor] ?? -1));
  const whole = given.filter((values) => values.every((value) => value >= 0));
  // A row that leaves a value open has one combination, whichever it is.
  const covered = new Set(whole.map((values) => values.join())).size + given.length - whole.length;
  return Math.max(possible, seeds.length + possible - covered);
}

/** Bounds that hold where all pairs of some factors are wanted, and any two values may meet. */
function pairBounds({ levels, strength }: CoveringProblem): readonly number[] {
  if (strength < 2 || levels.length < 2) return [];
  // Values taken together make a factor of fewer values, and what covers the pairs of the one covers those of the other.
  const two = levels.filter((level) => level >= 2).length;
  const bounds = [binaryBound(two)];
  for (const values of new Set(levels)) {
    const factors = levels.filter((level) => level >= values).length;
    // An array with one row for each pair has one factor more than it has values at most; for six values it has three.
    if (values >= 2 && factors > values + 1) bounds.push(values * values + 1);
    if (values === 6 && factors > 3) bounds.push(37);
  }
  return bounds;
}

/** The fewest rows for all pairs of some factors of two values: the first N with that many subsets of half its size. */
export function binaryBound(factors: number): number {
  if (factors < 2) return factors === 1 ? 2 : 1;
  let rows = 4;
  while (binomial(rows - 1, Math.ceil(rows / 2)) < factors) rows += 1;
  return rows;
}

function binomial(of: number, choose: number): number {
  let result = 1;
  for (let at = 1; at <= choose; at += 1) result = (result * (of - choose + at)) / at;
  return Math.round(result);
}
