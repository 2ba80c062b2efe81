import type { ArgumentsOf } from '../command.ts';
import { flag } from '../option.ts';

/** The options of `nudgelab init`. */
export const initOptions = {
  force: flag('--force', 'overwrite existing files'),
} as const;

/** What the command is given. */
export type InitArguments = ArgumentsOf<typeof initOptions>;
