import { assign, setup } from 'xstate';

/** A basket of up to three items that is paid once. */
export const machine = setup({
  types: {
    context: {} as { readonly items: number },
    events: {} as { type: 'added' | 'removed' | 'paid' | 'refused' },
  },
  guards: {
    hasRoom: ({ context }) => context.items < 3,
    holdsSomething: ({ context }) => context.items > 0,
  },
  actions: {
    putIn: assign({ items: ({ context }) => context.items + 1 }),
    takeOut: assign({ items: ({ context }) => context.items - 1 }),
  },
}).createMachine({
  id: 'basket',
  context: { items: 0 },
  initial: 'open',
  states: {
    open: {
      on: {
        added: { guard: 'hasRoom', actions: 'putIn' },
        removed: { guard: 'holdsSomething', actions: 'takeOut' },
        paid: { guard: 'holdsSomething', target: 'ordered' },
      },
    },
    ordered: { on: { refused: 'open' } },
  },
});

/** Every event is tried in every state. */
export const events = [{ type: 'added' }, { type: 'removed' }, { type: 'paid' }, { type: 'refused' }];

/** Invariants of every state and of every edge. */
export const invariants = [
  {
    id: 'basket.order-holds-something',
    sentence: 'What is ordered holds something.',
    of: 'state',
    holds: ({ value, context }: { value: unknown; context: { items: number } }) =>
      value !== 'ordered' || context.items > 0,
  },
];
