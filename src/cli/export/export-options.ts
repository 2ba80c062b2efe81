import { journalEntriesMax } from '../../core/limits.ts';
import { defaultSandboxId } from '../../sandbox/sandboxes.ts';
import type { ArgumentsOf } from '../command.ts';
import { controlKeyOption } from '../control-key.ts';
import { flag, integer, text } from '../option.ts';
import { portDefault } from '../serve/serve-options.ts';

const places = { min: 1, max: journalEntriesMax };

/** The options of `nudgelab export`. */
export const exportOptions = {
  url: text('--url <address>', `server (default: http://localhost:${portDefault})`),
  controlKey: controlKeyOption,
  db: text('--db <store>', 'read this SQLite file or postgres://… database instead of a server'),
  sandbox: text('--sandbox <id>', `the sandbox (default: ${defaultSandboxId})`),
  from: integer('--from <place>', 'first sequence number', places),
  to: integer('--to <place>', 'last sequence number', places),
  user: text('--user <id>', 'only events of one user and events that concern all users'),
  out: text('--out <file>', 'output file (default: standard output)'),
  force: flag('--force', 'overwrite an existing file'),
} as const;

/** What the command is given. */
export type ExportArguments = ArgumentsOf<typeof exportOptions>;
