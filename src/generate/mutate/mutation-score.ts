import { type MutantResult, type MutantVerdict, mutantStatuses } from './mutation-test.ts';

/** Number of mutants by status. */
export interface MutationScore extends Readonly<Record<Exclude<MutantVerdict, 'not-run'>, number>> {
  readonly notRun: number;
  readonly mutants: number;
  /**
   * Share of killed mutants among those that are not equivalent, from 0 to 1; 1 if there are none. Undecided mutants
   * count as not killed.
   */
  readonly score: number;
}

/** Computes the score of some results. */
export function computeScore(results: readonly MutantResult[]): MutationScore {
  const counts = new Map(mutantStatuses.map((verdict) => [verdict, 0]));
  for (const { verdict } of results) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const count = (verdict: MutantVerdict) => counts.get(verdict) ?? 0;
  const killable = results.length - count('equivalent') - count('not-run');
  return {
    mutants: results.length,
    killed: count('killed'),
    survived: count('survived'),
    equivalent: count('equivalent'),
    undecided: count('undecided'),
    notRun: count('not-run'),
    score: killable === 0 ? 1 : count('killed') / killable,
  };
}

/**
 * Computes scores grouped by a property that has one or more values per mutant, sorted alphabetically and by number.
 */
export function scoresBy(
  results: readonly MutantResult[],
  keysOf: (result: MutantResult) => readonly string[],
): readonly (MutationScore & { readonly of: string })[] {
  const groups = new Map<string, MutantResult[]>();
  for (const result of results) {
    for (const key of keysOf(result)) groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups]
    .toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
    .map(([of, members]) => ({ of, ...computeScore(members) }));
}
