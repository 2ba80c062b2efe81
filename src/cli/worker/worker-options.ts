import type { ArgumentsOf } from '../command.ts';
import { text } from '../option.ts';

/** The options of `nudgelab worker`. */
export const workerOptions = {
  queue: text('--queue <address>', 'Redis of the queue', { default: 'redis://localhost:6379' }),
} as const;

/** What the command is given. */
export type WorkerArguments = ArgumentsOf<typeof workerOptions>;
