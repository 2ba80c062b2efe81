import { describe, expect, test, vi } from 'vitest';
import { createMachine } from 'xstate';
import { machine as basket, events as basketEvents } from '../../../docs/examples/basket.machine.ts';
import { createStepper } from '../../../machines/step.ts';
import type { Edge } from '../../../src/compiled/model.ts';
import { NudgeLabError } from '../../../src/core/errors.ts';
import { generateCriterionSuite } from '../../../src/generate/criteria/coverage-criteria.ts';
import { models } from '../../../src/generate/exploration/explorations.ts';
import { explore } from '../../../src/generate/exploration/explore.ts';
import { expectAlways } from '../../machines/property.ts';
import { nonEmpty } from '../../non-empty.ts';
import { type RandomMachine, randomMachines } from '../random-machine.ts';
import { allItems, cheapestCost } from './cheapest-tests.ts';

// The tests try many paths, which takes a long time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const formatState = ({ value, context }: { readonly value: unknown; readonly context: unknown }) =>
  JSON.stringify([value, context]);

/** Lists every transition to another state as a goal, so the checker of the tours can compute the minimum cost. */
function moveGoals({ before, event, after }: Edge<RandomMachine['machine']>): readonly string[] {
  return formatState(before) === formatState(after) ? [] : [`${formatState(before)} ${event.type}`];
}

const small = randomMachines.filter((model) => {
  const count = allItems(model, 'transitions').size;
  return count > 0 && count <= 8;
});

describe('coverage criteria', () => {
  test.for([0, 1, 3])(
    'R6: with a reset cost of %i, an exhaustive search finds no cheaper tests for all goals',
    (resetCost) => {
      expectAlways(
        small,
        ({ machine, events }) => {
          const found = generateCriterionSuite(machine, { events, goals: moveGoals, resetCost });
          return found.gap === 0 && found.cost === cheapestCost({ machine, events }, 'transitions', resetCost);
        },
        150,
      );
    },
  );

  test('R6: with a maximum test length, the lower bound does not exceed the minimum of an exhaustive search', () => {
    expectAlways(
      small,
      ({ machine, events }) => {
        const explored = explore(machine, { events });
        const maxLength = Math.max(...explored.states.map((_, state) => explored.pathTo(state).length)) + 1;
        const found = generateCriterionSuite(machine, { events, goals: moveGoals, maxLength });
        const cheapest = cheapestCost({ machine, events }, 'transitions', 1, maxLength);
        return (
          found.unreachable.length === 0 &&
          found.tests.every(({ length }) => length <= maxLength) &&
          found.lowerBound <= cheapest &&
          cheapest <= found.cost &&
          found.lowerBoundOfTried <= found.cost
        );
      },
      100,
    );
  });

  test('R6: every guard that is reported as covered is observed when the tests are replayed', () => {
    const { tests, reached, unreachable, gap } = generateCriterionSuite(basket, {
      events: basketEvents as never,
      goals: 'guards',
    });
    expect({ unreachable, gap, length: tests.flat().length }).toEqual({ unreachable: [], gap: 0, length: 6 });
    const seen = new Set<string>();
    const own = basket.implementations.guards as unknown as Record<string, (given: never) => boolean>;
    const noting = basket.provide({
      guards: Object.fromEntries(
        Object.entries(own).map(([name, guard]) => [
          name,
          (given: never) => {
            const answer = guard(given);
            seen.add(`${name} is ${answer}`);
            return answer;
          },
        ]),
      ) as never,
    });
    const step = createStepper(noting);
    for (const test of tests) {
      let state = noting.getInitialSnapshot({ self: {}, defer: () => undefined } as never);
      for (const event of test) state = step(state, event as never);
    }
    expect([...seen].sort()).toEqual([...new Set(reached.flat())].sort());
  });

  test('R5, R6: the guards of every machine are covered with both results or reported as unreachable', () => {
    for (const [name, model] of nonEmpty(models)) {
      const { machine, ...options } = { ...model(), invariants: [] };
      const found = generateCriterionSuite(machine, { ...options, goals: 'guards' });
      expect(found.covered + found.unreachable.length).toBe(Object.keys(machine.implementations.guards).length * 2);
      expect(found.gap, name).toBeGreaterThanOrEqual(0);
      expect(new Set(found.reached.flat()).size).toBe(found.covered);
    }
  });

  test('config-invalid: a machine without named guards and a criterion without goals are rejected', () => {
    const machine = createMachine({ initial: 'a', states: { a: { on: { go: 'b' } }, b: {} } });
    const events = [{ type: 'go' }];
    expect(() => generateCriterionSuite(machine, { events, goals: 'guards' })).toThrow(NudgeLabError);
    expect(() => generateCriterionSuite(machine, { events, goals: () => [] })).toThrow(NudgeLabError);
    expect(() => generateCriterionSuite(machine, { events, goals: () => ['x'], resetCost: -1 })).toThrow(NudgeLabError);
  });

  test('R6: a goal beyond the maximum test length is reported as unreachable', () => {
    const machine = createMachine({ initial: 'a', states: { a: { on: { go: 'b' } }, b: { on: { go: 'c' } }, c: {} } });
    const goals = ({ before, after }: Edge<typeof machine>) =>
      before.value === after.value ? [] : [String(after.value)];
    const found = generateCriterionSuite(machine, { events: [{ type: 'go' }], goals, maxLength: 1 });
    expect(found).toMatchObject({ unreachable: ['c'], covered: 1, steps: 1, gap: 0 });
  });
});
