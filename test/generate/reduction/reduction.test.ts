import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prioritizeSuite } from '../../../src/generate/reduction/prioritize-suite.ts';
import { reduceSuite, reductionCosts } from '../../../src/generate/reduction/reduce-suite.ts';
import type { MeasuredScenario, SuiteMatrix } from '../../../src/generate/reduction/suite-matrix.ts';
import { nonEmpty } from '../../non-empty.ts';

/** Creates the matrix of scenarios, each given by its number of steps and the goals that it reaches. */
function matrix(
  scenarios: readonly (readonly [steps: number, ...reaches: readonly number[]])[],
  points = 0,
): SuiteMatrix {
  const reached = [...new Set(scenarios.flatMap(([, ...goals]) => goals))].toSorted((a, b) => a - b);
  return {
    goals: reached.map((goal) => ({ kind: goal < points ? 'point' : 'mutant', id: `goal ${goal}` })),
    scenarios: scenarios.map(([steps, ...goals], at) => ({
      id: `s${at}`,
      steps,
      reaches: [...new Set(goals)].map((goal) => reached.indexOf(goal)),
    })),
    unmeasured: [],
    failing: [],
    complete: true,
  };
}

/** Returns the least cost of all subsets that reach every goal. */
function leastCost({ goals, scenarios }: SuiteMatrix, by: (typeof reductionCosts)[number]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let subset = 0; subset < 2 ** scenarios.length; subset += 1) {
    const chosen = scenarios.filter((_, at) => (subset & (2 ** at)) !== 0);
    if (new Set(chosen.flatMap(({ reaches }) => reaches)).size < goals.length) continue;
    const cost = chosen.reduce((sum, { steps }) => sum + (by === 'steps' ? steps : 1), 0);
    least = Math.min(least, cost);
  }
  return least;
}

/** Sums the times at which the goals of scenarios are first reached, at the end of the scenario that reaches each. */
function sumTimes(order: readonly MeasuredScenario[]): number {
  const seen = new Set<number>();
  let elapsed = 0;
  let sum = 0;
  for (const { steps, reaches } of order) {
    elapsed += steps;
    for (const goal of reaches) {
      if (!seen.has(goal)) sum += elapsed;
      seen.add(goal);
    }
  }
  return sum;
}

/** Lists all orders of some elements. */
function permutations<T>(elements: readonly T[]): readonly (readonly T[])[] {
  if (elements.length < 2) return [elements];
  return elements.flatMap((first, at) =>
    permutations(elements.toSpliced(at, 1)).map((rest): readonly T[] => [first, ...rest]),
  );
}

const matrices = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.uniqueArray(fc.nat(11), { maxLength: 6 })), {
    minLength: 1,
    maxLength: 9,
  })
  .map((scenarios) => matrix(scenarios.map(([steps, goals]) => [steps, ...goals])));

describe('reduced suites', () => {
  it.each(nonEmpty(reductionCosts))('have the fewest %s of all that reach the same goals', (by) => {
    fc.assert(
      fc.property(matrices, (given) => {
        const { kept, removable, after, lowerBound, before } = reduceSuite(given, by);
        const left = given.scenarios.filter(({ id }) => kept.includes(id));
        expect(new Set(left.flatMap(({ reaches }) => reaches)).size).toBe(given.goals.length);
        expect([...kept, ...removable].toSorted()).toEqual(given.scenarios.map(({ id }) => id).toSorted());
        const least = leastCost(given, by);
        expect([after, lowerBound]).toEqual([least, least]);
        expect(before).toBeGreaterThanOrEqual(after);
      }),
      { seed: 24, numRuns: 300 },
    );
  });

  it('keep scenarios that were not measured, and have a proven minimum of 0 without goals', () => {
    const given = { ...matrix([[2], [3]]), unmeasured: ['document.yaml'] };
    expect(reduceSuite(given, 'steps')).toEqual({
      kept: ['document.yaml'],
      removable: ['s0', 's1'],
      before: 5,
      after: 0,
      lowerBound: 0,
    });
  });
});

describe('prioritized suites', () => {
  const bySteps = (_id: string, steps: number): number => steps;

  it('begin with the most faults per time that no earlier scenario detects', () => {
    const { order } = prioritizeSuite(
      matrix([
        [4, 1, 2, 3, 4],
        [1, 1, 2],
        [1, 3],
        [2, 4, 5],
      ]),
      bySteps,
    );
    expect(order).toEqual([
      { id: 's1', time: 1, newFaults: 2 },
      { id: 's2', time: 1, newFaults: 1 },
      { id: 's3', time: 2, newFaults: 2 },
      { id: 's0', time: 4, newFaults: 0 },
    ]);
  });

  it('coverage points decide between scenarios with equally many faults, then the order of the suite', () => {
    const { order, faults } = prioritizeSuite(
      matrix(
        [
          [1, 5],
          [1, 0, 6],
          [1, 7],
        ],
        5,
      ),
      bySteps,
    );
    expect(order.map(({ id }) => id)).toEqual(['s1', 's0', 's2']);
    expect(faults).toBe(3);
  });

  it('the speed is computed by hand', () => {
    const { before, after } = prioritizeSuite(
      matrix([
        [8, 1],
        [2, 1, 2, 3],
      ]),
      bySteps,
    );
    // As written: one fault in the middle of 0 to 8, two in the middle of 8 to 10, of 3 faults in 10 steps.
    expect(before).toEqual({ timeTo: { 50: 10, 90: 10, 100: 10 }, average: (6 + 2 * 1) / 30 });
    expect(after).toEqual({ timeTo: { 50: 2, 90: 2, 100: 2 }, average: (3 * 9) / 30 });
  });

  it('contain each scenario once, count each fault once, and detect them at least as early on average', () => {
    fc.assert(
      fc.property(matrices, (given) => {
        const { order, faults, after } = prioritizeSuite(given, () => 1);
        expect(order.map(({ id }) => id).toSorted()).toEqual(given.scenarios.map(({ id }) => id).toSorted());
        expect(order.reduce((sum, { newFaults }) => sum + newFaults, 0)).toBe(faults);
        expect(order.every(({ newFaults }, at) => at === 0 || newFaults <= (order[at - 1]?.newFaults ?? 0))).toBe(true);
        expect(after.average).toBeLessThanOrEqual(1);
      }),
      { seed: 24, numRuns: 300 },
    );
  });

  it('the average time until a fault is detected is at most four times the least one of all orders', () => {
    fc.assert(
      fc.property(matrices, ({ scenarios: all, ...rest }) => {
        const given = { ...rest, scenarios: all.slice(0, 6) };
        const times = prioritizeSuite(given, bySteps).order.map(({ id }) => id);
        const greedy = sumTimes(times.map((id) => given.scenarios.find((one) => one.id === id) as MeasuredScenario));
        const least = Math.min(...permutations(given.scenarios).map(sumTimes));
        expect(greedy).toBeLessThanOrEqual(4 * least);
      }),
      { seed: 24, numRuns: 100 },
    );
  });

  it('scenarios that were not measured come last', () => {
    const { order } = prioritizeSuite({ ...matrix([[1], [1, 1]]), unmeasured: ['document.yaml'] }, bySteps);
    expect(order.map(({ id }) => id)).toEqual(['s1', 's0', 'document.yaml']);
  });
});
