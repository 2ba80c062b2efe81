import { describe, expect, it } from 'vitest';
import type { FactDefinition } from '../../../machines/own/own-ruleset.ts';
import { readCell } from '../../../src/replay/import/read-cell.ts';

const define = (definition: Partial<FactDefinition> & Pick<FactDefinition, 'type'>): FactDefinition => ({
  values: [],
  default: null,
  ...definition,
});
const boolean = define({ type: 'boolean' });
const integer = define({ type: 'integer', min: 0, max: 9 });
const instant = define({ type: 'instant' });
const word = define({ type: 'enum', values: ['a', 'b'] });
const words = define({ type: 'set', values: ['a', 'b'] });
const mapped = (definition: FactDefinition, map: NonNullable<FactDefinition['import']>['map']): FactDefinition => ({
  ...definition,
  import: { column: 'column', map },
});

describe('texts of columns as values of facts', () => {
  it.each([
    ['TRUE', boolean, true],
    ['no', boolean, false],
    ['0', boolean, false],
    ['7', integer, 7],
    ['2026-02-01', instant, 1_769_904_000_000],
    ['2026-02-01 01:00:00', instant, 1_769_907_600_000],
    ['2026-02-01T01:00:00', instant, 1_769_907_600_000],
    ['2026-02-01T02:00:00+01:00', instant, 1_769_907_600_000],
    ['1769907600', instant, 1_769_907_600_000],
    ['1769907600000', instant, 1_769_907_600_000],
    ['36h', define({ type: 'duration' }), 129_600_000],
    ['any text', define({ type: 'text' }), 'any text'],
    ['a', word, 'a'],
    ['b; a; b', words, ['b', 'a']],
    ['["a"]', words, ['a']],
    ['E5', mapped(word, { E5: 'a' }), 'a'],
    ['none', mapped(instant, { none: null }), null],
    ['x,y', mapped(words, { x: ['a'], y: ['b', 'a'] }), ['a', 'b']],
  ])('OC50 the text %s is a value', (text, definition, value) => {
    expect(readCell(text, definition)).toEqual({ value });
  });

  it.each([
    ['maybe', boolean],
    ['10', integer],
    ['1.5', integer],
    ['yesterday', instant],
    ['99999999999999999', instant],
    ['999999999999999', instant],
    ['3', define({ type: 'duration' })],
    ['c', word],
    ['a,c', words],
    ['e5', mapped(word, { E5: 'a' })],
    ['x,z', mapped(words, { x: ['a'] })],
    ['__proto__', mapped(word, { E5: 'a' })],
  ])('OC50 the text %s is no value', (text, definition) => {
    expect(readCell(text, definition)).toEqual({ message: expect.stringContaining(text.slice(0, 1)) });
  });
});
