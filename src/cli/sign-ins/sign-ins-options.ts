import { listRowsMax } from '../../core/limits.ts';
import type { ArgumentsOf } from '../command.ts';
import { integer, text } from '../option.ts';
import { serverOptions } from '../server-options.ts';

/** Options of `nudgelab sign-ins`. */
export const signInsOptions = {
  ...serverOptions,
  user: text('--user <id>', 'only sign-ins of this user'),
  limit: integer('--limit <number>', 'maximum number of sign-ins', { min: 1, max: listRowsMax, default: 20 }),
} as const;

/** Arguments of `nudgelab sign-ins`. */
export type SignInsArguments = ArgumentsOf<typeof signInsOptions>;
