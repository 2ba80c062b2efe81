import { journalEntriesMax } from '../../core/limits.ts';
import type { ArgumentsOf } from '../command.ts';
import { portDefault, sandboxOption } from '../common-options.ts';
import { controlKeyOption } from '../control-key.ts';
import { storeKinds } from '../open-store.ts';
import { flag, integer, text } from '../option.ts';

const sequenceNumbers = { min: 1, max: journalEntriesMax };

/** Parts of a sandbox that the command exports. */
export const exportedParts = ['journey', 'logs'] as const;

/** Options of `nudgelab export`. */
export const exportOptions = {
  url: text('--url <address>', 'URL of the server', { whenOmitted: `http://localhost:${portDefault}` }),
  controlKey: controlKeyOption,
  db: text('--db <store>', `read this ${storeKinds} instead of a server`),
  sandbox: sandboxOption,
  from: integer('--from <seq>', 'first sequence number', sequenceNumbers),
  to: integer('--to <seq>', 'last sequence number', sequenceNumbers),
  user: text('--user <id>', 'only events of one user and events that affect all users'),
  out: text('--out <path>', 'output file, or folder of logs', { whenOmitted: 'standard output' }),
  force: flag('--force', 'overwrite existing files'),
  withFacts: flag('--with-facts', 'add the facts of each attempt to the sign-in log'),
} as const;

/** Arguments of `nudgelab export`. */
export type ExportArguments = ArgumentsOf<typeof exportOptions>;
