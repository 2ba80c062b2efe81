import type { ArgumentsOf } from '../command.ts';
import { text } from '../option.ts';

/** The options of `nudgelab schema`. */
export const schemaOptions = {
  out: text('--out <folder>', 'write every schema there, a file each'),
} as const;

/** What the command is given. */
export type SchemaArguments = ArgumentsOf<typeof schemaOptions>;
