import { fnv1a32, randomSource } from '../../src/core/random.ts';

/** Mutant of a file before its tests are run. */
export interface ListedMutant {
  readonly file: string;
  /** Line number, starting at 1. */
  readonly line: number;
  readonly operator: string;
  /** Replaced code on one line. */
  readonly code: string;
  readonly replacement: string;
  /** Stable key, which is the same in every list created from the same sources. */
  readonly key: string;
  /** Range of the mutant in the format that StrykerJS accepts. */
  readonly range: string;
}

/** Result of a mutant. */
export interface MutantOutcome {
  readonly mutant: ListedMutant;
  /**
   * Status of the mutant. `broken` means that a test file could not be loaded, so the test run failed as it does for
   * a killed mutant.
   */
  readonly status: 'killed' | 'timed-out' | 'broken' | 'survived' | 'not-covered';
}

/** What StrykerJS reports about a mutant. Lines and columns start at 0. */
interface CreatedMutant {
  readonly location: { readonly start: Position; readonly end: Position };
  readonly mutatorName: string;
  readonly replacement: string;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Draws a sample of mutants. The same sources and random seed give the same sample. */
export function sampleMutants(mutants: readonly ListedMutant[], size: number, seed: number): readonly ListedMutant[] {
  const drawn = mutants.map((mutant) => ({ mutant, draw: randomSource(fnv1a32(mutant.key) ^ seed)() }));
  drawn.sort((a, b) => a.draw - b.draw || (a.mutant.key < b.mutant.key ? -1 : 1));
  return drawn.slice(0, size).map(({ mutant }) => mutant);
}

/** Creates a key from the contents of a mutant, because its number depends on the other instrumented mutants. */
export function mutantKey(file: string, mutant: CreatedMutant): string {
  const { start, end } = mutant.location;
  const place = `${start.line}:${start.column}-${end.line}:${end.column}`;
  return `${file}:${place} ${mutant.mutatorName} ${mutant.replacement}`;
}
