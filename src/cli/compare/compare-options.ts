import { assumptions } from '../../contract/comparison.schema.ts';
import type { ArgumentsOf } from '../command.ts';
import { sandboxOption } from '../common-options.ts';
import { storeKinds } from '../open-store.ts';
import { choice, flag, list, text } from '../option.ts';

/** Options of `nudgelab compare`. */
export const compareOptions = {
  policy: list('--policy <files>', 'policies to compare with, one variant each'),
  ruleset: list('--ruleset <rulesets>', 'ids or files of rulesets, one variant each', {
    whenOmitted: 'ruleset of the history',
  }),
  at: list('--at <instants>', 'evaluate by the editions in force at these times; the first of several is the baseline'),
  rollout: list(
    '--rollout <switches>',
    'rollout switches to enable in the variants: method, snoozeDays, snoozeLimit, targeting',
  ),
  assumeAction: choice('--assume-action <action>', 'action to assume at new prompts', assumptions, { default: 'skip' }),
  db: text('--db <store>', `read the journal of this ${storeKinds}`),
  sandbox: sandboxOption,
  mapping: text('--mapping <file>', 'import mapping that names the authenticator app in policies', {
    whenOmitted: 'the built-in mapping',
  }),
  user: text('--user <id>', 'show every attempt of one user with all rules of baseline and variant'),
  csv: text('--csv <file>', 'write the changed attempts as CSV'),
  parquet: text('--parquet <file>', 'write the changed attempts as Parquet'),
  html: text('--html <file>', 'write a self-contained page with charts'),
  force: flag('--force', 'overwrite existing files'),
} as const;

/** Arguments of `nudgelab compare`. */
export type CompareArguments = ArgumentsOf<typeof compareOptions>;
