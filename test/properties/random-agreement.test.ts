import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkProperties } from '../../src/properties/check/check-properties.ts';
import type { Formula } from '../../src/properties/language/formula.ts';
import { defineProperty } from '../../src/properties/language/formula-builder.ts';
import { machinePropertyModel } from '../../src/properties/models/machine-model.ts';
import { type RandomMachine, randomMachines } from '../generate/random-machine.ts';
import { byTier } from '../tier.ts';
import { fairness, formulas } from './arbitrary-formula.ts';
import { holdsOn, type LassoWord, listWords, runEvents, tickEvent } from './lasso-oracle.ts';

const lengthMax = 4;

/** Events of a machine and of all formulas, without repetition. */
function listEvents({ events }: RandomMachine): readonly string[] {
  return [...new Set(['a', 'b', 'c', tickEvent, ...events.map(({ type }) => type)])].slice(0, 4);
}

function check(random: RandomMachine, formula: Formula, fair: readonly Formula[]) {
  const events = listEvents(random).map((type) => ({ type }));
  const model = machinePropertyModel(
    { name: 'random', machine: random.machine, events },
    { event: tickEvent, stepMs: 86_400_000 },
  );
  const states = new Set(['s0']);
  for (const { positions } of listWords(random.machine, listEvents(random), lengthMax)) {
    for (const { state } of positions) states.add(state);
  }
  const [result] = checkProperties(model, [
    defineProperty({ id: 'random', title: 'random', property: withoutUnreached(formula, states), fair }),
  ]);
  return result as NonNullable<typeof result>;
}

/** Removes state names that the machine does not reach, because properties that name them are rejected. */
function withoutUnreached(formula: Formula, states: ReadonlySet<string>): Formula {
  return JSON.parse(JSON.stringify(formula), (_key, value) => {
    if (value?.kind !== 'compare' || value.fact !== 'state') return value;
    return { ...value, with: { values: value.with.values.filter((name: string) => states.has(name)) } };
  }) as Formula;
}

function isFair(fair: readonly Formula[], word: LassoWord): boolean {
  return fair.every((condition) =>
    holdsOn({ kind: 'always', of: { kind: 'eventually', of: condition, withinMs: null }, forMs: null }, word),
  );
}

describe('checkProperties on random machines', () => {
  it('PR1: agrees with a naive decision on every short path, and every counterexample is one', {
    timeout: 600_000,
  }, () => {
    let violated = 0;
    let proven = 0;
    fc.assert(
      fc.property(randomMachines, formulas, fairness, (random, formula, fair) => {
        const result = check(random, formula, fair);
        const { counterexample } = result;
        if (counterexample === null) {
          proven += 1;
          const words = listWords(random.machine, listEvents(random), lengthMax);
          const wrong = words.find((word) => isFair(fair, word) && !holdsOn(formula, word));
          expect(wrong).toBeUndefined();
          return;
        }
        violated += 1;
        const path = counterexample.steps.map(({ action }) => action);
        // A finite counterexample refutes the property however the path continues.
        const words =
          counterexample.cycleFrom === null ? extend(random, path) : [close(random, path, counterexample.cycleFrom)];
        expect(words.length).toBeGreaterThan(0);
        for (const word of words) {
          expect(holdsOn(formula, word)).toBe(false);
          if (counterexample.cycleFrom !== null) expect(isFair(fair, word)).toBe(true);
        }
      }),
      { numRuns: byTier({ quick: 100, all: 5_000 }), seed: 24 },
    );
    expect(violated).toBeGreaterThan(20);
    expect(proven).toBeGreaterThan(20);
  });
});

/** Closes a path to a lasso. The machine has to be in the same state at both ends of the cycle. */
function close({ machine }: RandomMachine, path: readonly string[], cycleFrom: number): LassoWord {
  const { positions, keys } = runEvents(machine, path);
  expect(keys[cycleFrom]).toBe(keys.at(-1));
  return { positions, next: cycleFrom + 1 };
}

/** Continues a path with one event forever, for each event, until a state repeats. */
function extend(random: RandomMachine, path: readonly string[]): readonly LassoWord[] {
  return listEvents(random).flatMap((event) => {
    for (let more = 1; more < 40; more += 1) {
      const { positions, keys } = runEvents(random.machine, [...path, ...Array.from({ length: more }, () => event)]);
      const at = keys.indexOf(keys.at(-1) as string, path.length);
      if (at < keys.length - 1) return [{ positions, next: at + 1 }];
    }
    return [];
  });
}
