import { defineCommand } from './command.ts';
import { conformOptions } from './conform/conform-options.ts';

/** `nudgelab conform`: checks whether the log of a real system fits the model. */
export const conformCommand = defineCommand({
  name: 'conform',
  description:
    'Checks the events of each user against the lifecycle and the rules. The log is a journey, or JSON Lines, JSON or ' +
    'CSV with a mapping; - reads standard input. Times can be rounded, users interleaved, and events hidden or ' +
    'missing. For each user that does not fit, the first impossible event is explained: the states before it, the ' +
    'rule, what the model allows, and the nearest behavior that fits. Several rulesets are ranked by the share of ' +
    'users that fit. Exit codes: 0 the log fits at least one ruleset, 1 it fits none, 2 the log or the mapping is invalid.',
  operands: { description: 'journey, or log with a mapping' },
  options: conformOptions,
  examples: [
    { line: 'conform journey.ndjson', meaning: 'check a journey that `nudgelab export` wrote' },
    { line: 'conform prompts.csv --mapping prompts.mapping.yaml', meaning: 'check the log of another system' },
    {
      line: 'conform prompts.csv --mapping prompts.mapping.yaml --ruleset seed,2026-09',
      meaning: 'find the ruleset that explains it best',
    },
  ],
  run: async (args, context) => (await import('./conform/conform.ts')).conform(args, context),
});
