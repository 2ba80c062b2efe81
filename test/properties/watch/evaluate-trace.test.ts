import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FactScalar, Formula } from '../../../src/properties/language/formula.ts';
import { findViolation, type TracePosition } from '../../../src/properties/watch/evaluate-trace.ts';
import { randomMachines } from '../../generate/random-machine.ts';
import { byTier } from '../../tier.ts';
import { formulas } from '../arbitrary-formula.ts';
import { holdsOn, type LassoWord, listWords, tickEvent } from '../lasso-oracle.ts';

const dayMs = 86_400_000;

/** Unrolls a word to a trace: each tick of the clock takes a day. */
function toTrace({ positions, next }: LassoWord, length: number): readonly TracePosition[] {
  const trace: TracePosition[] = [];
  let [place, atMs] = [0, 0];
  while (trace.length < length) {
    const { event, state, count } = positions[place] as LassoWord['positions'][number];
    const isFirst = trace.length === 0;
    if (event === tickEvent && !isFirst) atMs += dayMs;
    trace.push({
      atMs,
      step: isFirst || event === null ? null : { action: event, events: [{ type: event }] },
      taken: !isFirst,
      time: !isFirst && event === tickEvent,
      before: trace.at(-1)?.after ?? null,
      after: (fact): FactScalar => (fact === 'state' ? state : count),
    });
    place = place + 1 < positions.length ? place + 1 : next;
  }
  return trace;
}

/** Creates a trace of one numeric fact `n`, with a day between two positions. */
function createTrace(values: readonly number[]): readonly TracePosition[] {
  const positions: TracePosition[] = [];
  for (const [at, value] of values.entries()) {
    positions.push({
      atMs: at * dayMs,
      step: at === 0 ? null : { action: 'd', events: [{ type: 'd' }] },
      taken: at > 0,
      time: at > 0,
      before: positions.at(-1)?.after ?? null,
      after: () => value,
    });
  }
  return positions;
}

const is = (value: number): Formula => ({ kind: 'compare', fact: 'n', by: 'is', with: { value } });

describe('findViolation', () => {
  it('PR22: a formula that is violated on a beginning holds on none of its continuations', () => {
    const events = ['a', 'b', 'c', tickEvent];
    let violations = 0;
    fc.assert(
      fc.property(randomMachines, formulas, ({ machine }, formula) => {
        const words = listWords(machine, events, 3).slice(0, 30);
        const violating = words.filter((word) => findViolation(formula, toTrace(word, 12)) !== null);
        violations += violating.length;
        expect(violating.filter((word) => holdsOn(formula, word))).toEqual([]);
      }),
      { numRuns: byTier({ quick: 100, all: 2_000 }), seed: 24 },
    );
    expect(violations).toBeGreaterThan(100);
  });

  it('PR22: invariants and time limits that a word violates are found on its beginning', () => {
    const events = ['a', 'b', tickEvent];
    const plain = formulas.filter(({ kind }) => ['compare', 'event', 'time', 'change'].includes(kind));
    let violations = 0;
    fc.assert(
      fc.property(randomMachines, plain, plain, fc.integer({ min: 0, max: 2 }), ({ machine }, when, goal, days) => {
        const limit: Formula = { kind: 'eventually', of: goal, withinMs: days * dayMs };
        const checked: readonly Formula[] = [
          { kind: 'always', of: when, forMs: null },
          { kind: 'always', of: { kind: 'when', when, implies: limit }, forMs: null },
          { kind: 'before', first: when, before: goal },
        ];
        const words = listWords(machine, events, 3).slice(0, 20);
        const cases = words.flatMap((word) => checked.map((formula) => ({ word, formula })));
        const violated = cases.filter(({ word, formula }) => !holdsOn(formula, word));
        violations += violated.length;
        expect(cases.filter(({ word, formula }) => findViolation(formula, toTrace(word, 24)) !== null)).toEqual(
          violated,
        );
      }),
      { numRuns: byTier({ quick: 60, all: 1_000 }), seed: 24 },
    );
    expect(violations).toBeGreaterThan(100);
  });

  it.each<readonly [string, Formula, readonly number[], number | null]>([
    ['always', { kind: 'always', of: is(1), forMs: null }, [1, 1, 2, 3], 2],
    ['always for 1 day', { kind: 'always', of: is(1), forMs: dayMs }, [1, 1, 2], null],
    ['always for 2 days', { kind: 'always', of: is(1), forMs: 2 * dayMs }, [1, 1, 2], 2],
    ['eventually', { kind: 'eventually', of: is(9), withinMs: null }, [1, 2, 3], null],
    ['eventually within 1 day', { kind: 'eventually', of: is(9), withinMs: dayMs }, [1, 2, 3], 2],
    ['eventually within 2 days', { kind: 'eventually', of: is(9), withinMs: 2 * dayMs }, [1, 2, 9], null],
    ['until', { kind: 'until', hold: is(1), until: is(2), strong: true, withinMs: null }, [1, 1, 3], 2],
    ['unless', { kind: 'until', hold: is(1), until: is(2), strong: false, withinMs: null }, [1, 2, 3], null],
    ['next', { kind: 'next', of: is(2) }, [1, 3], 1],
    ['not eventually', { kind: 'not', of: { kind: 'eventually', of: is(2), withinMs: null } }, [1, 1, 2], 2],
    ['times', { kind: 'times', max: 1, of: is(5), between: [is(1), is(2)] }, [1, 5, 2, 1, 5, 5], 5],
    ['times, ended', { kind: 'times', max: 1, of: is(5), between: [is(1), is(2)] }, [1, 5, 2, 5, 5], null],
    ['the start', is(2), [1, 2], 0],
  ])('PR23: the first position that violates %s is found', (_, formula, values, expected) => {
    expect(findViolation(formula, createTrace(values))).toBe(expected);
  });

  it('PR23: an empty trace violates nothing', () => {
    expect(findViolation(is(1), [])).toBeNull();
  });
});
