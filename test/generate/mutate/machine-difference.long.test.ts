import { describe, expect, test } from 'vitest';
import { assign, createMachine, initialTransition, transition } from 'xstate';
import type { AnyStateMachine } from '../../../src/compiled/model.ts';
import { explore } from '../../../src/generate/exploration/explore.ts';
import { NumberedMachine, shortestDifference } from '../../../src/generate/mutate/machine-difference.ts';
import { machineMutants } from '../../../src/generate/mutate/machine-mutants.ts';
import { expectAlways, expectFoundOut } from '../../machines/property.ts';
import { type RandomMachine, randomMachines } from '../random-machine.ts';

/** Returns the state of a machine after some events, computed by `transition` of xstate. */
function lookAfter(machine: AnyStateMachine, events: readonly { readonly type: string }[]): string {
  let [state] = initialTransition(machine);
  for (const event of events) [state] = transition(machine, state, event);
  const { value, context } = state as { readonly value: unknown; readonly context: unknown };
  return JSON.stringify([value, context]);
}

/** Generates every list of events up to a length, shortest first. */
function* lists(events: readonly { readonly type: string }[], most: number): Generator<readonly { type: string }[]> {
  let shorter: readonly (readonly { type: string }[])[] = [[]];
  yield [];
  for (let length = 1; length <= most; length += 1) {
    shorter = shorter.flatMap((list) => events.map((event) => [...list, event]));
    yield* shorter;
  }
}

/**
 * Finds the length of the shortest list of events that distinguishes two machines, without numbered or packed states.
 * Returns `null` if no list up to the maximum length does.
 */
function bruteForce(one: AnyStateMachine, other: AnyStateMachine, events: RandomMachine['events'], most: number) {
  for (const list of lists(events, most)) if (lookAfter(one, list) !== lookAfter(other, list)) return list.length;
  return null;
}

const listsMax = 100;
const small = randomMachines
  .map(({ machine, events }) => ({
    machine,
    events: [...new Map(events.map((event) => [event.type, event])).values()],
  }))
  .filter(({ events }) => events.length <= 3);

/**
 * Compares the differences of some mutants with a brute-force search. A canary adds `skew` to the length of each path.
 */
function agrees({ machine, events }: RandomMachine, skew = 0): boolean {
  const most = Math.floor(Math.log(listsMax) / Math.log(Math.max(2, events.length)));
  const original = new NumberedMachine(machine, { events });
  return machineMutants(machine, explore(machine, { events }))
    .filter((_mutant, index) => index % 4 === 0)
    .every(({ machine: mutant }) => {
      const found = shortestDifference(original, mutant, { events });
      const tried = bruteForce(machine, mutant, events, most);
      if (found.kind === 'undecided') return false;
      if (found.kind === 'equivalent') return tried === null;
      const length = found.path.length + skew;
      if (lookAfter(machine, found.path) === lookAfter(mutant, found.path)) return false;
      return tried === null ? length > most : length === tried;
    });
}

describe('difference between a mutant and its original', () => {
  test('machine-difference: equivalence and shortest paths of small machines match an exhaustive search', () => {
    expect(() => expectAlways(small, (model) => agrees(model), 25)).not.toThrow();
  }, 60_000);

  test('machine-difference: a hidden list that grows without bound is undecided before it uses up the memory', () => {
    const growing = (most: number) =>
      createMachine({
        context: { items: [] as readonly string[] },
        on: {
          put: {
            guard: ({ context }) => context.items.length < most,
            actions: assign({ items: ({ context }) => [...context.items, 'x'.repeat(1_000)] }),
          },
        },
      });
    const options = { events: [{ type: 'put' }], visible: () => 'the same' };
    const original = new NumberedMachine(growing(2) as AnyStateMachine, options);
    expect(shortestDifference(original, growing(1_000_000) as AnyStateMachine, options)).toMatchObject({
      kind: 'undecided',
    });
  });

  test('machine-difference: a path that is not the shortest one is detected', () => {
    expectFoundOut(small, (model) => agrees(model, 1), 25);
  }, 60_000);
});
