import { describe, expect, test, vi } from 'vitest';
import { createMachine } from 'xstate';
import type { Model } from '../../../src/compiled/model.ts';
import { NudgeLabError } from '../../../src/core/errors.ts';
import { models } from '../../../src/generate/exploration/explorations.ts';
import { lifecycleProduct } from '../../../src/generate/models/lifecycle-product.ts';
import { distinguishingSequences } from '../../../src/generate/separation/distinguishing-sequences.ts';
import { createProductTour, transitionTour } from '../../../src/generate/tours/transition-tour.ts';
import { findDifference } from '../../machines/difference.ts';
import { expectAlways } from '../../machines/property.ts';
import { nonEmpty } from '../../non-empty.ts';
import { allItems, cheapestCost, coveredBy, type Given, type Goal, missedBy } from '../criteria/cheapest-tests.ts';
import { randomMachines } from '../random-machine.ts';

// The tests try many paths, which takes a long time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

function getModel(name: string): Model {
  const model = models.get(name)?.();
  if (model === undefined) throw new TypeError(name);
  return { ...model, invariants: [] };
}

const goals = ['states', 'transitions', 'pairs'] as const;
/** Maximum numbers of coverage items for an exhaustive search. */
const few: Readonly<Record<Goal, number>> = { states: 12, transitions: 8, pairs: 13 };

function smallMachines(goal: Goal) {
  return randomMachines.filter((model) => allItems(model, goal).size <= few[goal]);
}

/**
 * Checks that tests cover all items, have the reported cost, and do not cost less than the lower bound. Returns the
 * first problem, or `null` if there is none.
 */
function findLack(model: Given, cover: Goal, resetCost: number, maxLength?: number): string | null {
  const found = transitionTour(model.machine, {
    ...model,
    cover,
    resetCost,
    ...(maxLength === undefined ? {} : { maxLength }),
  });
  const { steps, cost, gap, lowerBound, tests } = found;
  const [missed] = missedBy(model, cover, tests);
  if (missed !== undefined) return `no test covers ${missed}`;
  const counted = tests.flat().length;
  const costs = counted + resetCost * tests.length;
  const wrong = findDifference({ steps, cost, gap }, { steps: counted, cost: costs, gap: costs - lowerBound });
  if (wrong !== null) return wrong;
  if (gap < 0) return `the bound is ${-gap} above the cost`;
  const longest = Math.max(...tests.map(({ length }) => length));
  return maxLength !== undefined && longest > maxLength ? `a test has ${longest} steps` : null;
}

describe('transition tours', () => {
  test.for(nonEmpty(models.keys()))('R6: the tour of %s takes every transition, and its optimum is proven', (name) => {
    const model = getModel(name);
    const found = transitionTour(model.machine, model);
    expect(found.gap).toBe(0);
    expect(found.covered).toBeGreaterThan(50);
    expect(missedBy(model, 'transitions', found.tests)).toEqual([]);
    expect(allItems(model, 'transitions').size).toBe(found.covered);
    expect(found.cost).toBe(found.steps + found.tests.length);
  });

  test.for(['sign-in', 'campaign'])(
    'R6: the pair tour of %s takes every transition pair, and its optimum is proven',
    (name) => {
      const model = getModel(name);
      const found = transitionTour(model.machine, { ...model, cover: 'pairs' });
      expect(found.gap).toBe(0);
      expect(missedBy(model, 'pairs', found.tests)).toEqual([]);
      expect(coveredBy(model, 'pairs', found.tests).size).toBe(allItems(model, 'pairs').size);
    },
  );

  test.for(nonEmpty(goals.flatMap((goal) => [0, 1, 3].map((resetCost) => [goal, resetCost] as const))))(
    'R6: for %s with a reset cost of %i, an exhaustive search finds no cheaper tests',
    ([goal, resetCost]) => {
      expectAlways(
        smallMachines(goal),
        (model) => {
          const found = transitionTour(model.machine, { ...model, cover: goal, resetCost });
          const cheapest = cheapestCost(model, goal, resetCost);
          const isOptimal = found.lowerBound <= cheapest && cheapest <= found.cost;
          const lack = findLack(model, goal, resetCost);
          return lack ?? (isOptimal && (goal === 'states' || found.gap === 0));
        },
        150,
      );
    },
  );

  test.for(goals)(
    'R6: tests for %s keep the maximum length, and an exhaustive search finds none below the lower bound',
    (goal) => {
      expectAlways(
        smallMachines(goal).filter((model) => allItems(model, goal).size <= 8),
        (model) => {
          const longest = Math.max(
            ...transitionTour(model.machine, { ...model, cover: goal, resetCost: 2 }).tests.map((one) => one.length),
          );
          for (let maxLength = longest; maxLength >= 1; maxLength -= 1) {
            let found: ReturnType<typeof transitionTour>;
            try {
              found = transitionTour(model.machine, { ...model, cover: goal, resetCost: 2, maxLength });
            } catch (error) {
              // An item is too far away for the maximum length, and the exhaustive search finds the same.
              if (!(error instanceof NudgeLabError)) throw error;
              return isTooShort(model, goal, maxLength);
            }
            const cheapest = cheapestCost(model, goal, 2, maxLength);
            const lack = findLack(model, goal, 2, maxLength);
            if (lack !== null || found.lowerBound > cheapest || cheapest > found.cost) return lack ?? false;
          }
          return true;
        },
        100,
      );
    },
  );

  test('R6: prices prove that tests are optimal if each of them has room for only one return path', () => {
    const rooms = ['a', 'b', 'c', 'd', 'e', 'f'];
    const machine = createMachine({
      initial: 'outside',
      states: {
        outside: { on: { enter: 'hall' } },
        hall: { on: Object.fromEntries(rooms.map((room) => [`to ${room}`, room])) },
        ...Object.fromEntries(rooms.map((room) => [room, { on: { back: 'hall' } }])),
      },
    });
    const events = ['enter', 'back', ...rooms.map((room) => `to ${room}`)].map((type) => ({ type }));
    const found = transitionTour(machine, { events, maxLength: 4 });
    expect([found.tests.length, found.cost, found.lowerBound]).toEqual([6, 24, 24]);
  });

  test.for(['transitions', 'pairs'] as const)(
    'R6: for %s with a distinguishing sequence after each test, an exhaustive search finds no cheaper tests',
    (goal) => {
      const visible = ({ context }: { readonly context: unknown }) => (context as { readonly count: number }).count % 2;
      expectAlways(
        smallMachines(goal),
        (model) => {
          const { explored, listSuffixes } = distinguishingSequences(model.machine, { ...model, visible });
          const endCost = (state: number) => listSuffixes(state)[0]?.events.length ?? 0;
          const found = transitionTour(model.machine, { ...model, cover: goal, suffixes: 'ends', visible });
          const numbers = new Map(explored.events.map((event, number) => [JSON.stringify(event), number]));
          const follows = found.tests.every((one) => {
            const states = [0];
            for (const event of one) {
              states.push(explored.target(states.at(-1) ?? 0, numbers.get(JSON.stringify(event)) ?? -1));
            }
            return states.some((state, place) => isSame(one.slice(place), listSuffixes(state)[0]?.events ?? []));
          });
          return follows && found.gap === 0 && found.cost === cheapestCost(model, goal, 1, undefined, endCost);
        },
        150,
      );
    },
  );

  test('R6: tests with a distinguishing sequence after each transition cover all of them, at no less than the bound', () => {
    const visible = ({ value }: { readonly value: unknown }) => value;
    expectAlways(
      randomMachines,
      (model) => {
        const found = transitionTour(model.machine, { ...model, suffixes: 'each', visible });
        const [missed] = missedBy(model, 'transitions', found.tests);
        return missed ?? found.gap >= 0;
      },
      200,
    );
  });

  test.for(goals)('R6: the tour of any small machine covers all its %s', (goal) => {
    expectAlways(randomMachines, (model) => findLack(model, goal, 1), 200);
  });

  test('R6: the coverage check detects a missing test', () => {
    const model = getModel('sign-in');
    const { tests } = transitionTour(model.machine, { ...model, resetCost: 0 });
    const all = coveredBy(model, 'transitions', tests).size;
    expect(coveredBy(model, 'transitions', tests.slice(1)).size).toBeLessThan(all);
  });

  test('R6 canary: a transition that no test takes is named by its state and its event', () => {
    const machine = createMachine({ initial: 'a', states: { a: { on: { left: 'b', right: 'c' } }, b: {}, c: {} } });
    const model = { machine, events: [{ type: 'left' }, { type: 'right' }] } as unknown as Given;
    expect(missedBy(model, 'transitions', [[{ type: 'right' }]])).toEqual(['"a" #0 on {"type":"left"}']);
    expect(missedBy(model, 'states', [])).toEqual(['"b" #1', '"c" #2']);
    expect(missedBy(model, 'transitions', [[{ type: 'left' }], [{ type: 'right' }]])).toEqual([]);
  });

  test('R6: the tour of the same machine has the same bytes each time', () => {
    const bytes = () => JSON.stringify(transitionTour(getModel('nudge').machine, getModel('nudge')));
    expect(bytes()).toBe(bytes());
  });

  test('R6: a high reset cost leads to fewer tests', () => {
    const { machine, ...options } = getModel('nudge');
    const [cheap, dear] = [0, 100].map((resetCost) => transitionTour(machine, { ...options, resetCost }).tests.length);
    expect(cheap ?? 0).toBeGreaterThan((dear ?? 0) * 100);
  });

  test('R6: branches without a return path require a separate test for each end', () => {
    const machine = createMachine({ initial: 'a', states: { a: { on: { left: 'b', right: 'c' } }, b: {}, c: {} } });
    const { tests, cost, lowerBound } = transitionTour(machine, {
      events: [{ type: 'left' }, { type: 'right' }],
      resetCost: 2,
    });
    expect({ tests: tests.length, cost, lowerBound }).toEqual({ tests: 2, cost: 6, lowerBound: 6 });
  });

  test('R6: events that do not change the state are covered if `stays` is set', () => {
    const machine = createMachine({ initial: 'a', states: { a: { on: { go: 'b' } }, b: {} } });
    const events = [{ type: 'go' }, { type: 'idle' }];
    expect(transitionTour(machine, { events }).covered).toBe(1);
    expect(transitionTour(machine, { events, stays: true })).toMatchObject({ covered: 4, steps: 4, gap: 0 });
  });

  test('R6, A39: tours of the lifecycle under a changing policy have gap 0, for transitions and for transition pairs', () => {
    const product = lifecycleProduct({ snoozeDays: [1, 2], distinguishedDays: 2 });
    for (const cover of ['transitions', 'pairs'] as const) {
      const found = createProductTour(product, { cover });
      expect(found.gap).toBe(0);
      expect(found.covered).toBeGreaterThan(2_000);
    }
  });

  test.for([
    { resetCost: -1 },
    { resetCost: 0.5 },
    { resetCost: Number.NaN },
    { maxLength: 0 },
    { maxLength: 1.5 },
    { suffixes: 'ends' },
    { suffixes: 'each', cover: 'states', visible: () => 0 },
  ] as const)('config-invalid: a tour with %o is rejected', (wrong) => {
    const { machine, ...options } = getModel('sign-in');
    expect(() => transitionTour(machine, { ...options, ...wrong })).toThrow(NudgeLabError);
  });
});

function isSame(one: readonly object[], other: readonly object[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isTooShort(model: Given, goal: Goal, maxLength: number): boolean {
  try {
    cheapestCost(model, goal, 2, maxLength);
    return false;
  } catch (error) {
    return error instanceof TypeError;
  }
}
