import { expect, it } from 'vitest';
import { YamlSource } from '../../src/scenario/yaml-source.ts';

it('keys that stand twice in one mapping are faults, each at its place; in two mappings they are none', () => {
  const source = new YamlSource('a.yaml', 'a: 1\nb: { c: 1, c: 2 }\nd: { c: 1 }\na: 2');
  expect(source.problems.map(({ location: place }) => place).toSorted()).toEqual(['a.yaml:2:12', 'a.yaml:4:1']);
  expect(new YamlSource('a.yaml', 'a: { c: 1 }\nb: { c: 1 }').problems).toEqual([]);
});

it('a key and its value are found at their places, and what is not written at the nearest that is', () => {
  const source = new YamlSource('a.yaml', 'steps:\n  - signIn: ada\nusers: { ada: 1 }');
  expect(source.keyPlace(['steps', 0, 'signIn'])).toBe('a.yaml:2:5');
  expect(source.place(['steps', 0, 'signIn'])).toBe('a.yaml:2:13');
  expect(source.place(['users', 'ben'])).toBe('a.yaml:3:8');
  expect(source.place(['nothing', 'at', 'all'])).toBe('a.yaml:1:1');
});

it('a mapping of 50,000 keys is read, and each of them found, in seconds', { timeout: 20_000 }, () => {
  const names = Array.from({ length: 50_000 }, (_, at) => `key-${at}`);
  const source = new YamlSource('a.yaml', names.map((name) => `${name}: 1`).join('\n'));
  expect(source.problems).toEqual([]);
  const lines = names.map((name) => Number(source.keyPlace([name]).split(':')[1]));
  expect(lines.every((line, at) => line === at + 1)).toBe(true);
  expect(source.position(['key-49999']).line).toBe(50_000);
});
