import type { ArgumentsOf } from '../command.ts';
import { flag } from '../option.ts';

/** Options of `nudgelab init`. */
export const initOptions = {
  force: flag('--force', 'overwrite existing files'),
} as const;

/** Arguments of `nudgelab init`. */
export type InitArguments = ArgumentsOf<typeof initOptions>;
