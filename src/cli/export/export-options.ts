import { journalEntriesMax } from '../../core/limits.ts';
import { defaultSandboxId } from '../../sandbox/sandboxes.ts';
import type { ArgumentsOf } from '../command.ts';
import { controlKeyOption } from '../control-key.ts';
import { flag, integer, text } from '../option.ts';
import { portDefault } from '../serve/serve-options.ts';

const places = { min: 1, max: journalEntriesMax };

/** The options of `nudgelab export`. */
export const exportOptions = {
  url: text('--url <address>', `the server to ask; default: http://localhost:${portDefault}`),
  controlKey: controlKeyOption,
  db: text('--db <store>', 'read this SQLite file, or database at postgres://…, in place of a server'),
  sandbox: text('--sandbox <id>', `the sandbox; default: ${defaultSandboxId}`),
  from: integer('--from <place>', 'first place of the journal', places),
  to: integer('--to <place>', 'last place of the journal', places),
  user: text('--user <id>', 'only what one user did, and what concerned everybody'),
  out: text('--out <file>', 'write there; default: the standard output'),
  force: flag('--force', 'write over a file that exists'),
} as const;

/** What the command is given. */
export type ExportArguments = ArgumentsOf<typeof exportOptions>;
