import type { ArgumentsOf } from '../command.ts';
import { rulesetOption, setOption } from '../common-options.ts';

/** Options of `nudgelab lint`. */
export const lintOptions = {
  ruleset: rulesetOption('id or file of the ruleset for scenarios that name none'),
  set: setOption,
} as const;

/** Arguments of `nudgelab lint`. */
export type LintArguments = ArgumentsOf<typeof lintOptions>;
