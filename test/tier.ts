import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** `quick` for `npm test`, `all` for `npm run test:all`. */
    readonly tier: 'quick' | 'all';
  }
}

/**
 * Returns how much of an exhaustive check this run does.
 *
 * @param sizes the size of the part that `npm test` checks, and of the whole that `npm run test:all` checks
 * @returns the size for the tier of this run
 */
export function byTier(sizes: { readonly quick: number; readonly all: number }): number {
  return sizes[inject('tier')];
}
