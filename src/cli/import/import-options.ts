import { exportForms } from '../../replay/import/export-forms.ts';
import type { ArgumentsOf } from '../command.ts';
import { choice, flag, integer, seedMax, text } from '../option.ts';

/** Rows that can be made up. */
const madeUpRowsMax = 100_000_000;

/** The options of `nudgelab import`. */
export const importOptions = {
  registrations: text('--registrations <file>', 'the report of registrations, in any of the forms'),
  policy: text('--policy <file>', 'the body of the policy, as the API answers it, or facts of a tenant'),
  audit: text('--audit <file>', 'the audit log of the policy, as JSON'),
  groups: text('--groups <file>', 'who is in which group: columns user and group'),
  ledger: text('--ledger <file>', 'how often users had snoozed before: columns user, count and snoozedAt'),
  tenant: text(
    '--tenant <file>',
    'facts of the tenant that no export holds, such as groups in groups and roll-out switches',
  ),
  mapping: text('--mapping <file>', 'how columns and values are read, in YAML or JSON; default: the one that ships'),
  pseudonyms: text(
    '--pseudonyms <file>',
    'call users by a keyed hash of their id; the file holds the key, at least 16 bytes',
  ),
  out: text('--out <folder>', 'write there'),
  force: flag('--force', 'write into a folder that is not empty'),
  memory: text('--memory <size>', 'memory that the database may take, such as 2GB; default: 900MB'),
  generate: integer('--generate <rows>', 'make up exports of so many rows', { min: 1, max: madeUpRowsMax }),
  as: choice('--as <form>', 'form of the made-up exports', exportForms, 'ndjson'),
  seed: integer('--seed <number>', 'seed of the made-up exports; default: 1', { min: 0, max: seedMax }),
  showMapping: flag('--show-mapping', 'print the mapping that ships'),
} as const;

/** What the command is given. */
export type ImportArguments = ArgumentsOf<typeof importOptions>;
