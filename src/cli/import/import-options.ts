import { exportForms } from '../../replay/import/export-forms.ts';
import type { ArgumentsOf } from '../command.ts';
import { choice, flag, integer, list, seedOption, text } from '../option.ts';

/** Maximum number of rows to generate. */
const madeUpRowsMax = 100_000_000;

/** Options of `nudgelab import`. */
export const importOptions = {
  registrations: text('--registrations <file>', 'registration report, in any format'),
  policy: text('--policy <file>', 'policy body as returned by the API, or tenant facts'),
  auditLog: text('--audit-log <file>', 'audit log of the policy, as JSON'),
  groups: text('--groups <file>', 'group members: columns user and group'),
  snoozes: text('--snoozes <file>', 'previous snoozes: columns user, count and snoozedAt'),
  tenant: text('--tenant <file>', 'tenant facts that no export contains, such as nested groups and rollout switches'),
  mapping: text('--mapping <file>', 'mapping of columns and values, in YAML or JSON', {
    whenOmitted: 'the built-in mapping',
  }),
  ruleset: list('--ruleset <files>', 'keep the columns that the facts of these own campaigns name'),
  pseudonymKey: text(
    '--pseudonym-key <file>',
    'pseudonymize users with a keyed hash of their id; the file contains the key, at least 16 bytes',
  ),
  out: text('--out <folder>', 'output folder'),
  force: flag('--force', 'write to a folder that is not empty'),
  memoryLimit: text('--memory-limit <size>', 'memory limit of the database, such as 2GB', { whenOmitted: '900MB' }),
  synthesize: integer('--synthesize <rows>', 'create synthetic exports with this many rows', {
    min: 1,
    max: madeUpRowsMax,
  }),
  format: choice('--format <format>', 'format of the synthetic exports', exportForms, { default: 'ndjson' }),
  seed: seedOption('random seed of the synthetic exports', { default: 1 }),
  printMapping: flag('--print-mapping', 'print the built-in mapping'),
} as const;

/** Arguments of `nudgelab import`. */
export type ImportArguments = ArgumentsOf<typeof importOptions>;
