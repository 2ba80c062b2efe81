import { expect, test } from 'vitest';
import type { CoveringArrayOptions, TestRow } from '../../../src/generate/covering-arrays/array-options.ts';
import { coveringArray } from '../../../src/generate/covering-arrays/covering-array.ts';
import { thrownBy } from '../../compiled/thrown-by.ts';
import { parseParameters } from './parse-parameters.ts';

const factors = parseParameters('3 3 3');
const rule = (name: string, of: readonly string[], holds: (row: TestRow) => boolean) => ({ name, factors: of, holds });

const refused: readonly {
  readonly what: string;
  readonly options: CoveringArrayOptions;
  readonly places: readonly string[];
}[] = [
  { what: 'no factors', options: { factors: [] }, places: ['factors', 'strength'] },
  {
    what: 'a factor without values',
    options: { factors: [...factors, { name: 'os', values: [] }] },
    places: ['factors.3 (os)'],
  },
  {
    what: 'one name twice',
    options: { factors: [...factors, { name: 'f0', values: [1] }] },
    places: ['factors.3 (f0)'],
  },
  {
    what: 'one value twice, with its keys in another order',
    options: {
      factors: [
        {
          name: 'os',
          values: [
            { a: 1, b: 2 },
            { b: 2, a: 1 },
          ],
        },
      ],
      strength: 1,
    },
    places: ['factors.0 (os)'],
  },
  { what: 'a strength above the factors', options: { factors, strength: 4 }, places: ['strength'] },
  { what: 'a strength of 5', options: { factors: parseParameters('2^9'), strength: 5 }, places: ['strength'] },
  { what: 'half a strength', options: { factors, strength: 1.5 }, places: ['strength'] },
  {
    what: 'a mixed strength above its factors, one of them unknown',
    options: { factors, mixed: [{ factors: ['f0', 'os'], strength: 3 }] },
    places: ['mixed.0.factors', 'mixed.0.strength'],
  },
  { what: 'a budget that is no time', options: { factors, budgetMs: Number.NaN }, places: ['budgetMs'] },
  { what: 'a seed that is not whole', options: { factors, seed: 0.5 }, places: ['seed'] },
  { what: 'a mode that there is not', options: { factors, mode: 'best' as never }, places: ['mode'] },
  { what: 'a row with an unknown value', options: { factors, seeds: [{ f0: 7 }] }, places: ['seeds.0.f0'] },
  { what: 'a row with an unknown factor', options: { factors, seeds: [{ os: 0 }] }, places: ['seeds.0'] },
  { what: 'a forbidden part that is empty', options: { factors, forbidden: [{}] }, places: ['forbidden.0'] },
  {
    what: 'a constraint on an unknown factor',
    options: { factors, constraints: [rule('c', ['os'], () => true)] },
    places: ['constraints.0 (c)'],
  },
  {
    what: 'a constraint on no factors',
    options: { factors, constraints: [rule('c', [], () => true)] },
    places: ['constraints.0 (c)'],
  },
  {
    what: 'a constraint that answers no boolean',
    options: { factors, constraints: [rule('c', ['f0'], () => 1 as never)] },
    places: ['constraints.0 (c)'],
  },
  {
    what: 'a constraint that throws',
    options: { factors, constraints: [rule('c', ['f0'], () => JSON.parse('{') as never)] },
    places: ['constraints.0 (c)'],
  },
];

test.for(refused)('array-invalid: $what is rejected with its location', ({ options, places }) => {
  const { code, problems } = thrownBy(() => coveringArray(options));
  expect(code).toBe('array-invalid');
  expect(problems.map(({ location: place }) => place)).toEqual(places);
});

test('constraints-unsatisfiable: constraints that leave no row are named, and unrelated ones are not', () => {
  const constraints = [
    rule('same', ['f0', 'f1'], ({ f0, f1 }) => f0 === f1),
    rule('idle', ['f2'], ({ f2 }) => f2 !== 2),
    rule('apart', ['f0', 'f1'], ({ f0, f1 }) => f0 !== f1),
  ];
  const { code, message } = thrownBy(() => coveringArray({ factors, constraints }));
  expect(code).toBe('constraints-unsatisfiable');
  expect(message).toMatch(/"same" and "apart"/);
  expect(message).not.toMatch(/idle/);
});

test('constraints-unsatisfiable: a required row that violates a constraint is reported with its location', () => {
  const { code, problems } = thrownBy(() =>
    coveringArray({ factors, seeds: [{ f0: 0 }, { f0: 1, f1: 1 }], forbidden: [{ f0: 1, f1: 1 }] }),
  );
  expect(code).toBe('constraints-unsatisfiable');
  expect(problems.map(({ location: place }) => place)).toEqual(['seeds.1']);
});

const large: readonly { readonly what: string; readonly options: CoveringArrayOptions }[] = [
  { what: 'factors at strength four', options: { factors: parseParameters('5^120'), strength: 4 } },
  { what: 'two factors of many values', options: { factors: parseParameters('3000 3000') } },
  { what: 'two factors that need more rows than there may be', options: { factors: parseParameters('300 300') } },
  {
    what: 'a constraint over many factors',
    options: {
      factors: parseParameters('10^8'),
      constraints: [
        rule(
          'all',
          parseParameters('10^8').map(({ name }) => name),
          () => true,
        ),
      ],
    },
  },
];

test.for(large)('array-too-large: a problem with $what is rejected immediately', ({ options }) => {
  expect(thrownBy(() => coveringArray(options)).code).toBe('array-too-large');
});
