import type { ArgumentsOf } from '../command.ts';
import { text } from '../option.ts';

/** Options of `nudgelab schema`. */
export const schemaOptions = {
  out: text('--out <folder>', 'write each schema to a file in this folder'),
} as const;

/** Arguments of `nudgelab schema`. */
export type SchemaArguments = ArgumentsOf<typeof schemaOptions>;
