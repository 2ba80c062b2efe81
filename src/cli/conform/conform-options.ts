import { rulesetIds } from '../../../machines/rulesets/ruleset-registry.ts';
import type { ArgumentsOf } from '../command.ts';
import { integer, list, text } from '../option.ts';

/** Options of `nudgelab conform`. */
export const conformOptions = {
  mapping: text(
    '--mapping <file>',
    'file that describes the columns and values of the log, or sign-in-log for exports',
    {
      suggestions: ['sign-in-log'],
      whenOmitted: 'none, for a journey',
    },
  ),
  ruleset: list('--ruleset <rulesets>', 'ids or files of the rulesets to compare', {
    suggestions: rulesetIds,
    whenOmitted: 'ruleset of the journey or of the configuration, or seed',
  }),
  maxMisfits: integer('--max-misfits <number>', 'number of users whose first impossible event is explained', {
    min: 0,
    max: 10_000,
    default: 10,
  }),
  html: text('--html <file>', 'write a self-contained page with the patterns and the first impossible events'),
} as const;

/** Arguments of `nudgelab conform`. */
export type ConformArguments = ArgumentsOf<typeof conformOptions>;
