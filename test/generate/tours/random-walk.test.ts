import { describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { NudgeLabError } from '../../../src/core/errors.ts';
import { lifecycleProduct } from '../../../src/generate/models/lifecycle-product.ts';
import { signInModel } from '../../../src/generate/models/sign-in-model.ts';
import { randomProductWalk, randomWalk } from '../../../src/generate/tours/random-walk.ts';
import { nonEmpty } from '../../non-empty.ts';
import { coveredBy } from '../criteria/cheapest-tests.ts';

const { machine, events } = signInModel;
const given = { machine, events } as never;

describe('random walks', () => {
  test('R13: the reported coverage of a walk equals that of its tests when they are replayed', () => {
    const { tests, states, transitions, pairs } = randomWalk(machine, { events, steps: 2_000, maxLength: 12, seed: 7 });
    expect(tests.flat().length).toBe(2_000);
    expect(tests.every(({ length }) => length <= 12)).toBe(true);
    expect(coveredBy(given, 'states', tests).size).toBe(states.reached);
    expect(coveredBy(given, 'transitions', tests).size).toBe(transitions.reached);
    const followed = [...coveredBy(given, 'pairs', tests)].filter((item) => item.includes(' > '));
    expect(followed.length).toBe(pairs.reached);
    expect(pairs.reached).toBeLessThan(pairs.of);
  });

  test('R13: every event of a walk changes the state of an xstate actor', () => {
    const { tests } = randomWalk(machine, { events, steps: 300, maxLength: 10, seed: 3 });
    for (const test of nonEmpty(tests)) {
      const actor = createActor(machine).start();
      for (const event of nonEmpty(test)) {
        const before = JSON.stringify(actor.getPersistedSnapshot());
        actor.send(event);
        expect(JSON.stringify(actor.getPersistedSnapshot())).not.toBe(before);
      }
    }
  });

  test('R6: the same random seed repeats a walk, and another one does not', () => {
    const bytes = (seed: number) => JSON.stringify(randomWalk(machine, { events, steps: 200, seed }).tests);
    expect(bytes(5)).toBe(bytes(5));
    expect(bytes(5)).not.toBe(bytes(6));
  });

  test('R6: a preference for the least taken events covers more transitions in the same number of steps', () => {
    const product = lifecycleProduct({ snoozeDays: [1], distinguishedDays: 1 });
    const options = { steps: 3_000, maxLength: 40, seed: 11 };
    const anywhere = randomProductWalk(product, options);
    const least = randomProductWalk(product, { ...options, weights: 'least-taken' });
    expect(least.transitions.of).toBe(anywhere.transitions.of);
    expect(least.transitions.reached).toBeGreaterThan(anywhere.transitions.reached);
  });

  test('R6: an event of weight 0 is never taken, and an event of a high weight is taken more often', () => {
    const product = lifecycleProduct({ snoozeDays: [1], distinguishedDays: 1 });
    const options = { steps: 2_000, maxLength: 40, seed: 11 };
    const times = (tests: readonly (readonly string[])[], name: string) =>
      tests.flat().filter((one) => one === name).length;
    const plain = randomProductWalk(product, options);
    const weighted = randomProductWalk(product, { ...options, weights: { registers: 0, skips: 20 } });
    expect(times(plain.tests, 'registers')).toBeGreaterThan(0);
    expect(times(weighted.tests, 'registers')).toBe(0);
    expect(times(weighted.tests, 'skips')).toBeGreaterThan(times(plain.tests, 'skips'));
  });

  test.for([
    { steps: 0 },
    { steps: 1.5 },
    { steps: 9, maxLength: 0 },
    { steps: 9, seed: 0.5 },
    { steps: 9, weights: { skips: -1 } },
  ])('config-invalid: a walk with %o is rejected', (options) => {
    expect(() => randomWalk(machine, { events, ...options } as never)).toThrow(NudgeLabError);
  });
});
