import { cheapestCover } from '../criteria/set-cover.ts';
import type { MeasuredScenario, SuiteMatrix } from './suite-matrix.ts';

/** Quantities that a reduction can minimize. */
export const reductionCosts = ['scenarios', 'steps'] as const;
export type ReductionCost = (typeof reductionCosts)[number];

/** Smallest part of a suite that reaches the same goals. */
export interface Reduction {
  /** Ids in the order of the suite. Scenarios that were not measured are kept. */
  readonly kept: readonly string[];
  readonly removable: readonly string[];
  /** Number of measured scenarios or steps before and after, and the proven minimum. */
  readonly before: number;
  readonly after: number;
  readonly lowerBound: number;
}

/** Finds the fewest measured scenarios, or those with the fewest steps, that reach all goals of the suite. */
export function reduceSuite({ goals, scenarios, unmeasured }: SuiteMatrix, by: ReductionCost): Reduction {
  const costs = scenarios.map(({ steps }) => (by === 'scenarios' ? 1 : steps));
  const { choices, goalCount } = relevantPart(scenarios, costs, goals.length);
  const cover = cheapestCover(goalCount, choices);
  const kept = new Set(cover.chosen.map((number) => choices[number]?.place));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const ids = (isKept: boolean) => scenarios.filter((_, place) => kept.has(place) === isKept).map(({ id }) => id);
  return {
    kept: [...ids(true), ...unmeasured],
    removable: ids(false),
    before: sum(costs),
    after: cover.cost,
    lowerBound: cover.lowerBound,
  };
}

/** Scenario as a choice of the cover, with its place among the measured scenarios. */
interface PlacedChoice {
  readonly place: number;
  readonly cost: number;
  readonly covers: readonly number[];
}

/**
 * Leaves out what cannot influence a cheapest cover: a goal that every cover of another goal reaches as well, and a
 * scenario that another one replaces at no higher cost. Each of them can make the other possible, so both are repeated
 * until nothing changes.
 */
function relevantPart(
  scenarios: readonly MeasuredScenario[],
  costs: readonly number[],
  goalCount: number,
): { readonly choices: readonly PlacedChoice[]; readonly goalCount: number } {
  let sets = new Map(scenarios.map(({ reaches }, place) => [place, new Set(reaches)]));
  let goals = Array.from({ length: goalCount }, (_, goal) => goal);
  for (;;) {
    const before = sets.size + goals.length;
    sets = undominatedScenarios(sets, costs);
    goals = undominatedGoals(sets, goals);
    const left = new Set(goals);
    sets = new Map([...sets].map(([place, reaches]) => [place, reaches.intersection(left)]));
    if (sets.size + goals.length === before) break;
  }
  const numbers = new Map(goals.map((goal, number) => [goal, number]));
  const choices = [...sets].map(([place, reaches]) => ({
    place,
    cost: costs[place] ?? 1,
    covers: [...reaches].map((goal) => numbers.get(goal) ?? 0),
  }));
  return { choices, goalCount: goals.length };
}

function undominatedScenarios(
  sets: ReadonlyMap<number, ReadonlySet<number>>,
  costs: readonly number[],
): Map<number, Set<number>> {
  const cost = (place: number) => costs[place] ?? 1;
  const order = [...sets].toSorted(([a, one], [b, other]) => other.size - one.size || cost(a) - cost(b) || a - b);
  const left: [number, ReadonlySet<number>][] = [];
  for (const [place, reaches] of order) {
    const isReplaced = left.some(([other, more]) => cost(other) <= cost(place) && reaches.isSubsetOf(more));
    if (reaches.size > 0 && !isReplaced) left.push([place, reaches]);
  }
  return new Map(left.toSorted(([a], [b]) => a - b).map(([place, reaches]) => [place, new Set(reaches)]));
}

function undominatedGoals(sets: ReadonlyMap<number, ReadonlySet<number>>, goals: readonly number[]): number[] {
  const reachedBy = new Map(goals.map((goal) => [goal, new Set<number>()]));
  for (const [place, reaches] of sets) for (const goal of reaches) reachedBy.get(goal)?.add(place);
  const order = [...reachedBy].toSorted(([a, one], [b, other]) => one.size - other.size || a - b);
  const left: [number, ReadonlySet<number>][] = [];
  for (const [goal, by] of order) if (!left.some(([, fewer]) => fewer.isSubsetOf(by))) left.push([goal, by]);
  return left.map(([goal]) => goal).toSorted((a, b) => a - b);
}
