import { expect, it } from 'vitest';
import { YamlSource } from '../../src/scenario/yaml-source.ts';

it('duplicate keys in one mapping are reported with their locations; the same key in two mappings is accepted', () => {
  const source = new YamlSource('a.yaml', 'a: 1\nb: { c: 1, c: 2 }\nd: { c: 1 }\na: 2');
  expect(source.problems.map(({ location: place }) => place).toSorted()).toEqual(['a.yaml:2:12', 'a.yaml:4:1']);
  expect(new YamlSource('a.yaml', 'a: { c: 1 }\nb: { c: 1 }').problems).toEqual([]);
});

it('keys and values have their own location, and missing ones have that of the nearest existing parent', () => {
  const source = new YamlSource('a.yaml', 'steps:\n  - signIn: ada\nusers: { ada: 1 }');
  expect(source.keyPlace(['steps', 0, 'signIn'])).toBe('a.yaml:2:5');
  expect(source.place(['steps', 0, 'signIn'])).toBe('a.yaml:2:13');
  expect(source.place(['users', 'ben'])).toBe('a.yaml:3:8');
  expect(source.place(['nothing', 'at', 'all'])).toBe('a.yaml:1:1');
});

it('a key that is written as null has this name', () => {
  const source = new YamlSource('a.yaml', "a: { null: 1, ~: 2 }\nb: { null: 1, '': 2 }");
  expect(source.problems.map(({ location }) => location)).toEqual(['a.yaml:1:15']);
  const { data } = new YamlSource('a.yaml', "b: { null: 1, '': 2 }");
  expect(data).toEqual({ b: { null: 1, '': 2 } });
});

it('a mapping of 50,000 keys is parsed, and each key located, within seconds', { timeout: 20_000 }, () => {
  const names = Array.from({ length: 50_000 }, (_, at) => `key-${at}`);
  const source = new YamlSource('a.yaml', names.map((name) => `${name}: 1`).join('\n'));
  expect(source.problems).toEqual([]);
  const lines = names.map((name) => Number(source.keyPlace([name]).split(':')[1]));
  expect(lines.every((line, at) => line === at + 1)).toBe(true);
  expect(source.position(['key-49999']).line).toBe(50_000);
});
