import type { ArgumentsOf } from '../command.ts';
import { integer, text } from '../option.ts';

/** The options of `nudgelab docs`. */
export const docsOptions = {
  port: integer('--port <number>', 'port to listen on, 0 for any free one', { min: 0, max: 65_535, default: 4_780 }),
  folder: text('--folder <folder>', 'folder of the built site', { whenOmitted: 'site/built of the checkout' }),
} as const;

/** Arguments of the command. */
export type DocsArguments = ArgumentsOf<typeof docsOptions>;
