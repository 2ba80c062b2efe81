import { describe, expect, test } from 'vitest';
import { createMachine } from 'xstate';
import { stepOf } from '../../machines/step.ts';
import type { Model } from '../../src/compiled/model.ts';
import { NudgeLabError } from '../../src/core/errors.ts';
import { models } from '../../src/generate/explorations.ts';
import { explore } from '../../src/generate/explore.ts';
import { type Tour, tour } from '../../src/generate/tour.ts';
import { expectAlways } from '../machines/property.ts';
import { randomMachines } from './random-machine.ts';

function modelOf(name: string): Model {
  const model = models.get(name)?.();
  if (model === undefined) throw new TypeError(name);
  return { ...model, invariants: [] };
}

/** The transitions to another state that some tests take, by walking the machine itself. */
function taken(model: Omit<Model, 'name'>, { tests }: Pick<Tour<Model['machine']>, 'tests'>): ReadonlySet<string> {
  const explored = explore(model.machine, model);
  const step = stepOf(model.machine, model.input);
  const found = new Set<string>();
  for (const events of tests) {
    let state = explored.states[0];
    for (const event of events) {
      const from = explored.stateNumber(state as never);
      const after = step(state as never, event as never);
      state = model.normalise?.(after, event) ?? after;
      if (explored.stateNumber(state) !== from) found.add(`${from} ${JSON.stringify(event)}`);
    }
  }
  return found;
}

/** The cheapest cost by trying all walks: nearest first over state and set of transitions taken. For a few transitions. */
function cheapestByTrying(model: Omit<Model, 'name'>, resetCost: number): number {
  const explored = explore(model.machine, model);
  const count = explored.events.length;
  const moves = [...explored.targets.entries()].filter(([at, to]) => Math.floor(at / count) !== to).map(([at]) => at);
  const all = 2 ** moves.length - 1;
  const buckets: [state: number, set: number][][] = [];
  const put = (cost: number, state: number, set: number) => {
    buckets[cost] ??= [];
    buckets[cost].push([state, set]);
  };
  const seen = new Set<number>();
  put(resetCost, 0, 0);
  for (let cost = 0; cost < buckets.length; cost += 1) {
    for (const [state, set] of buckets[cost] ?? []) {
      if (set === all) return cost;
      const key = set * explored.states.length + state;
      if (seen.has(key)) continue;
      seen.add(key);
      put(cost + resetCost, 0, set);
      for (const [bit, at] of moves.entries()) {
        if (Math.floor(at / count) === state) put(cost + 1, explored.targets[at] ?? 0, set | (1 << bit));
      }
    }
  }
  throw new TypeError('No walk takes every transition.');
}

describe('tours', () => {
  test.for([...models.keys()])('R6: the tour of %s takes every transition, and its optimum is proven', (name) => {
    const model = modelOf(name);
    const found = tour(model.machine, model);
    expect(found.gap).toBe(0);
    expect(found.transitions).toBeGreaterThan(200);
    expect(taken(model, found).size).toBe(found.transitions);
    expect(found.cost).toBe(found.steps + found.tests.length);
    expect(found.steps).toBe(found.tests.flat().length);
  });

  test.for([0, 1, 3])('R6: with resets of cost %i no walk is cheaper, as trying all of them shows', (resetCost) => {
    expectAlways(
      randomMachines.filter((model) => {
        const { targets, events } = explore(model.machine, model);
        const moves = targets.filter((to, at) => Math.floor(at / events.length) !== to);
        return moves.length <= 8;
      }),
      (model) => {
        const found = tour(model.machine, { ...model, resetCost });
        return (
          found.gap === 0 &&
          found.cost === cheapestByTrying(model, resetCost) &&
          taken(model, found).size === found.transitions
        );
      },
      200,
    );
  });

  test('R6: the tour of any small machine takes every transition with gap 0', () => {
    expectAlways(
      randomMachines,
      (model) => {
        const found = tour(model.machine, model);
        return found.gap === 0 && taken(model, found).size === found.transitions;
      },
      300,
    );
  });

  test('R6: the same machine gives the same bytes twice', () => {
    const bytes = () => JSON.stringify(tour(modelOf('nudge').machine, modelOf('nudge')));
    expect(bytes()).toBe(bytes());
  });

  test('R6: dear resets give fewer tests', () => {
    const { machine, ...options } = modelOf('nudge');
    const [cheap, dear] = [0, 100].map((resetCost) => tour(machine, { ...options, resetCost }).tests.length);
    expect(cheap ?? 0).toBeGreaterThan((dear ?? 0) * 100);
  });

  test('R6: a way that cannot be gone back takes a test for each end', () => {
    const machine = createMachine({ initial: 'a', states: { a: { on: { left: 'b', right: 'c' } }, b: {}, c: {} } });
    const { tests, cost, lowerBound } = tour(machine, { events: [{ type: 'left' }, { type: 'right' }], resetCost: 2 });
    expect({ tests: tests.length, cost, lowerBound }).toEqual({ tests: 2, cost: 6, lowerBound: 6 });
  });

  test.for([-1, 0.5, Number.NaN])('config-invalid: a reset costs no %d events', (resetCost) => {
    const { machine, ...options } = modelOf('sign-in');
    expect(() => tour(machine, { ...options, resetCost })).toThrow(NudgeLabError);
  });
});
