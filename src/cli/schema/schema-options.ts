import type { ArgumentsOf } from '../command.ts';
import { text } from '../option.ts';

/** The options of `nudgelab schema`. */
export const schemaOptions = {
  out: text('--out <folder>', 'write each schema to a file in this folder'),
} as const;

/** What the command is given. */
export type SchemaArguments = ArgumentsOf<typeof schemaOptions>;
