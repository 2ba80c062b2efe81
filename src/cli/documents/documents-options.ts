import { documentPagesMax, documentSecondsMax } from '../../contract/document-limits.ts';
import type { ArgumentsOf } from '../command.ts';
import { flag, integer, list, negatedFlag, text, timeoutOption } from '../option.ts';
import { serverOptions } from '../server-options.ts';

/** Options of `nudgelab documents`. */
export const documentsOptions = {
  ...serverOptions,
  public: flag('--public', 'add: make the document public'),
  unlisted: flag('--unlisted', 'add: omit the document from lists; its URL then requires the uid'),
  title: text('--title <text>', 'add: title', { whenOmitted: 'title in the file, or else the file name' }),
  description: text('--description <text>', 'add: description'),
  owner: text('--owner <user>', 'add: user who owns the document'),
  tag: list('--tag <words>', 'add: tags, for filtering lists'),
  password: text('--password <text>', 'add: password of encrypted files; it is never stored'),
  webp: negatedFlag('--no-webp', 'add: render PNG images only'),
  maxPages: integer('--max-pages <number>', 'add: maximum number of pages per file', {
    min: 1,
    max: documentPagesMax,
    default: documentPagesMax,
  }),
  timeout: timeoutOption('add: timeout per file', {
    maxMs: documentSecondsMax * 1_000,
    whenOmitted: `${documentSecondsMax}s`,
  }),
} as const;

/** Arguments of `nudgelab documents`. */
export type DocumentsArguments = ArgumentsOf<typeof documentsOptions>;
