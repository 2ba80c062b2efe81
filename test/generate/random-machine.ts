import fc from 'fast-check';
import { assign, createMachine } from 'xstate';
import type { AnyStateMachine } from '../../src/compiled/model.ts';

/** Small machine with a counter that a guard limits, and its events. Some states do not handle all events. */
export interface RandomMachine {
  readonly machine: AnyStateMachine;
  readonly events: readonly { readonly type: string }[];
}

const eventTypes = ['a', 'b', 'c', 'd'] as const;

const transition = fc.record({
  target: fc.option(fc.nat({ max: 4 })),
  counts: fc.boolean(),
  below: fc.integer({ min: 0, max: 4 }),
});

/**
 * Arbitrary small machines: up to five states with up to four events each, some of which raise a bounded counter or
 * reset it.
 */
export const randomMachines: fc.Arbitrary<RandomMachine> = fc
  .record({
    states: fc.array(fc.dictionary(fc.constantFrom(...eventTypes), transition, { maxKeys: 4 }), {
      minLength: 1,
      maxLength: 5,
    }),
    events: fc.array(fc.constantFrom(...eventTypes, 'unknown'), { minLength: 1, maxLength: 6 }),
  })
  .map(({ states, events }) => ({
    events: events.map((type) => ({ type })),
    machine: createMachine({
      id: 'random',
      context: { count: 0 },
      initial: 's0',
      states: Object.fromEntries(
        states.map((on, number) => [
          `s${number}`,
          { on: Object.fromEntries(Object.entries(on).map(([type, one]) => [type, written(one, states.length)])) },
        ]),
      ),
    } as never) as AnyStateMachine,
  }));

type Transition = typeof transition extends fc.Arbitrary<infer T> ? T : never;

function written({ target, counts, below }: Transition, size: number): object {
  return {
    ...(target === null ? {} : { target: `s${target % size}` }),
    guard: ({ context }: { readonly context: { readonly count: number } }) => context.count <= below,
    actions: counts ? assign({ count: ({ context }) => (context as { readonly count: number }).count + 1 }) : [],
  };
}
