import { documentPagesMax, documentSecondsMax } from '../../contract/document-limits.ts';
import type { ArgumentsOf } from '../command.ts';
import { controlKeyOption } from '../control-key.ts';
import { flag, integer, list, negatedFlag, text } from '../option.ts';

/** The options of `nudgelab documents`. */
export const documentsOptions = {
  url: text('--url <address>', 'the server (default: http://localhost:4700)'),
  controlKey: controlKeyOption,
  sandbox: text('--sandbox <id>', 'the sandbox (default: default)'),
  public: flag('--public', 'add: everyone may read it'),
  unlisted: flag('--unlisted', 'add: it is in no list, and asks for its uid'),
  title: text('--title <text>', 'add: its title (default: that of the file, else its name)'),
  description: text('--description <text>', 'add: what it is about'),
  owner: text('--owner <user>', 'add: the user who may write it, and read it as private'),
  tag: list('--tag <words>', 'add: tags, by which lists are narrowed'),
  password: text('--password <text>', 'add: the password that opens encrypted files; it is not kept'),
  webp: negatedFlag('--no-webp', 'add: make PNG images alone'),
  maxPages: integer('--max-pages <number>', `add: refuse a file with more pages (default: ${documentPagesMax})`, {
    min: 1,
    max: documentPagesMax,
  }),
  timeout: integer('--timeout <number>', `add: give a file up after so long (default: ${documentSecondsMax})`, {
    min: 1,
    max: documentSecondsMax,
  }),
} as const;

/** What the command is given. */
export type DocumentsArguments = ArgumentsOf<typeof documentsOptions>;
