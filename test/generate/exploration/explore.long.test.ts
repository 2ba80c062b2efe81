import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assign, createMachine, raise, type SnapshotFrom, spawnChild } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import { createStepper } from '../../../machines/step.ts';
import type { Model } from '../../../src/compiled/model.ts';
import { NudgeLabError } from '../../../src/core/errors.ts';
import { exploreModel, models } from '../../../src/generate/exploration/explorations.ts';
import { explore, exploreByReference } from '../../../src/generate/exploration/explore.ts';
import { transitionTour } from '../../../src/generate/tours/transition-tour.ts';
import { findDifference } from '../../machines/difference.ts';
import { expectAlways } from '../../machines/property.ts';
import { nonEmpty } from '../../non-empty.ts';
import { randomMachines } from '../random-machine.ts';

function getModel(name: string): Model {
  const model = models.get(name)?.();
  if (model === undefined) throw new TypeError(name);
  return model;
}

/** Returns the error that a function throws. */
function getError(work: () => unknown): NudgeLabError {
  try {
    work();
  } catch (error) {
    if (error instanceof NudgeLabError) return error;
    throw error;
  }
  throw new TypeError('It did not fail.');
}

describe('exploration of machines', () => {
  test.for(nonEmpty(models.keys()))('R6: %s has as many states and edges as `getAdjacencyMap` finds', (name) => {
    const model = getModel(name);
    const { states, edges } = explore(model.machine, model);
    expect({ states: states.length, edges }).toEqual(exploreByReference(model.machine, model));
    expect(states.length).toBeGreaterThan(20);
  });

  test('R6: any small machine has as many states and edges as the reference', () => {
    expectAlways(
      randomMachines,
      ({ machine, events }) => {
        const { states, edges } = explore(machine, { events });
        return findDifference({ states: states.length, edges }, exploreByReference(machine, { events }));
      },
      500,
    );
  });

  test('R6: a path to any state of any small machine leads there and is as short as with `getShortestPaths`', () => {
    expectAlways(
      randomMachines,
      ({ machine, events }) => {
        const explored = explore(machine, { events });
        const step = createStepper(machine);
        const shortest = new Map(
          getShortestPaths(machine as never, { events: events as never, limit: 10_000 }).map(({ state, steps }) => [
            explored.stateNumber(state as never),
            steps.length - 1,
          ]),
        );
        return explored.states.every((first, number) => {
          const path = explored.pathTo(number);
          const end = path.reduce((state, event) => step(state as never, event as never) as never, explored.states[0]);
          return (
            explored.stateNumber(end as never) === number &&
            path.length === shortest.get(number) &&
            explored.stateNumber(first) === number
          );
        });
      },
      200,
    );
  });

  test('R6: the path over an edge ends with its event, and its target is the next state of the machine', () => {
    const model = getModel('sign-in');
    const explored = explore(model.machine, model);
    const step = createStepper(model.machine);
    for (const [number, state] of nonEmpty(explored.states.entries())) {
      for (const [index, event] of nonEmpty(explored.events.entries())) {
        expect(explored.pathOver(number, index).at(-1)).toBe(event);
        expect(explored.stateNumber(step(state, event as never))).toBe(explored.target(number, index));
      }
    }
  });

  test.for(nonEmpty(models.keys()))('R6: two reports on %s are the same byte for byte', (name) => {
    const [one, other] = [exploreModel(getModel(name)), exploreModel(getModel(name))];
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });

  test('R6: events with the same JSON count as one event', () => {
    const machine = createMachine({ initial: 'a', states: { a: { on: { go: 'b' } }, b: {} } });
    const { edges } = explore(machine, { events: [{ type: 'go' }, { type: 'go' }] });
    expect(edges).toBe(2);
  });
});

describe('machines that cannot be explored', () => {
  const counter = createMachine({
    id: 'basket',
    context: { owner: 'ada', basket: { limit: 3, items: 0 } },
    on: {
      add: {
        actions: assign({ basket: ({ context }) => ({ ...context.basket, items: context.basket.items + 1 }) }),
      },
    },
  });

  test('state-space-too-large: an unbounded context is rejected with the name of the growing key', () => {
    const error = getError(() => explore(counter, { events: [{ type: 'add' }], limitStates: 50 }));
    expect(error.code).toBe('state-space-too-large');
    expect(error.problems.map(({ location: place }) => place)).toEqual(['context.basket.items']);
  });

  test.for([
    ['from the beginning', { initial: 'b' }, 'machine "m"'],
    ['after an event', { initial: 'a' }, 'state "a"'],
  ] as const)(
    'machine-not-explorable: a machine with an endless loop of automatic transitions is rejected (%s)',
    ([, begin, place]) => {
      const states = { a: { on: { go: 'b' } }, b: { always: 'c' }, c: { always: 'b' } };
      const machine = createMachine({ id: 'm', ...begin, states } as never);
      const error = getError(() => explore(machine, { events: [{ type: 'go' }] as never }));
      expect([error.code, error.problems[0]?.location]).toEqual(['machine-not-explorable', place]);
      expect((machine as { readonly options?: { maxIterations?: number } }).options?.maxIterations).toBe(
        Number.POSITIVE_INFINITY,
      );
    },
  );

  test('state-space-too-large: a growing list is named, and an abstraction of it bounds the state space', () => {
    const machine = createMachine({
      context: { seen: [] as readonly number[] },
      on: { look: { actions: assign({ seen: ({ context }) => [...context.seen, 1] }) } },
    });
    const events = [{ type: 'look' as const }];
    expect(getError(() => explore(machine, { events, limitStates: 50 })).problems[0]?.location).toBe('context.seen');
    const serialize = ({ context }: { readonly context: { readonly seen: readonly number[] } }) =>
      String(Math.min(context.seen.length, 3));
    expect(explore(machine, { events, serialize: serialize }).states).toHaveLength(4);
  });

  test('state-space-too-large: a large state space without unbounded growth names no key', () => {
    const model = getModel('sign-in');
    const error = getError(() =>
      explore(model.machine, { ...model, limitStates: 5, serialize: (state) => String(state.value) }),
    );
    expect(error.code).toBe('state-space-too-large');
    expect(error.message).toContain('more than 5 states');
  });

  test('alphabet-empty: a machine without events is rejected', () => {
    expect(getError(() => explore(counter, { events: [] })).code).toBe('alphabet-empty');
    expect(getError(() => exploreByReference(counter, { events: [] })).code).toBe('alphabet-empty');
  });

  test.for([
    ['after', { initial: 'a', states: { a: { after: { 10: 'b' } }, b: {} } }, 'm.a'],
    ['invoke', { initial: 'a', states: { a: { invoke: { src: 'network' } } } }, 'm.a'],
    [
      'after, deep inside',
      { initial: 'a', states: { a: { initial: 'b', states: { b: { after: { 5: 'c' } }, c: {} } } } },
      'm.a.b',
    ],
    ['a delayed event', { initial: 'a', states: { a: { entry: raise({ type: 'go' }, { delay: 5 }) } } }, 'm.a'],
    ['an actor', { initial: 'a', states: { a: { on: { go: { actions: spawnChild('network') } } } } }, 'm.a'],
  ] as const)('machine-not-explorable: %s is rejected with the name of its state', ([, config, place]) => {
    const error = getError(() =>
      explore(createMachine({ id: 'm', ...config } as never), { events: [{ type: 'go' }] as never }),
    );
    expect(error.code).toBe('machine-not-explorable');
    expect(error.problems.map((problem) => problem.location)).toEqual([`state "${place}"`]);
  });

  test.for([
    ['a Set', { seen: new Set(['x']) }, 'context.seen'],
    ['a Map, deep inside', { all: [{ by: new Map() }] }, 'context.all.0.by'],
    ['a bigint', { sum: 1n }, 'context.sum'],
    ['a number that is none', { sum: Number.NaN }, 'context.sum'],
    ['a function', { next: () => 1 }, 'context.next'],
  ] as const)(
    'machine-not-explorable: a context with values that JSON cannot represent is rejected: %s',
    ([, context, place]) => {
      const machine = createMachine({ context, initial: 'a', states: { a: {} } } as never);
      const events = [{ type: 'go' }] as never;
      const error = getError(() => explore(machine, { events }));
      expect([error.code, error.problems[0]?.location]).toEqual(['machine-not-explorable', place]);
      expect(explore(machine, { events, serialize: ({ value }) => JSON.stringify(value) }).states).toHaveLength(1);
    },
  );

  test('machine-not-explorable: a context that refers to itself is rejected', () => {
    const context: Record<string, unknown> = {};
    context['self'] = context;
    const machine = createMachine({ context, initial: 'a', states: { a: {} } } as never);
    expect(getError(() => explore(machine, { events: [{ type: 'go' }] as never })).problems[0]?.location).toBe(
      'context',
    );
  });

  test('R6: states with a different stored history are distinct, so every path is valid', () => {
    const machine = createMachine({
      initial: 'work',
      states: {
        work: {
          initial: 'one',
          states: { one: { on: { next: 'two' } }, two: { on: { next: 'one' } }, back: { type: 'history' } },
          on: { sleep: 'asleep' },
        },
        asleep: { on: { wake: 'work.back' } },
      },
    });
    const events = ['next', 'sleep', 'wake'].map((type) => ({ type })) as never;
    const explored = explore(machine, { events });
    expect(exploreByReference(machine, { events })).toEqual({ states: explored.states.length, edges: explored.edges });
    const step = createStepper(machine);
    const first = explored.states[0] as SnapshotFrom<typeof machine>;
    for (const [state, snapshot] of nonEmpty(explored.states.entries())) {
      let reached = first;
      for (const event of explored.pathTo(state)) reached = step(reached, event);
      expect(explored.stateNumber(reached)).toBe(state);
      for (const [label, event] of nonEmpty(explored.events.entries())) {
        expect(explored.stateNumber(step(snapshot, event))).toBe(explored.target(state, label));
      }
    }
    expect(explored.states.filter(({ value }) => value === 'asleep')).toHaveLength(2);
    // A transition tour includes the transition back to each of the two states.
    const seen = new Set<string>();
    for (const test of transitionTour(machine, { events }).tests) {
      let at = first;
      for (const event of test) {
        const after = step(at, event);
        seen.add(`${JSON.stringify(at.value)} to ${JSON.stringify(after.value)}`);
        at = after;
      }
    }
    expect(seen).toContain('"asleep" to {"work":"one"}');
    expect(seen).toContain('"asleep" to {"work":"two"}');
  });

  test('state-space-too-large: a growing list is named before it uses up the memory', () => {
    const machine = createMachine({
      context: { basket: { items: [] as readonly string[] } },
      on: {
        put: { actions: assign({ basket: ({ context }) => ({ items: [...context.basket.items, 'x'.repeat(500)] }) }) },
      },
    });
    const error = getError(() => explore(machine, { events: [{ type: 'put' }] }));
    expect([error.code, error.problems[0]?.location]).toEqual(['state-space-too-large', 'context.basket.items']);
  });

  test('machine-not-explorable: a machine that throws is reported with its state', () => {
    const machine = createMachine({
      initial: 'a',
      states: {
        a: { on: { go: 'b' } },
        b: {
          on: {
            go: {
              guard: () => {
                throw new RangeError('too far');
              },
            },
          },
        },
      },
    });
    const error = getError(() => explore(machine, { events: [{ type: 'go' }] }));
    expect([error.code, error.problems[0]?.location]).toEqual(['machine-not-explorable', 'state "b"']);
    expect(error.message).toContain('too far');
  });

  test('state-space-too-large: a counter without a bound is rejected for any limit of states', () => {
    expectAlways(
      fc.integer({ min: 1, max: 40 }),
      (limitStates) =>
        getError(() => explore(counter, { events: [{ type: 'add' }], limitStates })).code === 'state-space-too-large',
      20,
    );
  });
});
