import { describe, expect, test } from 'vitest';
import { assign, createMachine, initialTransition, transition } from 'xstate';
import type { AnyStateMachine } from '../../../src/compiled/model.ts';
import { explore } from '../../../src/generate/exploration/explore.ts';
import { NumberedMachine, shortestDifference } from '../../../src/generate/mutate/machine-difference.ts';
import { machineMutants } from '../../../src/generate/mutate/machine-mutants.ts';
import { expectAlways, expectFoundOut } from '../../machines/property.ts';
import { type RandomMachine, randomMachines } from '../random-machine.ts';

/** What a machine looks like after some events, by xstate's own `transition`. */
function lookAfter(machine: AnyStateMachine, events: readonly { readonly type: string }[]): string {
  let [state] = initialTransition(machine);
  for (const event of events) [state] = transition(machine, state, event);
  const { value, context } = state as { readonly value: unknown; readonly context: unknown };
  return JSON.stringify([value, context]);
}

/** Every list of events up to a length, the shortest first. */
function* lists(events: readonly { readonly type: string }[], most: number): Generator<readonly { type: string }[]> {
  let shorter: readonly (readonly { type: string }[])[] = [[]];
  yield [];
  for (let length = 1; length <= most; length += 1) {
    shorter = shorter.flatMap((list) => events.map((event) => [...list, event]));
    yield* shorter;
  }
}

/** Tried without numbering or packing: the length of the shortest list that tells two machines apart, `null` up to a length. */
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

/** Decides some mutants of a machine both ways. `skew` is added to what the product says, for a canary. */
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

describe('telling a mutant from its original', () => {
  test('machine-difference: equivalent and shortest are what trying every list of events says, on small machines', () => {
    expect(() => expectAlways(small, (model) => agrees(model), 25)).not.toThrow();
  }, 60_000);

  test('machine-difference: a list that grows unseen and without end is undecided before it takes all memory', () => {
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

  test('machine-difference: a path that is not shortest is found out', () => {
    expectFoundOut(small, (model) => agrees(model, 1), 25);
  }, 60_000);
});
