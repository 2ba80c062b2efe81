import type { ArgumentsOf } from '../command.ts';
import { list, text } from '../option.ts';

/** Options of `nudgelab worker`. */
export const workerOptions = {
  queue: text('--queue <address>', 'URL of the Redis server that holds the queue', {
    default: 'redis://localhost:6379',
  }),
  ruleset: list(
    '--ruleset <files>',
    'files of rulesets with gate modules, besides those of the configuration; other rulesets arrive with the jobs',
  ),
} as const;

/** Arguments of `nudgelab worker`. */
export type WorkerArguments = ArgumentsOf<typeof workerOptions>;
