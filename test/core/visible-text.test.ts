import { expect, test } from 'vitest';
import { visibleText, visibleValues } from '../../src/core/visible-text.ts';

test.for([
  ['\u001b[31m\u0007', '␛[31m␇'],
  ['a\r\nb\tc\u007f', 'a␍␊b␉c␡'],
  ['\u009b2J\u0085', '<U+009B>2J<U+0085>'],
  ['\u2028\u2029', '<U+2028><U+2029>'],
  ['abc\u202egnp.exe\u2066', 'abc<U+202E>gnp.exe<U+2066>'],
  ['\ud800', '<U+D800>'],
  ['Zoë 👩‍👩‍👧 C:\\new\\table', 'Zoë 👩‍👩‍👧 C:\\new\\table'],
] as const)('%j is shown as %j', ([text, shown]) => {
  expect(visibleText(text)).toBe(shown);
  expect(visibleText(shown)).toBe(shown);
});

test('control characters in data are made visible, including keys, and unaffected parts are returned unchanged', () => {
  const clean = { list: ['a'], held: new Map([['k', 1]]) };
  const shown = visibleValues({ clean: clean.list, 'k\n': ['\u001b'], m: new Map([['\r', new Set(['\n'])]]), n: null });
  expect(shown).toEqual({ clean: ['a'], 'k␊': ['␛'], m: new Map([['␍', new Set(['␊'])]]), n: null });
  expect((shown as { clean: unknown }).clean).toBe(clean.list);
});

test('data that contains itself is processed without an endless loop', () => {
  const data: Record<string, unknown> = { name: 'a' };
  data['self'] = data;
  expect(visibleValues(data)).toBe(data);
});
