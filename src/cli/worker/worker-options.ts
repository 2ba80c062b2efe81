import type { ArgumentsOf } from '../command.ts';
import { text } from '../option.ts';

/** Options of `nudgelab worker`. */
export const workerOptions = {
  queue: text('--queue <address>', 'URL of the Redis server that holds the queue', {
    default: 'redis://localhost:6379',
  }),
} as const;

/** Arguments of `nudgelab worker`. */
export type WorkerArguments = ArgumentsOf<typeof workerOptions>;
