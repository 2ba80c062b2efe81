import { describe, expect, it } from 'vitest';
import { YamlSource } from '../../src/scenario/yaml-source.ts';

const deep = 'It is nested deeper than 100 levels.';
const chain = Array.from({ length: 3 }, (_, at) => {
  const held = at === 0 ? 'x' : `*a${at - 1}`;
  return `a${at}: &a${at} ${'['.repeat(90)}${held}${']'.repeat(90)}`;
}).join('\n');

function findProblems(text: string): readonly string[] {
  return new YamlSource('f', text).problems.map(({ location: place, message }) => `${place} ${message}`);
}

describe('nesting depth of a YAML file', () => {
  it.each([
    ['brackets without end', '['.repeat(100_000), 'f:1:101'],
    ['brackets that are closed', '['.repeat(5_000) + ']'.repeat(5_000), 'f:1:101'],
    ['objects of JSON', '{"a":'.repeat(20_000), 'f:1:501'],
    ['lists on one line', `${'- '.repeat(20_000)}a`, 'f:1:201'],
    ['keys on one line', `${'? '.repeat(3_000)}a`, 'f:1:201'],
    ['mappings', Array.from({ length: 1_400 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'), 'f:101:101'],
    ['brackets after a text of closing ones', `a: "${']'.repeat(5_000)}"\nb: ${'['.repeat(5_000)}`, 'f:2:103'],
    ['aliases of aliases', chain, 'f:1:1'],
    ['one level too many', `a: ${'['.repeat(100)}${']'.repeat(100)}`, 'f:1:1'],
  ])('%s: is reported with its location, without exhausting memory or the stack', (_what, text, place) => {
    expect(findProblems(text)).toEqual([`${place} ${deep}`]);
  });

  it.each([
    ['as many levels as there may be', `a: ${'['.repeat(99)}${']'.repeat(99)}`],
    ['brackets in a text', `a: "${'['.repeat(500)}"`],
    ['brackets in a comment', `# ${'['.repeat(500)}\na: 1`],
    ['a text that is indented', `a: |\n${Array.from({ length: 150 }, (_, at) => `${' '.repeat(at + 1)}x`).join('\n')}`],
  ])('%s: is accepted', (_what, text) => {
    expect(findProblems(text)).toEqual([]);
  });
});
