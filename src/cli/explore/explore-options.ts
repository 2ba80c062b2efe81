import type { ArgumentsOf } from '../command.ts';
import { integer } from '../option.ts';

/** Options of `nudgelab explore`. */
export const exploreOptions = {
  maxStates: integer('--max-states <states>', 'maximum number of states to explore', {
    min: 1,
    max: 50_000_000,
    whenOmitted: '100000, and 4000000 for tenant',
  }),
} as const;

/** Arguments of `nudgelab explore`. */
export type ExploreArguments = ArgumentsOf<typeof exploreOptions>;
