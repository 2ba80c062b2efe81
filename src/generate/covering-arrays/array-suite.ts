import type { ArraySuite } from '../generation.ts';
import { maskingFreeConstraints, signInArray } from '../models/sign-in-array.ts';
import { arrayJourneys } from './array-journeys.ts';
import type { CoveringArray, CoveringArrayOptions } from './array-options.ts';
import { coveringArray } from './covering-array.ts';

/** How combinations are covered. */
export type CombineOptions = Required<Pick<CoveringArrayOptions, 'strength' | 'mode' | 'seed'>> &
  Pick<CoveringArrayOptions, 'budgetMs' | 'onProgress'>;

/** What a module of a user's own gives of an array. */
export type GivenArray = Pick<CoveringArrayOptions, 'factors' | 'constraints' | 'forbidden' | 'mixed' | 'seeds'>;

/**
 * Sign-ins in which every combination of so many values of policy, user, device, browser and context stands, each row with the
 * journey that it is. Takes whether one thing at most may stop each of them. Throws what `coveringArray` throws.
 */
export function signInCombinations(options: CombineOptions, unmasked: boolean): ArraySuite {
  const { factors, constraints } = signInArray();
  const all = unmasked ? [...constraints, ...maskingFreeConstraints()] : constraints;
  const array = coveringArray({ ...options, factors, constraints: all });
  const title = `Sign-in combinations of ${options.strength}${unmasked ? ', unmasked' : ''}`;
  const journeys = arrayJourneys(array.rows).map(({ journey }) => journey);
  return suiteOf(title, { factors }, array, journeys, options);
}

/** Rows in which every combination of a user's own factors stands. Takes what the factors are called together. */
export function givenCombinations(name: string, given: GivenArray, options: CombineOptions): ArraySuite {
  return suiteOf(
    `${name} combinations of ${options.strength}`,
    given,
    coveringArray({ ...given, ...options }),
    [],
    options,
  );
}

function suiteOf(
  title: string,
  { factors }: Pick<GivenArray, 'factors'>,
  array: CoveringArray,
  journeys: ArraySuite['journeys'],
  { strength = 2 }: CombineOptions,
): ArraySuite {
  const { rows, size, lowerBound, complete, covered } = array;
  const names = factors.map(({ name }) => name);
  return {
    kind: 'array',
    title,
    array: { factors: names, rows: rows.map((row) => names.map((name) => row[name])) },
    found: array,
    valueCounts: new Map(factors.map(({ name, values }) => [name, values.length])),
    journeys,
    sizeProof: {
      of: `combinations of ${strength} values`,
      covered,
      unreachable: [],
      tests: size,
      steps: size,
      cost: size,
      lowerBound,
      gap: size - lowerBound,
      complete,
    },
  };
}
