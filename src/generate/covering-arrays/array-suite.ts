import type { ArraySuite } from '../generation.ts';
import { maskingFreeConstraints, signInArray } from '../models/sign-in-array.ts';
import { arrayJourneys } from './array-journeys.ts';
import type { CoveringArray, CoveringArrayOptions } from './array-options.ts';
import { coveringArray } from './covering-array.ts';

/** Options for covering combinations. */
export type CombineOptions = Required<Pick<CoveringArrayOptions, 'strength' | 'mode' | 'seed'>> &
  Pick<CoveringArrayOptions, 'budgetMs' | 'onProgress'>;

/** Covering array settings that a user's own module exports. */
export type GivenArray = Pick<CoveringArrayOptions, 'factors' | 'constraints' | 'forbidden' | 'mixed' | 'seeds'>;

/**
 * Generates sign-ins that cover every combination of the given strength over policy, user, device, browser and context
 * values, each row with its journey.
 * @param unmasked - `true` to allow at most one reason to stop per row
 * @throws the errors of `coveringArray`
 */
export function signInCombinations(options: CombineOptions, unmasked: boolean): ArraySuite {
  const { factors, constraints } = signInArray();
  const all = unmasked ? [...constraints, ...maskingFreeConstraints()] : constraints;
  const array = coveringArray({ ...options, factors, constraints: all });
  const title = `Sign-in combinations of ${options.strength}${unmasked ? ', unmasked' : ''}`;
  const journeys = arrayJourneys(array.rows).map(({ journey }) => journey);
  return createSuite(title, { factors }, array, journeys, options);
}

/**
 * Generates rows that cover every combination of a user's own parameters.
 * @param name - name of the parameter set
 */
export function givenCombinations(name: string, given: GivenArray, options: CombineOptions): ArraySuite {
  return createSuite(
    `${name} combinations of ${options.strength}`,
    given,
    coveringArray({ ...given, ...options }),
    [],
    options,
  );
}

function createSuite(
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
