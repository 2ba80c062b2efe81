import { methodKinds } from '../../../machines/own/own-ruleset.ts';
import type { ArgumentsOf } from '../command.ts';
import { choice, flag, integer, negatedFlag, text } from '../option.ts';

/** Options of `nudgelab ruleset`. */
export const rulesetOptions = {
  modules: negatedFlag('--no-modules', 'check, explain and diff: do not run gate modules; their gates pass'),
  edition: text('--edition <id>', 'explain: only the rules of this edition', { whenOmitted: 'all editions' }),
  md: flag('--md', 'explain: print Markdown'),
  html: flag('--html', 'explain: print an HTML page'),
  strict: flag('--strict', 'check: treat warnings as faults'),
  from: text('--from <example>', 'init: example of the package to copy', { whenOmitted: 'a first ruleset' }),
  id: text('--id <id>', 'init: id of the ruleset', { default: 'my-campaign' }),
  kind: choice('--kind <kind>', 'init: what the prompt asks for', methodKinds, { default: 'passkey' }),
  every: text('--every <duration>', 'init: time between two prompts', { default: '7d' }),
  limit: integer('--limit <number>', 'init: snoozes after which the prompt is required; 0 for no limit', {
    min: 0,
    max: 1_000,
    default: 3,
  }),
  force: flag('--force', 'init: overwrite existing files'),
} as const;

/** Arguments of `nudgelab ruleset`. */
export type RulesetArguments = ArgumentsOf<typeof rulesetOptions>;
