import { describe, expect, it } from 'vitest';
import { createMachine } from 'xstate';
import { formatLtl, Propositions } from '../../src/properties/export/ltl-text.ts';
import { formatPromela } from '../../src/properties/export/promela.ts';
import { formatWatched } from '../../src/properties/export/watched-ltl.ts';
import type { Formula, Property } from '../../src/properties/language/formula.ts';
import { defineProperty } from '../../src/properties/language/formula-builder.ts';
import { createBuiltInModel } from '../../src/properties/models/built-in-models.ts';
import { machinePropertyModel } from '../../src/properties/models/machine-model.ts';
import type { PropertyModel } from '../../src/properties/models/property-model.ts';
import { readShippedProperties } from '../../src/properties/shipped-properties.ts';

const lamp = createMachine({
  id: 'lamp',
  initial: 'off',
  states: { off: { on: { press: 'on' } }, on: { on: { press: 'off' } } },
});
const model = machinePropertyModel({ name: 'lamp', machine: lamp, events: [{ type: 'press' }] });
const isOn: Formula = { kind: 'compare', fact: 'state', by: 'is', with: { value: 'on' } };
const pressed: Formula = { kind: 'event', names: ['press'], fields: {} };
const dayMs = 86_400_000;

const ltl = (formula: Formula) => formatLtl(formula, new Propositions(), dayMs);

describe('formatPromela', () => {
  it('PR28: a model has the steps of the machine, the conditions as bits, and the formula', () => {
    const property = defineProperty({
      id: 'lit-again',
      title: 'The lamp is lit again and again */',
      property: { kind: 'always', of: { kind: 'eventually', of: isOn, withinMs: null }, forMs: null },
      fair: [pressed],
    });
    expect(formatPromela(model, property)).toBe(`/* lamp: lit-again: The lamp is lit again and again * / */
/* Tables of the steps: the first step of each state, and the target and the conditions of each step. */
c_decl { static const int step_first_0[] = { 0,1,2 }; }
c_decl { static const int *const step_first[] = { step_first_0 }; }
#define STEP_FIRST(at) step_first[(at) / 4096][(at) % 4096]
c_decl { static const int step_target_0[] = { 1,0 }; }
c_decl { static const int *const step_target[] = { step_target_0 }; }
#define STEP_TARGET(at) step_target[(at) / 4096][(at) % 4096]
c_decl { static const int step_mask_0[] = { 3,2 }; }
c_decl { static const int *const step_mask[] = { step_mask_0 }; }
#define STEP_MASK(at) step_mask[(at) / 4096][(at) % 4096]

/* State, the conditions that hold at the position as bits, and a bit that changes with every step. */
int s = 0;
bit t = 0;
int m = 0;
#define p0 ((m & 1) != 0)
#define p1 ((m & 2) != 0)

active proctype machine() {
  do
  :: d_step { c_expr { STEP_FIRST(now.s) + 0 < STEP_FIRST(now.s + 1) } -> c_code { now.m = STEP_MASK(STEP_FIRST(now.s) + 0); now.s = STEP_TARGET(STEP_FIRST(now.s) + 0); now.t = !now.t; } }
  od
}

ltl p { (([] <> p1)) -> ([] (<> p0)) }
`);
  });

  it.each<readonly [string, Formula, string]>([
    ['not', { kind: 'not', of: { kind: 'eventually', of: isOn, withinMs: null } }, '(!(<> p0))'],
    ['until', { kind: 'until', hold: isOn, until: pressed, strong: true, withinMs: null }, '(p0 U p1)'],
    ['unless', { kind: 'until', hold: isOn, until: pressed, strong: false, withinMs: null }, '(p0 W p1)'],
    ['before', { kind: 'before', first: isOn, before: pressed }, '((!p0) W (p1 && !p0))'],
    ['next', { kind: 'next', of: isOn }, '((t -> (t U (!t && p0))) && (!t -> (!t U (t && p0))))'],
    [
      'always for 0 days',
      { kind: 'always', of: isOn, forMs: 0 },
      '(p0 && ((t -> (t U (!t && ((p0 && !p1) W (p1 && true))))) && (!t -> (!t U (t && ((p0 && !p1) W (p1 && true)))))))',
    ],
  ])('PR28: %s is written in linear temporal logic', (_, formula, expected) => {
    expect(ltl(formula)).toBe(expected);
  });

  it('PR28: a time limit and a counter become as many nested operators as they count', () => {
    const within = (days: number): Formula => ({ kind: 'eventually', of: isOn, withinMs: days * dayMs });
    expect(ltl(within(2)).match(/ W /g)?.length).toBe(14);
    const times = (max: number): Formula => ({ kind: 'times', max, of: isOn, between: [pressed, pressed] });
    expect(ltl(times(1)).match(/ W /g)?.length).toBe(6);
  });
});

describe('watched positions', () => {
  const days = (count: number) => count * dayMs;
  const watched = (formula: Formula) => formatWatched(formula, new Propositions(), dayMs);
  const notOn: Formula = { kind: 'not', of: isOn };

  it('PR46: a time limit becomes a number of ticks, and the formula does not grow with it', () => {
    const limited = (count: number): Formula => ({
      kind: 'always',
      forMs: null,
      of: { kind: 'when', when: pressed, implies: { kind: 'eventually', of: isOn, withinMs: days(count) } },
    });
    expect(watched(limited(2))).toEqual({
      text: '((true && !(k > 2)) W (p1 && !(k > 2)))',
      begins: 'p0',
      tick: 'p2',
      ticksMax: 3,
      counters: [],
    });
    expect(watched(limited(300))?.text).toBe('((true && !(k > 300)) W (p1 && !(k > 300)))');
  });

  it('PR46: a counter counts from the watched position, and both ends are excluded', () => {
    expect(watched({ kind: 'times', max: 3, of: isOn, between: [pressed, pressed] })).toEqual({
      text: '((!(c0 > 3)) W (!b && p0))',
      begins: 'p0',
      tick: null,
      ticksMax: 0,
      counters: [{ of: 'p1', max: 3 }],
    });
  });

  it('PR46: a time or an end, whichever comes first, need one operator', () => {
    const implies: Formula = {
      kind: 'any',
      of: [
        { kind: 'always', of: notOn, forMs: days(2) },
        { kind: 'until', hold: notOn, until: pressed, strong: false, withinMs: null },
      ],
    };
    const of: Formula = { kind: 'when', when: pressed, implies };
    expect(watched({ kind: 'always', of, forMs: null })?.text).toBe('(p1 W ((k > 2) || p0))');
  });

  it('PR46: the model chooses the watched position, and counts from there', () => {
    const property = defineProperty({
      id: 'twice',
      title: 'The lamp is pressed at most twice',
      property: { kind: 'times', max: 2, of: isOn, between: [pressed, pressed] },
    });
    const text = formatPromela(model, property);
    expect(text).toContain('  :: d_step { p0 -> v = 1; w = 1; b = 1 }\n');
    expect(text).toContain('now.b = 0; if (now.w) { if ((now.m & 2) && now.c0 <= 2) now.c0++; }');
    expect(text).toContain('&& !now.w && (STEP_MASK(STEP_FIRST(now.s) + 0) & 1) } -> c_code {');
    expect(text).toContain('ltl p { ((!v) U (v && ([] (b -> ((!(c0 > 2)) W (!b && p0)))))) }');
  });

  it('PR28: no declaration is longer than Spin accepts', () => {
    const machine = createBuiltInModel('tenant') as PropertyModel;
    const property = readShippedProperties().find(({ id }) => id === 'disabled-never-prompts') as Property;
    const declarations = formatPromela(machine, property)
      .split('\n')
      .filter((line) => line.startsWith('c_decl'));
    expect(declarations.length).toBeGreaterThan(10);
    expect(Math.max(...declarations.map((line) => line.length))).toBeLessThan(65_536);
  });

  it('PR46: a property without time limits and counters is written without a watched position', () => {
    expect(watched({ kind: 'always', of: { kind: 'next', of: isOn }, forMs: null })).toBeNull();
    expect(watched({ kind: 'eventually', of: isOn, withinMs: days(1) })).toBeNull();
  });
});
