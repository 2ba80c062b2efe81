import { reductionCosts } from '../../generate/reduction/reduce-suite.ts';
import type { ArgumentsOf } from '../command.ts';
import { rulesetOption, setOption } from '../common-options.ts';
import { choice, list, text, timeLimitOption } from '../option.ts';

/** Options of `nudgelab reduce` and `nudgelab prioritize`. */
const measureOptions = {
  ruleset: rulesetOption('id or file of the ruleset for scenarios that name none'),
  set: setOption,
  rule: list('--rule <ids>', 'only mutants of these rules and assumptions'),
  timeLimit: timeLimitOption('the mutants that were not run are left out, and the exit code is 1'),
  out: text('--out <file>', 'write the ids of the scenarios to a file for `nudgelab run --list`'),
} as const;

/** Options of `nudgelab reduce`. */
export const reduceOptions = {
  by: choice('--by <quantity>', 'what to minimize', reductionCosts, { default: 'scenarios' }),
  ...measureOptions,
} as const;

/** Options of `nudgelab prioritize`. */
export const prioritizeOptions = {
  times: text('--times <file>', 'report.json of an earlier run, whose durations are used', {
    whenOmitted: 'the number of steps',
  }),
  ...measureOptions,
} as const;

/** Arguments of `nudgelab reduce`. */
export type ReduceArguments = ArgumentsOf<typeof reduceOptions>;
/** Arguments of `nudgelab prioritize`. */
export type PrioritizeArguments = ArgumentsOf<typeof prioritizeOptions>;
/** Arguments that both commands have. */
export type MeasureArguments = ArgumentsOf<typeof measureOptions>;
