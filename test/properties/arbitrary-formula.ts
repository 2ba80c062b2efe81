import fc from 'fast-check';
import type { Formula } from '../../src/properties/language/formula.ts';

const dayMs = 86_400_000;
const states = ['s0', 's1', 's2'];
const days = fc.option(fc.integer({ min: 0, max: 2 }).map((count) => count * dayMs));

const stateCondition: fc.Arbitrary<Formula> = fc.oneof(
  fc
    .subarray(states, { minLength: 1 })
    .map((values): Formula => ({ kind: 'compare', fact: 'state', by: 'in', with: { values } })),
  fc
    .record({
      by: fc.constantFrom('is', 'isNot', 'lessThan', 'atMost', 'atLeast', 'moreThan' as const),
      value: fc.integer({ min: 0, max: 3 }),
    })
    .map(({ by, value }): Formula => ({ kind: 'compare', fact: 'context.count', by, with: { value } })),
);

const condition: fc.Arbitrary<Formula> = fc.oneof(
  { weight: 4, arbitrary: stateCondition },
  {
    weight: 2,
    arbitrary: fc.constantFrom('a', 'b', 'c').map((name): Formula => ({ kind: 'event', names: [name], fields: {} })),
  },
  fc.constant<Formula>({ kind: 'time' }),
  fc
    .constantFrom('rises', 'falls', 'changes' as const)
    .map((change): Formula => ({ kind: 'change', fact: 'context.count', change })),
  stateCondition.map((of): Formula => ({ kind: 'previously', of })),
);

/** Arbitrary formulas over the states `s0` to `s2`, the events `a` to `d`, and a count. */
export const formulas: fc.Arbitrary<Formula> = fc.letrec<{ formula: Formula }>((tie) => {
  const part = tie('formula');
  return {
    formula: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 3, arbitrary: condition },
      part.map((of): Formula => ({ kind: 'not', of })),
      fc.tuple(part, part).map((of): Formula => ({ kind: 'all', of })),
      fc.tuple(part, part).map((of): Formula => ({ kind: 'any', of })),
      fc.tuple(part, part).map(([when, implies]): Formula => ({ kind: 'when', when, implies })),
      part.map((of): Formula => ({ kind: 'next', of })),
      { weight: 3, arbitrary: fc.tuple(part, days).map(([of, forMs]): Formula => ({ kind: 'always', of, forMs })) },
      {
        weight: 3,
        arbitrary: fc.tuple(part, days).map(([of, withinMs]): Formula => ({ kind: 'eventually', of, withinMs })),
      },
      fc.tuple(part, part, fc.boolean(), days).map(
        ([hold, until, strong, withinMs]): Formula => ({
          kind: 'until',
          hold,
          until,
          strong,
          withinMs: strong ? withinMs : null,
        }),
      ),
      fc.tuple(part, part).map(([first, before]): Formula => ({ kind: 'before', first, before })),
      fc
        .tuple(fc.integer({ min: 0, max: 2 }), condition, part, part)
        .map(([max, of, start, end]): Formula => ({ kind: 'times', max, of, between: [start, end] })),
    ),
  };
}).formula;

/** Fairness conditions: none, or that some events recur. */
export const fairness: fc.Arbitrary<readonly Formula[]> = fc.oneof(
  fc.constant<readonly Formula[]>([]),
  fc.constant<readonly Formula[]>([{ kind: 'time' }]),
  fc.constant<readonly Formula[]>([{ kind: 'event', names: ['a'], fields: {} }, { kind: 'time' }]),
);
