import { rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import { assumptions } from '../../contract/comparison.schema.ts';
import { defaultSandboxId } from '../../sandbox/sandboxes.ts';
import type { ArgumentsOf } from '../command.ts';
import { choice, flag, list, text } from '../option.ts';

/** The options of `nudgelab compare`. */
export const compareOptions = {
  policy: list('--policy <files>', 'policies to compare with, one variant each'),
  ruleset: choice(
    '--ruleset <id>',
    'ruleset of the variants; alone it is a variant itself',
    rulesetIds,
    'that of the history',
  ),
  rollout: list(
    '--rollout <switches>',
    'rollout switches that the variants turn on: method, snoozeDays, snoozeLimit, targeting',
  ),
  assumeAction: choice('--assume-action <answer>', 'action that is assumed at new prompts', assumptions, 'skip'),
  db: text('--db <store>', 'read the journal of this SQLite file, or database at postgres://…'),
  sandbox: text('--sandbox <id>', `its sandbox (default: ${defaultSandboxId})`),
  mapping: text(
    '--mapping <file>',
    'how policies name the authenticator app (default: the mapping of imports that ships)',
  ),
  user: text('--user <id>', 'show the attempts of one user with every rule before and after'),
  csv: text('--csv <file>', 'write the attempts that changed as CSV'),
  parquet: text('--parquet <file>', 'write the attempts that changed as Parquet'),
  html: text('--html <file>', 'write a self-contained page with charts'),
  force: flag('--force', 'overwrite existing files'),
} as const;

/** What the command is given. */
export type CompareArguments = ArgumentsOf<typeof compareOptions>;
