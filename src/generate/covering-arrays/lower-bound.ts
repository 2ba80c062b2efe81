import type { CoveringProblem } from './covering-problem.ts';
import { apartBound } from './separation-bound.ts';
import { type TupleSpace, width } from './tuple-space.ts';

/** Maximum number of values of all parameters for which mutually exclusive values are searched. */
const apartValuesMax = 3_000;

/**
 * Computes a lower bound on the number of rows. Each row has one combination of each parameter set, so the set with the
 * most possible combinations is a bound. If rows are required, the combinations that they leave uncovered are added to
 * their number. Without constraints, bounds on pairs of two values (Katona; Kleitman and Spencer) and on orthogonal
 * arrays (Bush) can be higher. With constraints, mutually exclusive values need separate rows.
 */
export function lowerBound(problem: CoveringProblem, space: TupleSpace): number {
  let bound = problem.seeds.length;
  for (let interaction = 0; interaction < space.interactions; interaction += 1) {
    bound = Math.max(bound, computeBound(interaction, problem, space));
  }
  if (problem.restrictions.length === 0) return Math.max(bound, ...pairBounds(problem));
  const values = problem.levels.reduce((sum, level) => sum + level, 0);
  return values > apartValuesMax ? bound : Math.max(bound, apartBound(space));
}

/** Finds the first interaction with the most possible combinations. */
export function widestInteraction(space: TupleSpace): number {
  let widest = 0;
  let most = 0;
  for (let interaction = 0; interaction < space.interactions; interaction += 1) {
    const possible = space.countPossible(interaction);
    if (possible > most) {
      most = possible;
      widest = interaction;
    }
  }
  return widest;
}

function computeBound(interaction: number, { seeds }: CoveringProblem, space: TupleSpace): number {
  const possible = space.countPossible(interaction);
  if (seeds.length === 0) return possible;
  const factors = [...space.places.subarray(interaction * width, interaction * width + width)].filter(
    (one) => one >= 0,
  );
  const given = seeds.map((row) => factors.map((factor) => row[factor] ?? -1));
  const whole = given.filter((values) => values.every((value) => value >= 0));
  // A row with an open value still covers exactly one combination.
  const covered = new Set(whole.map((values) => values.join())).size + given.length - whole.length;
  return Math.max(possible, seeds.length + possible - covered);
}

/** Computes bounds that are valid if all pairs of some parameters are covered without constraints. */
function pairBounds({ levels, strength }: CoveringProblem): readonly number[] {
  if (strength < 2 || levels.length < 2) return [];
  // Merging values gives a parameter with fewer values, and an array for the original also covers the pairs of the
  // merged one.
  const two = levels.filter((level) => level >= 2).length;
  const bounds = [binaryBound(two)];
  for (const values of new Set(levels)) {
    const factors = levels.filter((level) => level >= values).length;
    // An array with one row per pair has at most one parameter more than it has values; for six values it has three
    // parameters.
    if (values >= 2 && factors > values + 1) bounds.push(values * values + 1);
    if (values === 6 && factors > 3) bounds.push(37);
  }
  return bounds;
}

/**
 * Computes the minimum number of rows for all pairs of binary parameters: the first N with that many subsets of half
 * its size.
 */
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
