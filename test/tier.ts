import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Test tier: `quick` for `npm test`, `all` for `npm run test:all`. */
    readonly tier: 'quick' | 'all';
  }
}

/**
 * Returns the size of an exhaustive check for this run.
 *
 * @param sizes sizes of the part for `npm test` and for mutants, and of the complete check for `npm run test:all`
 * @returns the size for the tier of this run
 */
export function byTier(sizes: { readonly quick: number; readonly all: number }): number {
  return sizes[inject('tier')];
}
